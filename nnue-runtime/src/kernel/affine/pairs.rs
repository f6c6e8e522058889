//! Sums by single nonzero inputs, any two at a time, in 16 bits.
//!
//! ```text
//!   list: the inputs that are not zero, as for four at a time (`inputs.rs`)
//!   for each two inputs i, j of the list:
//!       u = x[i] x[j] in every two lanes of 16 bits
//!       for each run of as many outputs as a vector has lanes of 16 bits:
//!           columns i, j of the weights, widened and interleaved, are two vectors of products:
//!
//!           | i0 i1 i2 .. |      | i0 j0  i1 j1 .. |
//!           | j0 j1 j2 .. |  ->  acc[v] += dot(u, that)
//!             widen_i8       zip_i16
//! ```
//!
//! Layout (`form/order.rs`): a column of weights for each input. Interleaving works within 16
//! bytes, so the outputs of a run are in the order in which the sums come out.
//!
//! Two products of bytes always fit in 32 bits, so this needs no proof about weights and takes the
//! same time for all of them. Four inputs and one vector of bytes of outputs take 40 instructions.
//! Four at a time take 24, or 16 where a dot product is one instruction, but more than 40 where
//! pair sums do not fit in 16 bits. Runs are half as long, so the number of outputs need not be
//! whole vectors of bytes. 16-bit weights in memory would save the 8 instructions that widen them,
//! but double the lines that are read and the cache space.

use super::inputs::Part;
use crate::kernel::unroll::unroll;
use crate::memory::{BlockList, Line, view, view_mut};
use crate::simd::Simd;

/// Runs of outputs per pass over the list.
const TOGETHER: usize = 4;

/// Adds the products of the nonzero inputs to the sums, whole vectors of 16-bit lanes.
pub(crate) struct InputPairs<'a> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: BlockList<'a>,
    pub(crate) weights: &'a [Line],
}

impl InputPairs<'_> {
    #[inline(always)]
    pub(crate) fn add<S: Simd>(self, simd: S) {
        let sums: &mut [S::I32] = view_mut(self.sums);
        let sums = sums.as_chunks_mut::<2>().0;
        let weights: &[S::I8] = view(self.weights);
        let mut part = Part::new();
        let mut at = 0;
        while at < self.blocks.len() {
            at = part.fill(self.blocks, at);
            let mut run = 0;
            while run + TOGETHER <= sums.len() {
                add_runs::<S, TOGETHER>(simd, sums, &part, weights, run);
                run += TOGETHER;
            }
            while run < sums.len() {
                add_runs::<S, 1>(simd, sums, &part, weights, run);
                run += 1;
            }
        }
    }
}

/// Adds the products of a part of the list to `RUNS` runs of outputs, from `first` on. A column has
/// as many weights as there are sums.
#[inline(always)]
fn add_runs<S: Simd, const RUNS: usize>(
    simd: S,
    sums: &mut [[S::I32; 2]],
    part: &Part,
    weights: &[S::I8],
    first: usize,
) {
    let stride = sums.len();
    let sums = &mut sums[first..][..RUNS];
    let mut acc = [[simd.zero_i32(); 2]; RUNS];
    unroll!(4, |K| if const { K < RUNS } {
        acc[K] = sums[K]
    });
    for ([i, j], [x, y]) in part.pairs() {
        let u = simd.splat_i16x2([i16::from(x), i16::from(y)]);
        let [i, j] = [
            &weights[i as usize * stride + first..][..RUNS],
            &weights[j as usize * stride + first..][..RUNS],
        ];
        unroll!(4, |K| if const { K < RUNS } {
            let [low, high] = simd.zip_i16(simd.widen_i8(i[K]), simd.widen_i8(j[K]));
            acc[K][0] = simd.add_i32(acc[K][0], simd.dot_i16(u, low));
            acc[K][1] = simd.add_i32(acc[K][1], simd.dot_i16(u, high));
        });
    }
    unroll!(4, |K| if const { K < RUNS } {
        sums[K] = acc[K]
    });
}
