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
//! A chain is a game or a part of one: each record is the position after the move of the record before. An
//! entry stores the move of a record and the difference of its score from the predicted one (minus the score
//! before). Ply and outcome follow from the record before. A position takes about 2.4 bytes.
//!
//! The format cannot express Chess960 castling. Moves need not be legal: they may leave the own king in
//! check.

mod bits;
mod entry;
mod reader;
mod resync;
mod stem;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

/// The first bytes of a chunk.
const MAGIC: [u8; 4] = *b"BINP";

/// Bytes of the header of a chunk: `BINP` and its size.
const HEADER: usize = 8;

/// The largest accepted chunk, in bytes.
const MAX_CHUNK: u32 = 100 << 20;
