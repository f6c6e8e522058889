//! Accumulator columns: adding and subtracting rows of the feature transformer.
//!
//! ```text
//!   target = start + sum of rows[adds] - sum of rows[subs]                  i16 values and i32 PSQT values, wrapping
//!
//!   few rows (a move: 1 to 2 added, 1 to 2 removed), one linear pass:
//!       for each vector v:  target[v] = start[v] + row_a[v] - row_b[v]
//!
//!   many rows (refresh, caches), one pass per tile of S::TILE registers:
//!       for each tile t:
//!           tile = start[t]
//!           for each row r:  tile +- = row_r[t]
//!           target[t] = tile
//! ```
//!
//! Layout: rows and accumulators are in file order at every level, `W` values each, 64-byte aligned.
//!
//! ```text
//!   weight | row 0: W x i16 | row 1: W x i16 | ..         psqt | row 0: P x i32 | row 1 ..
//! ```
//!
//! Tricks:
//! * A store and reload of an accumulator costs more than adding a row, so nothing is stored in between: the common
//!   numbers of rows have fused passes, and other numbers keep a tile in registers.
//! * Each row is checked to exist once; the loops over its vectors then need no checks.

use super::unroll::unroll;
use crate::memory::{prefetch, view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, Vector, dispatch};
use crate::transformer::{Accumulator, FeatureTransformer};

/// `target = start + rows adds - rows subs`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    start: &Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    dispatch(
        level,
        AddRows { transformer, target: CopyTo { start: &start.values, psqt: start.psqt, target }, adds, subs },
    );
}

/// [`update`] for both sides; `rows` holds for each the rows to subtract and the rows to add.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_both<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    starts: [&Accumulator<W, P>; 2],
    targets: &mut [Accumulator<W, P>; 2],
    rows: [(&[u32], &[u32]); 2],
) {
    let [white, black] = targets;
    let sides = [(starts[0], white, rows[0]), (starts[1], black, rows[1])];
    dispatch(
        level,
        BothSides(sides.map(|(start, target, (subs, adds))| AddRows {
            transformer,
            target: CopyTo { start: &start.values, psqt: start.psqt, target },
            adds,
            subs,
        })),
    );
}

/// `cached += rows adds - rows subs; target = cached`, in one pass.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_cached<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    dispatch(level, AddRows { transformer, target: Both { cached, target }, adds, subs });
}

/// `target = bias + rows adds`: from scratch.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn refresh<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
) {
    dispatch(
        level,
        AddRows { transformer, target: CopyTo { start: &transformer.bias[0], psqt: [0; P], target }, adds, subs: &[] },
    );
}

/// `cached = target = bias + rows adds`: from scratch, in one pass.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn refresh_cached<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
) {
    let target = FillBoth { start: &transformer.bias[0], both: Both { cached, target } };
    dispatch(level, AddRows { transformer, target, adds, subs: &[] });
}

/// Where sums start and where they go.
trait Target<const W: usize, const P: usize> {
    /// Vector `index` of the values to start from.
    fn load<V: Vector>(&self, index: usize) -> V;
    /// Sets vector `index` of the sums.
    fn store<V: Vector>(&mut self, index: usize, value: V);
    /// The PSQT values to start from.
    fn psqt(&self) -> [i32; P];
    /// Sets the PSQT values.
    fn set_psqt(&mut self, psqt: [i32; P]);
}

struct CopyTo<'a, const W: usize, const P: usize> {
    start: &'a [i16; W],
    psqt: [i32; P],
    target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Target<W, P> for CopyTo<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, index: usize) -> V {
        view(self.start)[index]
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, index: usize, value: V) {
        view_mut(&mut self.target.values)[index] = value;
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        self.psqt
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.target.psqt = psqt;
    }
}

struct Both<'a, const W: usize, const P: usize> {
    cached: &'a mut Accumulator<W, P>,
    target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Target<W, P> for Both<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, index: usize) -> V {
        view(&self.cached.values)[index]
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, index: usize, value: V) {
        view_mut(&mut self.cached.values)[index] = value;
        view_mut(&mut self.target.values)[index] = value;
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        self.cached.psqt
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.cached.psqt = psqt;
        self.target.psqt = psqt;
    }
}

/// As [`Both`], from other sums than the cached ones, and no PSQT values.
struct FillBoth<'a, const W: usize, const P: usize> {
    start: &'a [i16; W],
    both: Both<'a, W, P>,
}

impl<const W: usize, const P: usize> Target<W, P> for FillBoth<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, index: usize) -> V {
        view(self.start)[index]
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, index: usize, value: V) {
        self.both.store(index, value);
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        [0; P]
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.both.set_psqt(psqt);
    }
}

/// Adds and subtracts rows: one linear pass for the numbers of rows that moves have, tiles for others.
struct AddRows<'a, T, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> {
    transformer: &'a FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    target: T,
    adds: &'a [u32],
    subs: &'a [u32],
}

impl<T: Target<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> Task
    for AddRows<'_, T, W, P, ROWS, PAIR_ROWS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        match (self.adds, self.subs) {
            ([], []) => self.fused(simd, [], []),
            (&[a], []) => self.fused(simd, [a], []),
            ([], &[a]) => self.fused(simd, [], [a]),
            (&[a], &[b]) => self.fused(simd, [a], [b]),
            (&[a], &[b, c]) => self.fused(simd, [a], [b, c]),
            (&[a, b], &[c]) => self.fused(simd, [a, b], [c]),
            (&[a, b], &[c, d]) => self.fused(simd, [a, b], [c, d]),
            (adds, subs) => {
                for &row in adds.iter().chain(subs) {
                    prefetch(&self.transformer.psqt[row as usize], 1);
                }
                self.tiled(simd);
                self.add_psqt(adds, subs);
            }
        }
    }
}

/// Both sides, one after the other.
pub(super) struct BothSides<T>(pub(super) [T; 2]);

impl<T: Task<Output = ()>> Task for BothSides<T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        for side in self.0 {
            side.run(simd);
        }
    }
}

impl<T: Target<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>
    AddRows<'_, T, W, P, ROWS, PAIR_ROWS>
{
    /// One linear pass over all rows. The PSQT rows, which nothing announced to the processor, come first.
    #[inline(always)]
    fn fused<S: Simd, const ADDS: usize, const SUBS: usize>(&mut self, simd: S, adds: [u32; ADDS], subs: [u32; SUBS]) {
        self.add_psqt(&adds, &subs);
        let row = |index: u32| view::<S::I16, _>(&self.transformer.weight[index as usize]);
        let (adds, subs) = (adds.map(row), subs.map(row));
        for i in 0..const { 2 * W / S::BYTES } {
            let mut value = self.target.load(i);
            for row in adds {
                value = simd.add_i16(value, row[i]);
            }
            for row in subs {
                value = simd.sub_i16(value, row[i]);
            }
            self.target.store(i, value);
        }
    }

    /// A pass over all rows per tile of registers, the last one of what is left.
    #[inline(always)]
    fn tiled<S: Simd>(&mut self, simd: S) {
        let vectors = const { 2 * W / S::BYTES };
        for first in (0..vectors - vectors % S::TILE).step_by(S::TILE) {
            self.tile::<S, false>(simd, first);
        }
        if const { !(2 * W / S::BYTES).is_multiple_of(S::TILE) } {
            self.tile::<S, true>(simd, vectors - vectors % S::TILE);
        }
    }

    /// A tile of all rows, from vector `first` on.
    #[inline(always)]
    fn tile<S: Simd, const LAST: bool>(&mut self, simd: S, first: usize) {
        macro_rules! each {
            ($k:ident $body:expr) => {
                unroll!(32, |$k| if const { $k < if LAST { 2 * W / S::BYTES % S::TILE } else { S::TILE } } {
                    $body
                })
            };
        }
        let mut tile = [simd.splat_i16(0); 32];
        each!(K tile[K] = self.target.load(first + K));
        for &index in self.adds {
            let row = &view::<S::I16, _>(&self.transformer.weight[index as usize])[first..];
            each!(K tile[K] = simd.add_i16(tile[K], row[K]));
        }
        for &index in self.subs {
            let row = &view::<S::I16, _>(&self.transformer.weight[index as usize])[first..];
            each!(K tile[K] = simd.sub_i16(tile[K], row[K]));
        }
        each!(K self.target.store(first + K, tile[K]));
    }

    /// The PSQT values.
    #[inline(always)]
    fn add_psqt(&mut self, adds: &[u32], subs: &[u32]) {
        let mut sums = self.target.psqt();
        adds.iter().for_each(|&row| add(&mut sums, &self.transformer.psqt[row as usize]));
        subs.iter().for_each(|&row| subtract(&mut sums, &self.transformer.psqt[row as usize]));
        self.target.set_psqt(sums);
    }
}

/// Adds PSQT values.
#[inline(always)]
pub(super) fn add<const P: usize>(sums: &mut [i32; P], values: &[i32; P]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
}

/// Subtracts PSQT values.
#[inline(always)]
pub(super) fn subtract<const P: usize>(sums: &mut [i32; P], values: &[i32; P]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.wrapping_sub(*value));
}
