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

#[cfg(feature = "compiler")]
pub use check::{DenseGraph, check};
pub use desc::{DenseDesc, DenseNode, DenseOp, DenseRole, DenseTensor, Shape};
pub use norm::{DEFAULT_EPS, normalization};
