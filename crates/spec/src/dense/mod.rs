//! Networks over a dense input: numbers or planes of bits that the program gives all at once, through convolutions, pools and layers
//! of floats.
//!
//! They have no accumulator, feature sets, perspectives or stacks, so [`NetDesc`](crate::NetDesc) does not describe them;
//! [`DenseDesc`] does. Like it, it says everything about a network but its weights, and readers, writers, kernels and the reference
//! interpreter work from it.
//!
//! ```text
//!   input[1, 28, 28] ─conv2d─► 16x24x24 ─relu, max_pool2d─► 16x12x12 ─flatten─► 2304 values ─affine─► 10 outputs
//! ```
//!
//! # The order of additions
//!
//! All values are 32-bit floats. A product is rounded and then added, or both are rounded once after `floats fused`. Sums begin with the bias
//! and go on
//!
//! * in `affine` through the inputs in order;
//! * in `conv2d` through the rows of the window, in each through its columns, in each through the channels. Padding is zeros, which are
//!   multiplied like all other values.
//!
//! Sums of signs are whole numbers, which have no order. The mean magnitude of a value that `input_scale` takes is that of sixteen sums:
//! `|x|` of channel k is added to sum `k % 16`, starting with 0, through the rows, in each through its columns, in each through the channels;
//! then sums 8 to 15 are added to sums 0 to 7, 4 to 7 to 0 to 3, 2 and 3 to 0 and 1, 1 to 0, and sum 0 is divided by the number of values.

mod binary;
#[cfg(feature = "compiler")]
mod check;
mod desc;
#[cfg(feature = "compiler")]
pub mod model;
mod norm;
#[cfg(feature = "reference")]
pub mod reference;
#[cfg(feature = "compiler")]
mod shapes;
#[cfg(all(test, feature = "compiler", feature = "reference"))]
mod tests;
mod text;

pub use binary::Binary;
#[cfg(feature = "compiler")]
pub use check::{DenseGraph, check};
pub use desc::{DenseDesc, DenseNode, DenseOp, DenseRole, DenseTensor, Shape};
pub use norm::{DEFAULT_EPS, normalization};
