//! The kernels: every loop over elements of an evaluation, generic over the level, without unsafe code.
//!
//! ```text
//!   rows         accumulator columns: copy, add, subtract rows of weights
//!   pair_rows    the same with rows of pairs, which are i8
//!   pass         the loops of both: over rows, from and to accumulators (`frame`)
//!   activation   accumulators to u8 activations and the list of their non-zero blocks
//!   affine       u8 activations to i32 sums: sparse by blocks, dense, one row
//!   direct       accumulators and 16-bit weights to the output
//!   sums         i32 sums to u8 activations
//!   float        layers of floats behind one of whole numbers
//!   ratio        a neuron's share of the output
//! ```

pub mod activation;
pub mod affine;
pub mod direct;
pub mod float;
mod frame;
pub mod pair_rows;
mod pass;
pub mod ratio;
pub mod row;
pub mod rows;
pub mod sums;
#[cfg(test)]
mod tests;
mod unroll;

pub use activation::{activate_crelu, activate_own, activate_pairwise, activate_sqr_crelu};
pub use affine::{affine_add, affine_bias, affine_sparse};
pub use direct::{direct_crelu, direct_pairwise, direct_screlu};
pub use float::{
    accumulator_crelu, accumulator_own, accumulator_pairwise, accumulator_screlu, affine_float, float_crelu,
    float_gated, float_hard_swish, float_join, float_own, float_screlu, float_sqr_crelu, float_sums, row_float,
};
pub use ratio::{ratio_wide, ratio_wrapping};
pub use row::{row_add, row_bias, row_sums};
pub use sums::{crelu, own_sums, sqr_crelu};
