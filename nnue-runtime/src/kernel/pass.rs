//! A pass over an accumulator: rows of pieces, i16, and rows of pairs, i8, which are widened while they are added.
//!
//! ```text
//!   few rows (a move: 1 to 2 added, 1 to 2 removed), none of pairs, one linear pass:
//!       for each vector v:  target[v] = start[v] + row_a[v] - row_b[v]
//!
//!   others, one pass over all rows per tile of registers:
//!       for each tile t:
//!           tile = start[t]
//!           for each row r of pieces:   tile +- = row_r[t]
//!           tile = middle(tile)                                         caches: see `frame`
//!           for each row r of pairs:    tile +- = widened row_r[t]
//!           target[t] = tile
//! ```
//!
//! Tricks:
//! * A store and reload of an accumulator costs more than adding a row, so nothing is stored in between: the common
//!   numbers of rows have fused passes, and other numbers keep a tile in registers.
//! * Each row is checked to exist once; the loops over its vectors then need no checks.
//! * Widening needs registers, too: with rows of pairs a level may choose a smaller tile ([`Simd::PAIR_TILE`]).
//! * Larger tiles are not better: rows come from far, and how much of each is read at a time decides how many are on their
//!   way at once. On AVX-512 tiles of 8 instead of 32 registers refresh 10 % faster (SFNNv5 and v9 on a Xeon, rows from
//!   L3), 16 are in between; on AVX2 16 are 3 to 5 % faster than 8. With rows of pairs it makes no difference.

use super::frame::{At, Frame, add, subtract};
use super::unroll::unroll;
use crate::architecture::RowChanges;
use crate::memory::{prefetch, view};
use crate::simd::{Simd, Task};
use crate::transformer::FeatureTransformer;

/// One pass over an accumulator, by tiles.
pub(super) struct Pass<'a, F, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> {
    pub(super) transformer: &'a FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    pub(super) frame: F,
    pub(super) rows: RowChanges<'a>,
}

impl<F: Frame<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> Task
    for Pass<'_, F, W, P, ROWS, PAIR_ROWS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        self.tiled(simd);
        self.psqt();
    }
}

/// As [`Pass`], without rows of pairs: one linear pass for the numbers of rows that moves have, tiles for others.
pub(super) struct PiecesPass<'a, F, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    pub(super) Pass<'a, F, W, P, ROWS, PAIR_ROWS>,
);

impl<F: Frame<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> Task
    for PiecesPass<'_, F, W, P, ROWS, PAIR_ROWS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let Self(mut pass) = self;
        match (pass.rows.added, pass.rows.removed) {
            ([], []) => pass.fused(simd, [], []),
            (&[a], []) => pass.fused(simd, [a], []),
            ([], &[a]) => pass.fused(simd, [], [a]),
            (&[a], &[b]) => pass.fused(simd, [a], [b]),
            (&[a], &[b, c]) => pass.fused(simd, [a], [b, c]),
            (&[a, b], &[c]) => pass.fused(simd, [a, b], [c]),
            (&[a, b], &[c, d]) => pass.fused(simd, [a, b], [c, d]),
            (added, removed) => {
                for &row in added.iter().chain(removed) {
                    prefetch(&pass.transformer.psqt[row as usize], 1);
                }
                pass.run(simd);
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
        // no loop: it would copy the sides, and wait for what was just written of them
        let [white, black] = self.0;
        white.run(simd);
        black.run(simd);
    }
}

impl<F: Frame<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>
    Pass<'_, F, W, P, ROWS, PAIR_ROWS>
{
    /// One linear pass over all rows. The PSQT rows, which nothing announced to the processor, come first.
    #[inline(always)]
    fn fused<S: Simd, const ADDED: usize, const REMOVED: usize>(
        &mut self,
        simd: S,
        added: [u32; ADDED],
        removed: [u32; REMOVED],
    ) {
        self.psqt();
        let row = |index: u32| view::<S::I16, _>(&self.transformer.weight[index as usize]);
        let (added, removed) = (added.map(row), removed.map(row));
        for first in 0..const { 2 * W / S::BYTES } {
            let at = At { first, vector: 0 };
            let mut value = self.frame.load(at);
            for row in added {
                value = simd.add_i16(value, row[first]);
            }
            for row in removed {
                value = simd.sub_i16(value, row[first]);
            }
            let value = self.frame.middle(simd, at, value);
            self.frame.store(at, value);
        }
    }

    /// Vectors in a tile.
    const fn tile_len<S: Simd>() -> usize {
        if PAIR_ROWS > 0 { S::PAIR_TILE } else { S::TILE }
    }

    /// A pass over all rows per tile of registers, the last one of what is left.
    #[inline(always)]
    fn tiled<S: Simd>(&mut self, simd: S) {
        let (vectors, tile) = const { (2 * W / S::BYTES, Self::tile_len::<S>()) };
        for first in (0..vectors - vectors % tile).step_by(tile) {
            self.tile::<S, false>(simd, first);
        }
        if const { !(2 * W / S::BYTES).is_multiple_of(Self::tile_len::<S>()) } {
            self.tile::<S, true>(simd, vectors - vectors % tile);
        }
    }

    /// A tile of all rows, from vector `first` on.
    #[inline(always)]
    fn tile<S: Simd, const LAST: bool>(&mut self, simd: S, first: usize) {
        macro_rules! each {
            ($k:ident $body:expr) => {
                unroll!(16, |$k| if const {
                    let len = Self::tile_len::<S>();
                    $k < if LAST { 2 * W / S::BYTES % len } else { len }
                } {
                    $body
                })
            };
        }
        let transformer = self.transformer;
        let mut tile = [simd.splat_i16(0); 16];
        each!(K tile[K] = self.frame.load(At { first, vector: K }));
        for &index in self.rows.added {
            let row = &view::<S::I16, _>(&transformer.weight[index as usize])[first..];
            each!(K tile[K] = simd.add_i16(tile[K], row[K]));
        }
        for &index in self.rows.removed {
            let row = &view::<S::I16, _>(&transformer.weight[index as usize])[first..];
            each!(K tile[K] = simd.sub_i16(tile[K], row[K]));
        }
        each!(K tile[K] = self.frame.middle(simd, At { first, vector: K }, tile[K]));
        if const { PAIR_ROWS > 0 } {
            for &index in self.rows.pairs_added {
                let row = &view::<S::I8, _>(&transformer.pair_weight[index as usize])[first..];
                each!(K tile[K] = simd.add_i16(tile[K], simd.widen_i8(row[K])));
            }
            for &index in self.rows.pairs_removed {
                let row = &view::<S::I8, _>(&transformer.pair_weight[index as usize])[first..];
                each!(K tile[K] = simd.sub_i16(tile[K], simd.widen_i8(row[K])));
            }
        }
        each!(K self.frame.store(At { first, vector: K }, tile[K]));
    }

    /// The PSQT values.
    #[inline(always)]
    fn psqt(&mut self) {
        let transformer = self.transformer;
        let mut sums = self.frame.psqt();
        self.rows.added.iter().for_each(|&row| add(&mut sums, &transformer.psqt[row as usize]));
        self.rows.removed.iter().for_each(|&row| subtract(&mut sums, &transformer.psqt[row as usize]));
        sums = self.frame.psqt_middle(sums);
        self.rows.pairs_added.iter().for_each(|&row| add(&mut sums, &transformer.pair_psqt[row as usize]));
        self.rows.pairs_removed.iter().for_each(|&row| subtract(&mut sums, &transformer.pair_psqt[row as usize]));
        self.frame.set_psqt(sums);
    }
}
