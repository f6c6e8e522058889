//! What an engine imports: `use nnue::prelude::*;`.
//!
//! Every engine has its own `Position`, `Piece`, `Color` and `Square`, and a name that two glob
//! imports bring is ambiguous. So the prelude has no names of boards: write `nnue::Piece`,
//! `impl nnue::Position for Board`. Traits that are only imported for their methods are imported
//! without a name.
//!
//! ```
//! mod types {
//!     pub struct Position {
//!         pub bitboards: [[u64; 6]; 2],
//!         pub mover: Color,
//!     }
//!     #[derive(Clone, Copy)]
//!     pub enum Color { White, Black }
//!     #[derive(Clone, Copy)]
//!     pub struct Piece(pub u8);
//!     #[derive(Clone, Copy)]
//!     pub struct Square(pub u8);
//! }
//! use nnue::prelude::*;
//! use types::*;
//!
//! nnue! {
//!     pub(crate) struct Evaluator = Chess768[..] -> 32x2 -> 1;
//! }
//!
//! impl nnue::Position for Position {
//!     fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
//!         self.bitboards[color.index()][kind.index()]
//!     }
//!     fn side_to_move(&self) -> nnue::Color {
//!         match self.mover {
//!             Color::White => nnue::Color::White,
//!             Color::Black => nnue::Color::Black,
//!         }
//!     }
//! }
//!
//! /// `piece` (2 * kind + colour) moves to an empty square.
//! fn quiet(piece: Piece, from: Square, to: Square) -> Option<Change> {
//!     let piece = nnue::Piece::try_new(piece.0)?;
//!     Some(Change::quiet(piece, nnue::Square::try_new(from.0)?, nnue::Square::try_new(to.0)?))
//! }
//!
//! let network = Network::<Evaluator>::from_params(EvaluatorParams::zeroed());
//! let mut stack = AccumulatorStack::new();
//! let kings = [[0, 0, 0, 0, 0, 1 << 4], [0, 0, 0, 0, 0, 1 << 60]];
//! assert_eq!(network.evaluate(&Position { bitboards: kings, mover: Color::White }, &mut stack).value, 0);
//! stack.push(quiet(Piece(10), Square(4), Square(5)).expect("a king"));
//! ```

pub use nnue_macros::nnue;
pub use nnue_runtime::{AccumulatorStack, Change, LoadError, Network, Parameters as _, Placed};
