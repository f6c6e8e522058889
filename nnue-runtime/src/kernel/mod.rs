//! The kernels: every loop over elements of an evaluation, generic over the level, without unsafe
//! code.
//!
//! ```text
//!   rows         accumulator columns: copy, add, subtract rows of weights
//!   linear       their loop over the neurons of a move; tiles: for any rows; streams: for many long ones; psqt: over PSQT values; place: where sums start and go;
//!                ahead: what is loaded meanwhile
//!                kind: which of this a program needs
//!   activation   accumulators to u8 activations and the list of their non-zero blocks; any_activation: of any width
//!   affine       u8 activations to i32 sums: sparse by blocks, dense, one row
//!   block_sparse layers whose inputs reach some blocks of outputs
//!   words        accumulators to 16-bit activations; affine_words: layers that read them
//!   map          elementwise expressions of 32-bit integers; interpret: those of described networks; affine_integers: layers that read them;
//!                line: 16 of these integers in registers; map_floats: elementwise expressions of floats;
//!                lanes: operations that have no instruction
//!   rows_on_demand   those outputs of a layer that a caller lists
//!   binary       signs, and their dot products
//!   direct       accumulators and 16-bit weights to the output
//!   sums         i32 sums to u8 activations
//!   pool         two values to one: of buffers, of accumulators
//!   float        layers of floats; float_activation: their activations
//!   convolution  convolutions and layers of a dense input; binary_convolution: those of signs; planes: their pools, batch norms and
//!                activations
//!   product      products of tables of floats with matrices; winograd: convolutions of boards made of them
//!   ratio        a neuron's share of the output
//!   numbers      numbers of kernels, as arguments
//! ```
//!
//! Loops count with indices. Iterator adapters and closures are not always inlined; then they are
//! functions without the features of the level, which took a quarter of the forward pass of
//! SFNNv16.

pub mod activation;
pub mod affine;
pub mod affine_integers;
pub mod affine_words;
mod ahead;
#[cfg(feature = "described")]
pub(crate) mod any_activation;
pub mod binary;
#[cfg(feature = "dense")]
pub(crate) mod binary_convolution;
pub mod block_sparse;
#[cfg(feature = "dense")]
pub(crate) mod convolution;
pub mod direct;
pub mod float;
pub mod float_activation;
#[cfg(feature = "described")]
pub(crate) mod interpret;
pub mod kind;
pub mod lanes;
mod line;
pub(crate) mod linear;
pub mod map;
pub mod map_floats;
pub mod numbers;
mod place;
#[cfg(any(feature = "boards", feature = "dense"))]
pub(crate) mod planes;
pub mod pool;
pub(crate) mod product;
mod psqt;
pub mod ratio;
pub mod row;
pub mod rows;
pub mod rows_on_demand;
pub(crate) mod streams;
#[cfg(feature = "subnets")]
pub(crate) mod subnets;
pub mod sums;
#[cfg(test)]
mod tests;
mod tiles;
mod unroll;
pub mod weights;
#[cfg(feature = "boards")]
pub(crate) mod winograd;
pub mod words;

pub use activation::{
    activate_crelu, activate_crelu_shifted, activate_custom, activate_pairwise,
    activate_quantmoid4, activate_sqr_crelu,
};
pub use affine::{affine_add, affine_bias, affine_hidden, affine_listed, affine_sparse};
pub use affine_integers::{affine_integers, row_integers};
pub use affine_words::{affine_words, rows_of_words};
pub use binary::{affine_binary, sign_accumulators, sign_bytes, sign_join, sign_sums};
pub use block_sparse::{block_sparse_add, block_sparse_bias, block_sparse_listed};
pub use direct::{direct_crelu, direct_pairwise, direct_screlu};
pub use float::{
    accumulator_crelu, accumulator_custom, accumulator_pairwise, accumulator_screlu, affine_float,
    float_join, float_sums, row_float,
};
pub use float_activation::{
    exp, float_crelu, float_custom, float_gated, float_glu, float_hard_swish, float_leaky_relu,
    float_reglu, float_relu, float_relu6, float_screlu, float_sigmoid, float_silu, float_sqr_crelu,
    float_swiglu, float_tanh,
};
pub use lanes::by_lanes;
pub use map::{Elementwise, accumulators, integers, integers_join, map, widened};
pub use map_floats::{FloatExpression, converted, floats, map_floats};
pub use numbers::{AtBlock, AtByte, Blocks, Most, One, Readers, Room, Shr};
pub use pool::{
    Add, Average, Maximum, Product, activate_halves, activate_neighbours, max_bytes, max_floats,
    mean_bytes, mean_floats, pool_bytes, pool_floats,
};
pub use ratio::{in_unit, ratio_wide, ratio_wrapping};
pub use row::{row_add, row_bias, row_sums};
pub use rows_on_demand::{Rows, rows_on_demand};
pub use sums::{crelu, custom_sums, quantmoid4, sqr_crelu};
pub use words::{words_crelu, words_join, words_pairwise, words_sqr_crelu};
