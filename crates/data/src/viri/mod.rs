//! Viriformat (the crate `viriformat`): whole games.
//!
//! ```text
//!   game   start: a board of marlinformat, with the outcome of the game
//!          n x (move: u16 LE  score for White, of the position before the move: i16 LE)
//!          4 bytes 0
//!   move   bits 0-5 from, 6-11 to, 12-13 promotion N B R Q, 14-15: 1 en passant, 2 castling (king takes rook), 3 promotion
//! ```
//!
//! About 4 bytes a position. Every record has a score and a move. The format can express Chess960 castling.

pub(crate) mod moves;
mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;

/// The end mark of a game.
const END: [u8; 4] = [0; 4];
