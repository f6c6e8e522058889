//! Aligned storage and checked casts: the only unsafe code outside of the SIMD backends.
//!
//! ```text
//!   Tensor<T, N>        [T; N] on the heap, zeroed, 64-byte aligned       weights, biases
//!   Bytes<N>, Sums<N>   [u8; N], [i32; N] on the stack, 64-byte aligned   activations, sums of a layer
//!   Floats<N>           [f32; N] on the stack, 64-byte aligned            sums of a layer of floats, their activations
//!   Sparse<N, CAP>      u8 activations with the list of their non-zero blocks, filled vector by vector
//!   view::<V>(&[T])     the same numbers as vectors of a level; alignment and length are checked once
//! ```

mod buffer;
mod cast;
mod prefetch;
mod sparse;
mod tensor;
mod zeroed;

pub use buffer::{Bytes, Floats, Sums};
pub(crate) use cast::lanes_mut;
pub use cast::{Element, Number, view, view_mut};
pub(crate) use prefetch::prefetch;
pub(crate) use sparse::Filler;
pub use sparse::Sparse;
pub use tensor::Tensor;
