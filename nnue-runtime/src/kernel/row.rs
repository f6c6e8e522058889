//! Layers with one output: a dot product per buffer.
//!
//! ```text
//!   y = bias + sum over k of weight[k] * x[k]
//!
//!   acc[..] = 0
//!   for each vector v of the buffer, including padding:     the weights of padding are zero
//!       acc[v % 4] = dot(acc[v % 4], x[v], weight[v])
//!   y += sum of all lanes of all acc
//! ```
//!
//! Layout: the prepared weights have the order of the padded buffers, one buffer after the other.
//!
//! A buffer of 64 bytes, the usual size, is one dot product at 512 bits. Four chains hide the
//! latency of longer ones.

use super::numbers::AtByte;
use super::unroll::unroll;
use crate::layer::{Dot, RowLayer};
use crate::memory::{Bytes, Sums, view};
use crate::simd::{Simd, Task};

/// The bias of a row, in stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn row_bias<const FILE_IN: usize, const STACKS: usize, const BYTES: usize>(
    layer: &RowLayer<FILE_IN, STACKS, BYTES>,
    stack: usize,
) -> i32 {
    layer.bias[stack][0]
}

/// Sums with `y` in the first lane, so that it can be activated, and zeros in the others.
#[inline(always)]
pub fn row_sums(y: i32) -> Sums<16> {
    let mut sums = Sums::zeroed();
    sums.0[0] = y;
    sums
}

/// Adds the products of a whole buffer with the prepared weights `AT..AT + NB` of a row to `y`, in
/// stack `stack`.
///
/// # Panics
///
/// If there is no such stack.
#[inline(always)]
pub fn row_add<
    S: Simd,
    const NB: usize,
    const AT: usize,
    const FILE_IN: usize,
    const STACKS: usize,
    const BYTES: usize,
>(
    simd: S,
    y: i32,
    x: &Bytes<NB>,
    layer: &RowLayer<FILE_IN, STACKS, BYTES>,
    stack: usize,
    _: AtByte<AT>,
) -> i32 {
    const { assert!(AT + NB <= BYTES && AT.is_multiple_of(64)) }
    add(
        simd,
        y,
        &x.0,
        &layer.rows(stack)[0][AT..AT + NB],
        layer.dot(),
    )
}

/// Adds the products of bytes, whole vectors of the widest level, with as many weights, to `y`.
#[inline(always)]
fn add<S: Simd>(simd: S, y: i32, x: &[u8], weights: &[i8], dot: Dot) -> i32 {
    let (x, w): (&[S::U8], &[S::U8]) = (view(x), view(weights));
    let w = &w[..x.len()];
    let mut acc = [simd.zero_i32(); 4];
    let exact = !S::DOT_IS_EXACT && dot == Dot::Exact;
    for first in 0..x.len().div_ceil(4) {
        unroll!(4, |K| if 4 * first + K < x.len() {
            let (x, w) = (x[4 * first + K], w[4 * first + K]);
            acc[K] = if exact {
                simd.dot_exact_u8i8(acc[K], x, w)
            } else {
                simd.dot_u8i8(acc[K], x, w)
            };
        });
    }
    let sum = simd.add_i32(simd.add_i32(acc[0], acc[1]), simd.add_i32(acc[2], acc[3]));
    y.wrapping_add(simd.reduce_i32(sum))
}

/// Adds the products of any number of bytes with a row to `y`. Both are whole vectors of the widest
/// level.
///
/// # Panics
///
/// If they are not, or if there are fewer weights than bytes.
pub(crate) struct AddRow<'a> {
    pub(crate) y: i32,
    pub(crate) x: &'a [u8],
    pub(crate) weights: &'a [i8],
    pub(crate) dot: Dot,
}

impl Task for AddRow<'_> {
    type Output = i32;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> i32 {
        let Self { y, x, weights, dot } = self;
        add(simd, y, x, weights, dot)
    }
}
