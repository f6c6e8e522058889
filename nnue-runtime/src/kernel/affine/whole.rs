//! Sums by whole vectors of inputs, zero or not: a separate dot product for each output.
//!
//! ```text
//!   for each pass of as many outputs as a vector has sums:
//!       acc[..] = 0
//!       for each vector k of inputs:
//!           for each output o of the pass:
//!               acc[o] = dot(acc[o], x[k], weights[k][o])
//!       sums = bias + the lanes of each acc[o], added up
//! ```
//!
//! Layout (`layer.rs`): `[pass][vector of inputs][output of the pass][byte]`. The last pass has the
//! remaining outputs, rounded up to a power of two. With fewer outputs, vectors of inputs are
//! distributed over several sets of sums (*chains*).
//!
//! There is one load per dot product, no list, and no branch that depends on data.

use super::product::{Exact, Pair, Product, Single};
use crate::form::passes::{full_passes, last_pass};
use crate::kernel::unroll::unroll;
use crate::layer::Dot;
use crate::memory::{Line, view, view_mut};
use crate::simd::{Simd, Task};

/// Adds the products of all inputs with `weights` to the sums.
pub(crate) struct Whole<'a, L> {
    pub(crate) sums: &'a mut [i32],
    /// without padding
    pub(crate) outputs: usize,
    pub(crate) inputs: &'a [Line],
    pub(crate) weights: &'a [Line],
    pub(crate) last: L,
}

/// The number of outputs of the last pass: a constant, or known at run time.
pub(crate) trait Last: Copy {
    /// The last pass of a layer of `outputs` outputs; `weights` starts with the weights of this pass.
    fn pass<S: Simd, D: Product>(
        self,
        simd: S,
        outputs: usize,
        x: &[S::U8],
        weights: &[S::U8],
    ) -> S::I32;
}

/// The number of outputs, rounded up to a power of two.
#[derive(Clone, Copy)]
pub(crate) struct Rows<const ROWS: usize>;

/// The size of the layer is known only at run time.
#[derive(Clone, Copy)]
pub(crate) struct AnyRows;

impl<const ROWS: usize> Last for Rows<ROWS> {
    #[inline(always)]
    fn pass<S: Simd, D: Product>(
        self,
        simd: S,
        _: usize,
        x: &[S::U8],
        weights: &[S::U8],
    ) -> S::I32 {
        pass::<S, D, ROWS>(simd, x, &weights[..ROWS * x.len()])
    }
}

impl Last for AnyRows {
    #[inline(always)]
    fn pass<S: Simd, D: Product>(
        self,
        simd: S,
        outputs: usize,
        x: &[S::U8],
        weights: &[S::U8],
    ) -> S::I32 {
        macro_rules! rows {
            ($($rows:literal)*) => {
                match last_pass(outputs, const { S::BYTES / 4 }) {
                    $($rows if const { $rows <= S::BYTES / 4 } => Rows::<$rows>.pass::<S, D>(simd, outputs, x, weights),)*
                    _ => unreachable!("a last pass has at most as many outputs as a vector has sums"),
                }
            };
        }
        rows!(1 2 4 8 16)
    }
}

/// Uses the exact dot product, in a separate function because it is rarely needed.
impl<L: Last> Task for Whole<'_, L> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.add::<S, Exact>(simd);
    }
}

impl<L: Last> Whole<'_, L> {
    /// Uses a dot product that is exact for the weights.
    #[inline(always)]
    pub(crate) fn add_exactly<S: Simd>(self, simd: S, dot: Dot) {
        if const { S::DOT_IS_EXACT } {
            return self.add::<S, Single>(simd);
        }
        match dot {
            Dot::Exact => simd.outline(self),
            Dot::Pair => self.add::<S, Pair>(simd),
            Dot::Single => self.add::<S, Single>(simd),
        }
    }

    #[inline(always)]
    fn add<S: Simd, D: Product>(self, simd: S) {
        let (x, weights): (&[S::U8], &[S::U8]) = (view(self.inputs), view(self.weights));
        let sums: &mut [S::I32] = view_mut(self.sums);
        let lanes = const { S::BYTES / 4 };
        let full = full_passes(self.outputs, lanes);
        for index in 0..full {
            let weights = &weights[index * lanes * x.len()..][..lanes * x.len()];
            let added = match const { S::BYTES / 4 } {
                16 => pass::<S, D, 16>(simd, x, weights),
                8 => pass::<S, D, 8>(simd, x, weights),
                _ => pass::<S, D, 4>(simd, x, weights),
            };
            sums[index] = simd.add_i32(sums[index], added);
        }
        let added =
            self.last
                .pass::<S, D>(simd, self.outputs, x, &weights[full * lanes * x.len()..]);
        sums[full] = simd.add_i32(sums[full], added);
    }
}

/// The sums of `ROWS` outputs, a power of two, in the first lanes; the others are zero.
///
/// Slot `chain * ROWS + row` of the accumulators is the output `row` of a chain. Each round
/// advances every chain by one step.
#[inline(always)]
fn pass<S: Simd, D: Product, const ROWS: usize>(simd: S, x: &[S::U8], weights: &[S::U8]) -> S::I32 {
    macro_rules! slots {
        () => {
            const { if S::BYTES == 64 { 16 } else { 8 } }
        };
    }
    macro_rules! chains {
        () => {
            const { if slots!() < ROWS { 1 } else { slots!() / ROWS } }
        };
    }
    let round = const { if D::PAIRS { 2 * chains!() } else { chains!() } };
    let rounds = x.len() / round;
    let mut acc = [simd.zero_i32(); 16];
    for i in 0..rounds {
        let x = &x[i * round..][..round];
        let weights = &weights[i * round * ROWS..][..round * ROWS];
        unroll!(16, |K| if const { K < chains!() * ROWS } {
            let (chain, row) = const { (K / ROWS, K % ROWS) };
            if const { D::PAIRS } {
                let (v0, v1) = (2 * chain, 2 * chain + 1);
                acc[K] = D::two(
                    simd,
                    acc[K],
                    [x[v0], x[v1]],
                    [weights[v0 * ROWS + row], weights[v1 * ROWS + row]],
                );
            } else {
                acc[K] = D::one(simd, acc[K], x[chain], weights[chain * ROWS + row]);
            }
        });
    }
    // A round of one vector leaves no rest.
    if const { D::PAIRS || chains!() > 1 } {
        for v in rounds * round..x.len() {
            unroll!(16, |K| if const { K < ROWS } {
                acc[K] = D::one(simd, acc[K], x[v], weights[v * ROWS + K]);
            });
        }
    }
    // Chains are added pairwise, halving their number: 16, 8, 4, 2, 1.
    macro_rules! halve {
        ($half:literal) => {
            unroll!(
                8,
                |K| if const { chains!() >= 2 * $half && K < $half * ROWS } {
                    acc[K] = simd.add_i32(acc[K], acc[const { (K + $half * ROWS) % 16 }]);
                    acc[const { (K + $half * ROWS) % 16 }] = simd.zero_i32();
                }
            )
        };
    }
    halve!(8);
    halve!(4);
    halve!(2);
    halve!(1);
    simd.reduce_each_i32(acc)
}
