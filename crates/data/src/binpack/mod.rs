//! Binpack, the format of Stockfish's training data.
//!
//! ```text
//!   file     chunk  chunk  ..                       chunks may be appended, and files concatenated
//!   chunk    "BINP"  size: u32 LE  chain  chain ..  about 1 MiB, at most 100 MiB
//!   chain    stem: 32 bytes  count: u16 BE  entries, padded to a byte
//!   stem     occupied: u64 BE  pieces: 32 x 4 bits  move: u16 BE  score: u16 BE  ply, outcome: u16 BE  clock: u16 BE
//!   entry    piece  destination  score, as few bits as the position before allows
//! ```
//!
//! A chain is a game, or the part of one in which each record is the position after the move of the record before. An entry says the
//! move of the next record and how its score differs from what the score before predicts (minus that score); its ply and outcome follow.
//! About 2.4 bytes a position.
//!
//! The format has no castling of Chess960. Moves need not be legal: the king of the side that moves may stay in check.

mod bits;
mod entry;
mod reader;
mod resync;
mod stem;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

/// With what a chunk begins.
const MAGIC: [u8; 4] = *b"BINP";

/// Bytes of the header of a chunk: `BINP` and its size.
const HEADER: usize = 8;

/// The largest chunk that is read, in bytes.
const MAX_CHUNK: u32 = 100 << 20;
