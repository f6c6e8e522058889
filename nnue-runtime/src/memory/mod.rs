//! Aligned storage and checked casts: the only unsafe code outside the SIMD levels.
//!
//! ```text
//!   Tensor<T, N>        [T; N], 64-byte aligned: on the heap, zeroed, or in the program       weights, biases
//!   Numbers             the same on the heap, with a length known when the program runs
//!   Embed<PAD, N>       a file in the program, from which tensors take rows
//!   Bytes<N>, Sums<N>   [u8; N], [i32; N] on the stack, 64-byte aligned   activations, sums of a layer
//!   Words<N>            [i16; N] on the stack, 64-byte aligned            activations that are kept in 16 bits
//!   Floats<N>           [f32; N] on the stack, 64-byte aligned            sums of a layer of floats, their activations
//!   ListedRows<V>       the rows of a tensor that a list names, compared with the tensor once
//!   Signs<WORDS>        a bit for each value on the stack, 64-byte aligned             what binary layers read
//!   Sparse<N, CAP>      u8 activations with the list of their non-zero blocks, filled vector by vector
//!   view::<V>(&[T])     the same numbers as vectors of a level, with alignment and length checked once
//! ```

mod aligned;
mod buffer;
mod cast;
mod embed;
mod listed_rows;
mod numbers;
mod prefetch;
mod sparse;
mod tensor;
mod zeroed;

pub use buffer::{Bytes, Floats, Signs, Sums, Words};
pub use cast::{Element, Number, view, view_mut};
pub(crate) use cast::{Line, lanes_mut};
pub use embed::Embed;
pub(crate) use listed_rows::ListedRows;
pub(crate) use numbers::Numbers;
pub(crate) use prefetch::{LINE, prefetch, prefetch_early, prefetch_next};
pub use sparse::Sparse;
pub(crate) use sparse::{
    Activations, BlockList, Filler, ListedBlocks, SparseLines, Stored, WeightedBlocks,
};
pub use tensor::Tensor;
