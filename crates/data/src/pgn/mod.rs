//! Games in PGN. [`Games`] reads whole games, [`Reader`] positions with evaluations in comments,
//! `[%eval 0.35]`, as lichess writes them.
//!
//! ```text
//!   [Result "1-0"]
//!
//!   1. e4 { [%eval 0.18] [%clk 0:01:00] } 1... e5 { [%eval 0.25] } 2. Nf3 { [%eval #3] } 1-0
//! ```
//!
//! An evaluation belongs to the position *after* the move before it, in pawns from White's point of view;
//! `#3` is mate by White in three moves. So the record of a position has the evaluation before the move, and
//! the move that follows. Positions without an evaluation, games without a result, variations, clocks and
//! other comments are skipped. Mate in n plies becomes the score 32000 - n, as in Stockfish's data; other
//! scores are in hundredths of a pawn.

mod eval;
mod game;
mod games;
mod moves;
mod reader;
mod tokens;
mod writer;

pub use game::Game;
pub use games::Games;
pub use moves::{read as from_san, write as san};
pub use reader::Reader;
pub use writer::Writer;
