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
use crate::memory::{view, view_mut};
use crate::simd::Simd;
use crate::transformer::{Accumulator, FeatureTransformer};

/// `target = start + rows adds - rows subs`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    start: &Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    let values = CopyTo { start: view(&start.values), target: view_mut(&mut target.values) };
    add_rows(simd, transformer, values, adds, subs);
    target.psqt = add_psqt(transformer, start.psqt, adds, subs);
}

/// `accumulator += rows adds - rows subs`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_in_place<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    accumulator: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    add_rows(simd, transformer, InPlace(view_mut(&mut accumulator.values)), adds, subs);
    accumulator.psqt = add_psqt(transformer, accumulator.psqt, adds, subs);
}

/// `cached += rows adds - rows subs; target = cached`, in one pass.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn update_cached<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
    subs: &[u32],
) {
    let values = Both { cached: view_mut(&mut cached.values), target: view_mut(&mut target.values) };
    add_rows(simd, transformer, values, adds, subs);
    cached.psqt = add_psqt(transformer, cached.psqt, adds, subs);
    target.psqt = cached.psqt;
}

/// `target = bias + rows adds`: from scratch.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn refresh<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    target: &mut Accumulator<W, P>,
    adds: &[u32],
) {
    let values = CopyTo { start: view(&transformer.bias[0]), target: view_mut(&mut target.values) };
    add_rows(simd, transformer, values, adds, &[]);
    target.psqt = add_psqt(transformer, [0; P], adds, &[]);
}

/// Where sums start and where they go, vector by vector.
trait Target<V> {
    fn len(&self) -> usize;
    fn load(&self, index: usize) -> V;
    fn store(&mut self, index: usize, value: V);
}

struct CopyTo<'a, V> {
    start: &'a [V],
    target: &'a mut [V],
}

impl<V: Copy> Target<V> for CopyTo<'_, V> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.target.len()
    }

    #[inline(always)]
    fn load(&self, index: usize) -> V {
        self.start[index]
    }

    #[inline(always)]
    fn store(&mut self, index: usize, value: V) {
        self.target[index] = value;
    }
}

struct InPlace<'a, V>(&'a mut [V]);

impl<V: Copy> Target<V> for InPlace<'_, V> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn load(&self, index: usize) -> V {
        self.0[index]
    }

    #[inline(always)]
    fn store(&mut self, index: usize, value: V) {
        self.0[index] = value;
    }
}

struct Both<'a, V> {
    cached: &'a mut [V],
    target: &'a mut [V],
}

impl<V: Copy> Target<V> for Both<'_, V> {
    #[inline(always)]
    fn len(&self) -> usize {
        self.target.len()
    }

    #[inline(always)]
    fn load(&self, index: usize) -> V {
        self.cached[index]
    }

    #[inline(always)]
    fn store(&mut self, index: usize, value: V) {
        self.cached[index] = value;
        self.target[index] = value;
    }
}

/// Adds and subtracts rows: one linear pass for the numbers of rows that moves have, tiles for others.
#[inline(always)]
fn add_rows<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    target: impl Target<S::I16>,
    adds: &[u32],
    subs: &[u32],
) {
    let row = |&index: &u32| view(&transformer.weight[index as usize]);
    match (adds, subs) {
        ([], []) => fused(simd, target, [], []),
        ([a], []) => fused(simd, target, [row(a)], []),
        ([], [a]) => fused(simd, target, [], [row(a)]),
        ([a], [b]) => fused(simd, target, [row(a)], [row(b)]),
        ([a], [b, c]) => fused(simd, target, [row(a)], [row(b), row(c)]),
        ([a, b], [c]) => fused(simd, target, [row(a), row(b)], [row(c)]),
        ([a, b], [c, d]) => fused(simd, target, [row(a), row(b)], [row(c), row(d)]),
        _ => tiled(simd, transformer, target, adds, subs),
    }
}

/// One linear pass over all rows.
#[inline(always)]
fn fused<S: Simd, const ADDS: usize, const SUBS: usize>(
    simd: S,
    mut target: impl Target<S::I16>,
    adds: [&[S::I16]; ADDS],
    subs: [&[S::I16]; SUBS],
) {
    for i in 0..target.len() {
        let mut value = target.load(i);
        for row in adds {
            value = simd.add_i16(value, row[i]);
        }
        for row in subs {
            value = simd.sub_i16(value, row[i]);
        }
        target.store(i, value);
    }
}

/// A pass over all rows per tile of registers.
#[inline(always)]
fn tiled<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    mut target: impl Target<S::I16>,
    adds: &[u32],
    subs: &[u32],
) {
    let rest = target.len() % S::TILE;
    let whole = target.len() - rest;
    for first in (0..whole).step_by(S::TILE) {
        tile(simd, transformer, &mut target, adds, subs, first, S::TILE);
    }
    if rest > 0 {
        tile(simd, transformer, &mut target, adds, subs, whole, rest);
    }
}

/// Vectors `first..first + len` of all rows.
#[inline(always)]
fn tile<S: Simd, const W: usize, const P: usize, const ROWS: usize>(
    simd: S,
    transformer: &FeatureTransformer<W, P, ROWS>,
    target: &mut impl Target<S::I16>,
    adds: &[u32],
    subs: &[u32],
    first: usize,
    len: usize,
) {
    let mut tile = [simd.splat_i16(0); 32];
    unroll!(32, |K| if K < len {
        tile[K] = target.load(first + K)
    });
    for &index in adds {
        let row = &view::<S::I16, _>(&transformer.weight[index as usize])[first..first + len];
        unroll!(32, |K| if K < len {
            tile[K] = simd.add_i16(tile[K], row[K])
        });
    }
    for &index in subs {
        let row = &view::<S::I16, _>(&transformer.weight[index as usize])[first..first + len];
        unroll!(32, |K| if K < len {
            tile[K] = simd.sub_i16(tile[K], row[K])
        });
    }
    unroll!(32, |K| if K < len {
        target.store(first + K, tile[K])
    });
}

/// `start + rows adds - rows subs` of the PSQT values.
#[inline(always)]
fn add_psqt<const W: usize, const P: usize, const ROWS: usize>(
    transformer: &FeatureTransformer<W, P, ROWS>,
    start: [i32; P],
    adds: &[u32],
    subs: &[u32],
) -> [i32; P] {
    let mut sums = start;
    for &index in adds {
        for (sum, weight) in sums.iter_mut().zip(&transformer.psqt[index as usize]) {
            *sum = sum.wrapping_add(*weight);
        }
    }
    for &index in subs {
        for (sum, weight) in sums.iter_mut().zip(&transformer.psqt[index as usize]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }
    sums
}
