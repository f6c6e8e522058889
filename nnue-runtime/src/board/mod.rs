//! What the runtime knows of chess: colours, pieces, squares, a position as bitboards, and the change that a move makes.
//!
//! The user's own board implements [`Position`]; the user's own move generator fills in a [`Change`]. Adapters for the
//! boards of `shakmaty` and `cozy-chess` exist behind features of the same names.

mod change;
#[cfg(feature = "cozy-chess")]
pub mod cozy_chess;
mod piece;
mod planes;
mod position;
#[cfg(feature = "shakmaty")]
pub mod shakmaty;
mod square;
#[cfg(all(test, any(feature = "shakmaty", feature = "cozy-chess")))]
mod test_support;

pub use change::{Change, Placed};
pub use piece::{Color, Piece, PieceKind};
pub(crate) use planes::Planes;
pub use position::Position;
pub(crate) use position::{Bitboards, Snapshot, squares_of};
pub use square::Square;
