//! Chess: colours, pieces, squares, positions as bitboards, and the change that a move makes.
//!
//! A board of the user's implements [`Position`], and its move generator fills in a [`Change`]. Cargo features of the same names add
//! adapters for the boards of `shakmaty` and `cozy-chess`.

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
