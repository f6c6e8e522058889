//! Accumulator columns of pieces and of pairs, in one pass: i16 rows, and i8 rows that are widened while they are added.
//!
//! ```text
//!   for each tile t of registers:
//!       tile = start[t]
//!       for each row r of pieces:   tile +- = row_r[t]                       i16
//!       tile = middle(tile)                                              caches: see below
//!       for each row r of pairs:    tile +- = widened row_r[t]            i8
//!       target[t] = tile
//! ```
//!
//! What happens in the middle, where the tile holds the sums of pieces only:
//!
//! ```text
//!   step       nothing                                         start = an accumulator of pieces and pairs, or the bias
//!   renew      cached[t] = tile                                 start = cached, which holds pieces only
//!   replace    cached[t] = tile; tile += source[t] - left[t]    start = cached; left: the pieces that source contains
//! ```
//!
//! Layout: as in [`rows`](super::rows), and `W` values of i8 per row of pairs, 32-byte aligned.
//!
//! Tricks:
//! * The tile is half of what rows of pieces alone may use: widening needs registers, too.

use super::rows::{BothSides, add, subtract};
use super::unroll::unroll;
use crate::architecture::RowChanges;
use crate::memory::{view, view_mut};
use crate::simd::{AvailableLevel, Simd, Task, Vector, dispatch};
use crate::transformer::{Accumulator, FeatureTransformer};

/// `target = start`, an accumulator, changed by `rows`.
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
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Step { start: &start.values, psqt: start.psqt, target }, rows });
}

/// [`update`] for both sides.
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
    rows: [RowChanges<'_>; 2],
) {
    let [white, black] = targets;
    let sides = [(starts[0], white, rows[0]), (starts[1], black, rows[1])];
    dispatch(
        level,
        BothSides(sides.map(|(start, target, rows)| Pass {
            transformer,
            frame: Step { start: &start.values, psqt: start.psqt, target },
            rows,
        })),
    );
}

/// `target = bias`, changed by `rows`.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn build<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Step { start: &transformer.bias[0], psqt: [0; P], target }, rows });
}

/// `cached` changes by the rows of pieces; `target = cached` changed by the rows of pairs.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn renew<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    dispatch(level, Pass { transformer, frame: Renew { cached, target }, rows });
}

/// `cached` changes by the rows of pieces; `target = source - left + cached` changed by the rows of pairs.
///
/// # Panics
///
/// If a row does not exist.
#[inline(always)]
pub fn replace<const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>(
    level: AvailableLevel,
    transformer: &FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    [source, left]: [&Accumulator<W, P>; 2],
    cached: &mut Accumulator<W, P>,
    target: &mut Accumulator<W, P>,
    rows: RowChanges<'_>,
) {
    let frame = Replace { source, left, renew: Renew { cached, target } };
    dispatch(level, Pass { transformer, frame, rows });
}

/// A vector: the tile begins at vector `first`, and in it this is vector `vector`. The sum is left to the addressing of the
/// processor: the compiler would keep each in a register of its own.
#[derive(Clone, Copy)]
struct At {
    first: usize,
    vector: usize,
}

/// Where sums start, what happens between the rows of pieces and those of pairs, and where they go.
trait Frame<const W: usize, const P: usize> {
    /// Vector `at` of the values to start from.
    fn load<V: Vector>(&self, at: At) -> V;
    /// What becomes of vector `at` of the sums of pieces.
    fn middle<S: Simd>(&mut self, simd: S, at: At, value: S::I16) -> S::I16;
    /// Sets vector `at` of the sums.
    fn store<V: Vector>(&mut self, at: At, value: V);
    /// The PSQT values to start from.
    fn psqt(&self) -> [i32; P];
    /// What becomes of the PSQT values of pieces.
    fn psqt_middle(&mut self, psqt: [i32; P]) -> [i32; P];
    /// Sets the PSQT values.
    fn set_psqt(&mut self, psqt: [i32; P]);
}

struct Step<'a, const W: usize, const P: usize> {
    start: &'a [i16; W],
    psqt: [i32; P],
    target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Step<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        view(self.start)[at.first..][at.vector]
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, _: S, _: At, value: S::I16) -> S::I16 {
        value
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        view_mut(&mut self.target.values)[at.first..][at.vector] = value;
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        self.psqt
    }

    #[inline(always)]
    fn psqt_middle(&mut self, psqt: [i32; P]) -> [i32; P] {
        psqt
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.target.psqt = psqt;
    }
}

struct Renew<'a, const W: usize, const P: usize> {
    cached: &'a mut Accumulator<W, P>,
    target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Renew<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        view(&self.cached.values)[at.first..][at.vector]
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, _: S, at: At, value: S::I16) -> S::I16 {
        view_mut(&mut self.cached.values)[at.first..][at.vector] = value;
        value
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        view_mut(&mut self.target.values)[at.first..][at.vector] = value;
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        self.cached.psqt
    }

    #[inline(always)]
    fn psqt_middle(&mut self, psqt: [i32; P]) -> [i32; P] {
        self.cached.psqt = psqt;
        psqt
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.target.psqt = psqt;
    }
}

struct Replace<'a, const W: usize, const P: usize> {
    source: &'a Accumulator<W, P>,
    left: &'a Accumulator<W, P>,
    renew: Renew<'a, W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Replace<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        self.renew.load(at)
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, simd: S, at: At, value: S::I16) -> S::I16 {
        let pieces = self.renew.middle(simd, at, value);
        let with_source = simd.add_i16(pieces, view::<S::I16, _>(&self.source.values)[at.first..][at.vector]);
        simd.sub_i16(with_source, view::<S::I16, _>(&self.left.values)[at.first..][at.vector])
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        self.renew.store(at, value);
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        self.renew.psqt()
    }

    #[inline(always)]
    fn psqt_middle(&mut self, psqt: [i32; P]) -> [i32; P] {
        let mut sums = self.renew.psqt_middle(psqt);
        add(&mut sums, &self.source.psqt);
        subtract(&mut sums, &self.left.psqt);
        sums
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.renew.set_psqt(psqt);
    }
}

/// One pass over an accumulator.
struct Pass<'a, F, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> {
    transformer: &'a FeatureTransformer<W, P, ROWS, PAIR_ROWS>,
    frame: F,
    rows: RowChanges<'a>,
}

impl<F: Frame<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize> Task
    for Pass<'_, F, W, P, ROWS, PAIR_ROWS>
{
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        let (vectors, tile) = const { (2 * W / S::BYTES, S::TILE / 2) };
        for first in (0..vectors - vectors % tile).step_by(tile) {
            self.tile::<S, false>(simd, first);
        }
        if const { !(2 * W / S::BYTES).is_multiple_of(S::TILE / 2) } {
            self.tile::<S, true>(simd, vectors - vectors % tile);
        }
        self.psqt();
    }
}

impl<F: Frame<W, P>, const W: usize, const P: usize, const ROWS: usize, const PAIR_ROWS: usize>
    Pass<'_, F, W, P, ROWS, PAIR_ROWS>
{
    /// A tile of all rows, from vector `first` on.
    #[inline(always)]
    fn tile<S: Simd, const LAST: bool>(&mut self, simd: S, first: usize) {
        macro_rules! each {
            ($k:ident $body:expr) => {
                unroll!(16, |$k| if const { $k < if LAST { 2 * W / S::BYTES % (S::TILE / 2) } else { S::TILE / 2 } } {
                    $body
                })
            };
        }
        let weights = view::<S::I16, _>(self.transformer.weight.flat());
        let pairs = view::<S::I8, _>(self.transformer.pair_weight.flat());
        let vectors = const { 2 * W / S::BYTES };
        let mut tile = [simd.splat_i16(0); 16];
        each!(K tile[K] = self.frame.load(At { first, vector: K }));
        for &index in self.rows.added {
            let row = &weights[index as usize * vectors..][..vectors][first..];
            each!(K tile[K] = simd.add_i16(tile[K], row[K]));
        }
        for &index in self.rows.removed {
            let row = &weights[index as usize * vectors..][..vectors][first..];
            each!(K tile[K] = simd.sub_i16(tile[K], row[K]));
        }
        each!(K tile[K] = self.frame.middle(simd, At { first, vector: K }, tile[K]));
        for &index in self.rows.pairs_added {
            let row = &pairs[index as usize * vectors..][..vectors][first..];
            each!(K tile[K] = simd.add_i16(tile[K], simd.widen_i8(row[K])));
        }
        for &index in self.rows.pairs_removed {
            let row = &pairs[index as usize * vectors..][..vectors][first..];
            each!(K tile[K] = simd.sub_i16(tile[K], simd.widen_i8(row[K])));
        }
        each!(K self.frame.store(At { first, vector: K }, tile[K]));
    }

    /// The PSQT values.
    #[inline(always)]
    fn psqt(&mut self) {
        let mut sums = self.frame.psqt();
        self.rows.added.iter().for_each(|&row| add(&mut sums, &self.transformer.psqt[row as usize]));
        self.rows.removed.iter().for_each(|&row| subtract(&mut sums, &self.transformer.psqt[row as usize]));
        sums = self.frame.psqt_middle(sums);
        self.rows.pairs_added.iter().for_each(|&row| add(&mut sums, &self.transformer.pair_psqt[row as usize]));
        self.rows.pairs_removed.iter().for_each(|&row| subtract(&mut sums, &self.transformer.pair_psqt[row as usize]));
        self.frame.set_psqt(sums);
    }
}
