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
//! The format cannot express Chess960 castling: [`without_chess960`] removes it. Moves need not be legal: they may leave the own king in
//! check.

mod bits;
mod entry;
mod reader;
mod resync;
mod stem;
mod writer;

use crate::{MoveKind, Record};
pub use reader::Reader;
pub use writer::Writer;

/// The first bytes of a chunk.
const MAGIC: [u8; 4] = *b"BINP";

/// Bytes of the header of a chunk: `BINP` and its size.
const HEADER: usize = 8;

/// The largest accepted chunk, in bytes.
const MAX_CHUNK: u32 = 100 << 20;

/// The record as a binpack can express it: without all castling rights, if some are those of Chess960. `None` if
/// its move castles by them. Data of Chess960 exist in this form, and networks do not see castling rights.
///
/// ```
/// use nnue_data::{Outcome, Record, binpack};
///
/// let record = Record::of_fen("1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1", Outcome::Draw)?;
/// let found = binpack::without_chess960(&record).ok_or("it does not castle")?;
/// assert_eq!(found.fen(), "1rk2r2/8/8/8/8/8/8/1RK2R2 w - - 0 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn without_chess960(record: &Record) -> Option<Record> {
    if stem::chess960_rook(&record.position).is_none() {
        return Some(*record);
    }
    let castles = record.mv.is_some_and(|mv| mv.kind == MoveKind::Castling);
    (!castles).then(|| Record {
        position: record.position.without_castling(),
        ..*record
    })
}
