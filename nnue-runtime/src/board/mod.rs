//! Chess: colours, pieces, squares, positions as bitboards, and the changes that moves make.
//!
//! A user's board implements [`Position`], and its move generator fills in a [`Change`]. The Cargo
//! features `shakmaty` and `cozy-chess` add adapters for the boards of these crates.

mod change;
#[cfg(feature = "cozy-chess")]
pub mod cozy_chess;
mod fen;
mod piece;
mod planes;
mod position;
#[cfg(feature = "shakmaty")]
pub mod shakmaty;
mod square;
mod successor;
#[cfg(all(test, any(feature = "shakmaty", feature = "cozy-chess")))]
mod test_support;

pub use change::{Change, Placed};
pub(crate) use fen::FenBoard;
pub use piece::{Color, Piece, PieceKind};
pub(crate) use planes::Planes;
pub use position::Position;
pub(crate) use position::{Bitboards, Snapshot, squares_of};
pub use square::Square;
pub(crate) use successor::Predecessor;
