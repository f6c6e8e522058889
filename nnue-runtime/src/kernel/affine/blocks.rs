//! Sums by blocks of four inputs: listed ones, or all.
//!
//! ```text
//!   acc[..] = bias                              the sums of up to 8 vectors of outputs, in registers
//!   for each block b:
//!       u = x[4b .. 4b + 4] in every group of four lanes
//!       for each vector v of outputs:
//!           acc[v] = dot(acc[v], u, weights[b][v])
//! ```
//!
//! With fewer vectors of outputs, blocks are distributed over several sets of sums (*chains*),
//! which are added at the end.

use super::product::{Exact, Pair, Product, Single};
use crate::kernel::unroll::unroll;
use crate::layer::Dot;
use crate::memory::{BlockList, Line, ListedBlocks, WeightedBlocks, view, view_mut};
use crate::simd::{Simd, Task, Vector};

/// The number of vectors of sums that a pass keeps in registers.
const SLOTS: usize = 8;

/// A number of outputs that full passes divide on every level.
const FULL: usize = SLOTS * 16;

/// Stands for a number of outputs that is known only at run time.
pub(crate) const ANY: usize = 0;

/// The input blocks of a layer.
pub(crate) trait Blocks: Copy {
    /// Whether there are so many blocks that taking two at once is worth the code.
    const MANY: bool;
    fn count(self) -> usize;
    /// The index of a block among the inputs, and its inputs.
    fn block(self, index: usize) -> (u16, [u8; 4]);
    type Weighted<'a, V: Vector>: WeightedBlocks<V>
    where
        Self: 'a;
    /// Adds the weights of each block: `weights[stride * block..][..stride]`.
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> Self::Weighted<'a, V>
    where
        Self: 'a;
}

impl Blocks for BlockList<'_> {
    const MANY: bool = true;

    #[inline(always)]
    fn count(self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn block(self, index: usize) -> (u16, [u8; 4]) {
        self.get(index)
    }

    type Weighted<'a, V: Vector>
        = ListedBlocks<'a, V>
    where
        Self: 'a;

    #[inline(always)]
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> ListedBlocks<'a, V>
    where
        Self: 'a,
    {
        self.with_weights(weights, stride)
    }
}

/// All blocks; `MANY` as in [`Blocks`].
#[derive(Clone, Copy)]
pub(crate) struct All<'a, const MANY: bool>(pub(crate) &'a [[u8; 4]]);

impl<const MANY: bool> Blocks for All<'_, MANY> {
    const MANY: bool = MANY;

    #[inline(always)]
    fn count(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn block(self, index: usize) -> (u16, [u8; 4]) {
        (index as u16, self.0[index])
    }

    type Weighted<'a, V: Vector>
        = AllBlocks<'a, V>
    where
        Self: 'a;

    #[inline(always)]
    fn with_weights<'a, V: Vector>(self, weights: &'a [V], stride: usize) -> AllBlocks<'a, V>
    where
        Self: 'a,
    {
        AllBlocks {
            inputs: self.0,
            weights,
            stride,
        }
    }
}

/// Consecutive blocks and their weights.
#[derive(Clone, Copy)]
pub(crate) struct AllBlocks<'a, V> {
    inputs: &'a [[u8; 4]],
    weights: &'a [V],
    stride: usize,
}

impl<V: Vector> WeightedBlocks<V> for AllBlocks<'_, V> {
    #[inline(always)]
    fn len(self) -> usize {
        self.inputs.len()
    }

    #[inline(always)]
    fn part(self, start: usize, len: usize) -> Self {
        let Self {
            inputs,
            weights,
            stride,
        } = self;
        Self {
            inputs: &inputs[start..][..len],
            weights: &weights[stride * start..][..stride * len],
            stride,
        }
    }

    #[inline(always)]
    fn input(self, block: usize) -> [u8; 4] {
        self.inputs[block]
    }

    #[inline(always)]
    fn weight(self, block: usize, vector: usize) -> V {
        self.weights[self.stride * block + vector]
    }
}

/// Adds the products of `blocks` with `weights` to the sums. `OUTP` is the number of sums, or
/// [`ANY`].
pub(crate) struct Affine<'a, B, const OUTP: usize> {
    pub(crate) sums: &'a mut [i32],
    pub(crate) blocks: B,
    pub(crate) weights: &'a [Line],
}

/// Uses the exact dot product, in a separate function because it is rarely needed.
impl<B: Blocks, const OUTP: usize> Task for Affine<'_, B, OUTP> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.add::<S, Exact>(simd);
    }
}

impl<B: Blocks, const OUTP: usize> Affine<'_, B, OUTP> {
    /// Uses a dot product that is exact for the weights.
    #[inline(always)]
    pub(crate) fn add_exactly<S: Simd>(self, simd: S, dot: Dot) {
        if const { S::DOT_IS_EXACT } {
            return self.add::<S, Single>(simd);
        }
        match dot {
            Dot::Exact => simd.outline(self),
            Dot::Pair if const { B::MANY } => self.add::<S, Pair>(simd),
            Dot::Pair | Dot::Single => self.add::<S, Single>(simd),
        }
    }

    /// Passes of [`SLOTS`] vectors of outputs each; the last pass has the remaining outputs.
    #[inline(always)]
    fn add<S: Simd, D: Product>(self, simd: S) {
        let outputs = self.sums.len();
        let sums: &mut [S::I32] = view_mut(self.sums);
        let vectors = sums.len();
        let blocks = self.blocks.with_weights(view(self.weights), vectors);
        let last = vectors - vectors % SLOTS;
        for first in (0..last).step_by(SLOTS) {
            pass::<S, D, FULL>(simd, sums, blocks, first);
        }
        if const { OUTP != ANY } {
            if const { !(OUTP * 4 / S::BYTES).is_multiple_of(SLOTS) } {
                pass::<S, D, OUTP>(simd, sums, blocks, last);
            }
            return;
        }
        // Layers are padded to 16 outputs, one or several vectors. Small remainders occur only
        // where vectors are short.
        macro_rules! remaining {
            ($($sixteens:literal)*) => {
                match outputs / 16 % const { SLOTS * S::BYTES / 64 } {
                    $($sixteens if const { $sixteens < SLOTS * S::BYTES / 64 } => {
                        pass::<S, D, { $sixteens * 16 }>(simd, sums, blocks, last);
                    })*
                    _ => {}
                }
            };
        }
        remaining!(1 2 3 4 5 6 7);
    }
}

/// Computes the vectors that remain in the last pass over `OUTP` outputs, from vector `first` on;
/// [`SLOTS`] if none remain.
///
/// Slot `chain * vectors + v` of the accumulators is vector `v` of a chain. Each round advances
/// every chain by one step.
#[inline(always)]
fn pass<S: Simd, D: Product, const OUTP: usize>(
    simd: S,
    sums: &mut [S::I32],
    blocks: impl WeightedBlocks<S::U8>,
    first: usize,
) {
    macro_rules! vectors {
        () => {
            const {
                let rest = OUTP * 4 / S::BYTES % SLOTS;
                if rest > 0 { rest } else { SLOTS }
            }
        };
    }
    macro_rules! chains {
        () => {
            const {
                if S::CHAINS < vectors!() {
                    1
                } else {
                    S::CHAINS / vectors!()
                }
            }
        };
    }
    let sums = &mut sums[first..];
    let round = const { if D::PAIRS { 2 * chains!() } else { chains!() } };
    let rounds = blocks.len() / round;
    let mut acc = [simd.zero_i32(); SLOTS];
    unroll!(8, |K| if const { K < vectors!() } {
        acc[K] = sums[K]
    });
    for i in 0..rounds {
        let blocks = blocks.part(i * round, round);
        unroll!(8, |K| if const { K < chains!() * vectors!() } {
            let vector = const { K % vectors!() };
            let block = const {
                if D::PAIRS {
                    2 * (K / vectors!())
                } else {
                    K / vectors!()
                }
            };
            let u = simd.splat_u8x4(u32::from_le_bytes(blocks.input(block)));
            let w = blocks.weight(block, first + vector);
            if const { D::PAIRS } {
                let v = simd.splat_u8x4(u32::from_le_bytes(blocks.input(block + 1)));
                acc[K] = D::two(
                    simd,
                    acc[K],
                    [u, v],
                    [w, blocks.weight(block + 1, first + vector)],
                );
            } else {
                acc[K] = D::one(simd, acc[K], u, w);
            }
        });
    }
    // A round of one block leaves no rest.
    if const { D::PAIRS || chains!() > 1 } {
        for block in rounds * round..blocks.len() {
            let u = simd.splat_u8x4(u32::from_le_bytes(blocks.input(block)));
            unroll!(8, |K| if const { K < vectors!() } {
                acc[K] = D::one(simd, acc[K], u, blocks.weight(block, first + K))
            });
        }
    }
    // Chains are added pairwise, halving their number: 8, 4, 2, 1.
    macro_rules! halve {
        ($half:literal) => {
            unroll!(
                4,
                |K| if const { chains!() >= 2 * $half && K < $half * vectors!() } {
                    acc[K] = simd.add_i32(acc[K], acc[const { K + $half * vectors!() }]);
                }
            )
        };
    }
    halve!(4);
    halve!(2);
    halve!(1);
    unroll!(8, |K| if const { K < vectors!() } {
        sums[K] = acc[K]
    });
}
