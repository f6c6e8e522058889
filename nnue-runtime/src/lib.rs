//! The runtime of networks declared with `nnue!`: boards, features, accumulators, kernels, loading.
//!
//! Programs use the crate `nnue`, which re-exports what they need; the code that the macro generates uses the inventory
//! in `private`.
#![deny(unsafe_code)]

pub mod board;
pub mod features;
pub mod kernel;
pub mod layer;
pub mod memory;
pub mod simd;
pub mod transformer;

pub use board::{Change, Color, Piece, PieceKind, Placed, Position, Square};
pub use features::{Chess768, FeatureSet, HalfKaV2, HalfKaV2Hm, HalfKp, View};
