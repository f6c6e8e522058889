//! Networks over a dense input, floats or planes of bits, with convolutions, pools and float layers.
//!
//! They have no accumulator, feature sets, perspectives or stacks; their descriptor is [`DenseDesc`] instead
//! of [`NetDesc`](crate::NetDesc). Readers, writers, kernels and the reference interpreter work from it.
//!
//! ```text
//!   input[1, 28, 28] ─conv2d─► 16x24x24 ─relu, max_pool2d─► 16x12x12 ─flatten─► 2304 values ─affine─► 10 outputs
//! ```
//!
//! # The order of additions
//!
//! All values are 32-bit floats. Products are rounded before the addition, or fused with it after
//! `floats fused`. Sums start with the bias and continue
//!
//! * in `affine` through the inputs in order;
//! * in `conv2d` through the rows of the window, then its columns, then the channels. Padding zeros are
//!   multiplied like other values.
//!
//! Sums of signs are integers, so their order does not matter. The mean magnitude for `input_scale` uses
//! sixteen sums: `|x|` of channel k is added to sum `k % 16`, starting at 0, through the rows, then columns,
//! then channels; then sums 8 to 15 are added to sums 0 to 7, 4 to 7 to 0 to 3, 2 and 3 to 0 and 1, 1 to 0,
//! and sum 0 is divided by the number of values.

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
