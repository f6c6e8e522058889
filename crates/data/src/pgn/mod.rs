//! Games in PGN. [`Games`] reads whole games, [`Reader`] positions with evaluations in comments:
//! `[%eval 0.35]`, as lichess writes them, and those of programs for matches.
//!
//! ```text
//!   [Result "1-0"]
//!
//!   1. e4 { [%eval 0.18] [%clk 0:01:00] } 1... e5 { [%eval 0.25] } 2. Nf3 { [%eval #3] } 1-0
//! ```
//!
//! An evaluation belongs to the position *after* the move before it, in pawns from White's point of view;
//! `#3` is mate by White in three moves. So the record of a position has the evaluation before the move, and
//! the move that follows. Mate in n plies becomes the score 32000 - n, as in Stockfish's data; other scores
//! are in hundredths of a pawn.
//!
//! Programs for matches (cutechess, fastchess, fishtest) write `{+0.31/14 0.21s}` after a move: the evaluation
//! by the side that moved, depth and time; `+M12/20` is its mate in 12. Moves may be in the notation of UCI and
//! have the suffix `e.p.`; lines that begin with `%` are ignored, as is a byte order mark. Null moves and games
//! of other variants are faults of their game.
//!
//! Positions without an evaluation and games without a result are passed over and counted
//! ([`Reader::passed_over`]). Variations, clocks and other comments are ignored.

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
