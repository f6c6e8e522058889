//! A compiler for efficiently updatable neural networks: declare a chess network in one line, get its loader and exact,
//! fast inference.
#![forbid(unsafe_code)]

extern crate self as nnue;

pub use nnue_macros::nnue;
pub use nnue_runtime::{
    AccumulatorStack, Accumulators, Architecture, AvailableLevel, Change, Chess768, Color, Embedded, Encoding,
    Evaluation, FeatureSet, HalfKaV2, HalfKaV2Hm, HalfKp, Header, Level, LoadError, LoadErrorKind, Mismatch, Network,
    Parameters, Piece, PieceKind, Placed, Position, Square, Trace, UnavailableLevel, UnknownLevel, View, WriteError,
    bounds, spec,
};

#[cfg(feature = "cozy-chess")]
pub use nnue_runtime::board::cozy_chess;
#[cfg(feature = "shakmaty")]
pub use nnue_runtime::board::shakmaty;

pub mod stockfish;

/// What the code that [`nnue!`] generates uses. The number is the patch version, so that a macro and a runtime that do
/// not belong together fail with one clear line.
#[doc(hidden)]
pub mod __private0 {
    pub use nnue_runtime::private::*;
}
