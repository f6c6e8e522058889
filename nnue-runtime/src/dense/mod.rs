//! Networks over a dense input: numbers or planes of bits that the program passes all at once,
//! through convolutions, pools and float layers.
//!
//! They have no accumulators, so no state is kept between evaluations, and [`Network`] is the only
//! type to hold:
//!
//! ```
//! use nnue_runtime::dense::{Architecture, DenseDesc, DenseNode, DenseOp, Network, Shape};
//!
//! /// What `nnue! { struct Sums = input[3] -> 2; }` declares.
//! struct Sums;
//!
//! impl Architecture for Sums {
//!     const SPEC: DenseDesc<'static> = DenseDesc {
//!         name: "Sums",
//!         nodes: &[
//!             DenseNode { op: DenseOp::Input, operand: 0, shape: Shape::Flat(3) },
//!             DenseNode { op: DenseOp::Affine { binary: None }, operand: 0, shape: Shape::Flat(2) },
//!         ],
//!         fused: false,
//!     };
//!     type Input = [f32; 3];
//!     type Output = [f32; 2];
//! }
//!
//! // weights of both outputs, then their biases
//! let network = Network::<Sums>::from_tensors(vec![vec![1.0, 1.0, 1.0, 0.0, 0.0, -1.0], vec![0.0, 10.0]])?;
//! assert_eq!(network.evaluate(&[1.0, 2.0, 3.0]), [6.0, 7.0]);
//! # Ok::<(), nnue_runtime::LoadError>(())
//! ```
//!
//! ```text
//!   network   loading, writing, evaluating           input    what a program gives
//!   plan      the prepared weights, and the steps    value    where values lie in memory
//!   binary    those of signs                         scratch  the memory of an evaluation
//!   untyped   networks declared while it runs
//! ```

mod binary;
mod input;
mod network;
mod plan;
mod scratch;
#[cfg(test)]
mod tests;
mod untyped;
mod value;

pub use input::Input;
pub use network::Network;
pub use nnue_spec::dense::{Binary, DenseDesc, DenseNode, DenseOp, DenseRole, DenseTensor, Shape};
pub use scratch::Scratch;
pub use untyped::Untyped;

/// A declared network over a dense input: a marker type with its descriptor.
///
/// `nnue!` implements it for declarations that begin with `input[..]` or `planes[..]`. For a
/// hand-written implementation, creating a network panics if the input's length differs from
/// `SPEC`; a wrong output length is a compile error.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a declared network over a dense input",
    label = "expected a type declared with `nnue!` over `input[..]` or `planes[..]`",
    note = "declare it: `nnue! {{ pub struct {Self} = input[1, 28, 28] -> conv2d(16, kernel 5) relu -> flatten -> 10; }}`"
)]
pub trait Architecture: Send + Sync + 'static {
    /// The descriptor: everything about the network except its weights.
    const SPEC: DenseDesc<'static>;
    /// The input type: `[f32; N]`, or a `u64` or `u128` for each plane of bits.
    type Input: Input;
    /// The output type: `[f32; N]`.
    type Output: AsMut<[f32]> + Zeroed;
}

/// Arrays of floats.
pub trait Zeroed {
    /// All zero.
    fn zeroed() -> Self;
}

impl<const N: usize> Zeroed for [f32; N] {
    fn zeroed() -> Self {
        [0.0; N]
    }
}
