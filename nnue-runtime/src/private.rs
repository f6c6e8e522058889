//! The inventory: everything that generated code names, and nothing else uses. Not covered by the promises of versions.

pub use alloc::vec;
pub use alloc::vec::Vec;

pub use nnue_spec::{
    AccumulatorActivation, AccumulatorDesc, Axis, BufferDesc, ContainerDesc, DirectActivation, ElementType, Encoding,
    FeatureDesc, FeatureSetId, FloatActivation, FloatInput, GoldenDesc, KingBuckets, LayerDesc, LayerKind, NetDesc,
    OutputDesc, OutputTerm, OwnSet, Padding, PerspectiveOrder, Ratio, RawDesc, Segment, Selector, Source, StackDesc,
    StepDesc, SumActivation, TensorDesc, TensorMut, TensorRef, TensorRole, ThreatPairs, Unit, ValueDesc,
};

pub use crate::architecture::{Architecture, Embedded, Model, Parameters};
pub use crate::board::Position;
pub use crate::direct::DirectLayer;
pub use crate::features::{
    Chess768, FeatureSet, HalfKaV2, HalfKaV2Hm, HalfKp, KingBucketed, KingTable, PairSet, PairSets, PawnPairs, Threats,
};
pub use crate::float::{FloatLayer, FloatRow};
pub use crate::game;
pub use crate::kernel::{
    accumulator_crelu, accumulator_own, accumulator_pairwise, accumulator_screlu, activate_crelu, activate_own,
    activate_pairwise, activate_sqr_crelu, affine_add, affine_bias, affine_float, affine_sparse, crelu, direct_crelu,
    direct_pairwise, direct_screlu, float_crelu, float_gated, float_hard_swish, float_join, float_own, float_screlu,
    float_sqr_crelu, float_sums, own_sums, ratio_wide, ratio_wrapping, row_add, row_bias, row_float, row_sums,
    sqr_crelu,
};
pub use crate::layer::{Layer, RowLayer};
pub use crate::memory::Sparse;
pub use crate::network::Network;
pub use crate::separate::Separate;
pub use crate::simd::{Level, Simd};
pub use crate::transformer::{Accumulator, FeatureTransformer};
pub use crate::wdl::Wdl;
