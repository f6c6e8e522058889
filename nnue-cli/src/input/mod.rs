//! What the user gives us: positions, games and text files.

pub(crate) mod fen;
pub(crate) mod games;
mod positions;
mod text;

pub(crate) use fen::Placement;
pub(crate) use positions::{Given, given, positions, suite};
pub(crate) use text::lines;

/// The start position.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
