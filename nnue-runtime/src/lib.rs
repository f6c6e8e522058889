//! The runtime of networks declared with `nnue!`: boards, features, accumulators, kernels, loading.
//!
//! Programs use the crate `nnue`, which re-exports what they need; the code that the macro
//! generates uses the names in [`private`].
//!
//! Optional parts are Cargo features: `described` (the module `dynamic`), `dense`, `subnets`,
//! `boards`, `golden`, `intermediate`, `all-levels`; `full` enables all of them.
//!
//! Without the feature `std` (on by default) the crate only needs `alloc`: networks are loaded from
//! memory, and the level is the fastest one whose features are enabled at compile time.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![deny(unsafe_code)]
#![cfg_attr(
    not(all(
        feature = "boards",
        feature = "dense",
        feature = "described",
        feature = "subnets"
    )),
    allow(
        dead_code,
        unused_imports,
        unreachable_pub,
        reason = "what only features that are off use"
    )
)]

extern crate alloc;

pub mod accumulator;
pub mod activation;
pub mod architecture;
pub mod binary;
pub mod block_sparse;
pub mod board;
#[cfg(feature = "boards")]
pub mod boards;
mod both;
#[cfg(feature = "dense")]
pub mod dense;
pub mod direct;
#[cfg(feature = "described")]
pub mod dynamic;
mod feature_floats;
pub mod features;
pub mod float;
pub mod form;
pub mod game;
mod heads;
pub mod integer;
pub mod kernel;
pub mod layer;
pub mod memory;
pub mod network;
mod output;
pub mod policy;
mod prefetching;
pub mod private;
pub mod rows;
pub mod separate;
pub mod simd;
#[cfg(feature = "subnets")]
pub mod subnets;
#[cfg(test)]
mod testing;
pub mod transform;
pub mod transformer;
pub mod words;

pub use accumulator::Mismatch;
pub use architecture::{Architecture, Embedded, Model, Parameters};
pub use board::{Change, Color, Piece, PieceKind, Placed, Position, Square};
pub use features::{FeatureSet, Standing, View, named as feature_sets, named::*};
pub use heads::{Heads, NamedOutputs, Policy};
pub use layer::{Layer, RowLayer};
pub use network::{
    AccumulatorStack, AccumulatorTable, Accumulators, Batch, Evaluation, Network, RealEvaluation,
    Trace,
};
pub use nnue_format::{Encoding, Header, LoadError, LoadErrorKind, WriteError};
/// The descriptor types: those of `MyNet::SPEC`.
pub use nnue_spec as spec;
pub use nnue_spec::{Wdl, softmax};
pub use output::Output;
pub use separate::Separate;
pub use simd::{
    AvailableLevel, Choice, Level, NotFollowed, Reason, UnavailableLevel, UnknownLevel,
};
pub use transform::{Frame, RowChanges, Transform};
pub use transformer::FeatureTransformer;
