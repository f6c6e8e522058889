//! Everything that generated code names. Not public API: exempt from semantic versioning.

pub use alloc::vec;
pub use alloc::vec::Vec;

pub use nnue_spec::{
    AccumulatorDesc, Activation, Axis, BufferDesc, ContainerDesc, CustomDesc, CustomSet, Decimal,
    ElementType, Encoding, FeatureDesc, FeatureSetId, GoldenDesc, HELD, HeadDesc, HeadGoldenDesc,
    HeadKind, HeadSource, KingBuckets, LayerDesc, LayerKind, MapDesc, MapOperand, NetDesc,
    OutputDesc, OutputTerm, Padding, Part, PerspectiveOrder, Pool, Ratio, RawDesc, Reduce,
    RowGroup, RowMeasure, RowRange, RowRule, RowSets, Scalar, Section, Segment, Selector, SignOf,
    Source, StackDesc, StepDesc, Stored, TensorDesc, TensorMut, TensorRef, TensorRole, ThreatPairs,
    Unit, ValueDesc, Wdl,
};

pub use crate::architecture::{Architecture, Embedded, Model, Parameters};
pub use crate::binary::BinaryLayer;
pub use crate::block_sparse::BlockSparseLayer;
pub use crate::board::Position;
#[cfg(feature = "dense")]
pub use crate::dense;
pub use crate::direct::DirectLayer;
pub use crate::feature_floats::{FeatureFloats, FloatRows};
pub use crate::features::{
    FeatureSet, KingBucketed, KingTable, PairSet, PairSets, PawnPairs, Threats, named::*,
};
pub use crate::float::{FloatLayer, FloatRow};
pub use crate::game;
pub use crate::game::rows_of::{DeclaredRows, RowsOf};
pub use crate::game::{with_position, with_text};
pub use crate::heads::{Heads, NamedOutputs, Policy};
pub use crate::integer::{IntegerLayer, IntegerRow};
pub use crate::kernel::{
    Add, AtBlock, AtByte, Average, Blocks, Elementwise, FloatExpression, Maximum, Most, One,
    Product, Readers, Room, Rows, Shr, accumulator_crelu, accumulator_custom, accumulator_pairwise,
    accumulator_screlu, accumulators, activate_crelu, activate_crelu_shifted, activate_custom,
    activate_halves, activate_neighbours, activate_pairwise, activate_quantmoid4,
    activate_sqr_crelu, affine_add, affine_bias, affine_binary, affine_float, affine_hidden,
    affine_integers, affine_listed, affine_sparse, affine_words, block_sparse_add,
    block_sparse_bias, block_sparse_listed, by_lanes, converted, crelu, custom_sums, direct_crelu,
    direct_pairwise, direct_screlu, exp, float_crelu, float_custom, float_gated, float_glu,
    float_hard_swish, float_join, float_leaky_relu, float_reglu, float_relu, float_relu6,
    float_screlu, float_sigmoid, float_silu, float_sqr_crelu, float_sums, float_swiglu, float_tanh,
    floats, in_unit, integers, integers_join, map, map_floats, max_bytes, max_floats, mean_bytes,
    mean_floats, pool_bytes, pool_floats, quantmoid4, ratio_wide, ratio_wrapping, row_add,
    row_bias, row_float, row_integers, row_sums, rows_of_words, rows_on_demand, sign_accumulators,
    sign_bytes, sign_join, sign_sums, sqr_crelu, widened, words_crelu, words_join, words_pairwise,
    words_sqr_crelu,
};
pub use crate::layer::{Layer, RowLayer, RowsLayer};
pub use crate::memory::{Bytes, Embed, Sparse, Sums, Words};
pub use crate::network::Network;
pub use crate::rows;
pub use crate::separate::Separate;
pub use crate::simd::{Level, Simd};
#[cfg(feature = "subnets")]
pub use crate::subnets;
pub use crate::transformer::{Accumulator, FeatureTransformer};
pub use crate::words::WordsLayer;
