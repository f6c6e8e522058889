//! Where the sums of a pass over rows start, and where they go.
//!
//! ```text
//!             start               between pieces and pairs                    end
//!   Step      an accumulator                                                  target = tile
//!   Renew     cached              cached = tile                               target = tile
//!   Fill      the bias            cached = tile                               target = tile
//!   Replace   cached              cached = tile; tile += source - left        target = tile
//! ```
//!
//! Cached sums are of pieces alone. `left` are the pieces that `source` contains.

use crate::memory::{view, view_mut};
use crate::simd::{Simd, Vector};
use crate::transformer::Accumulator;

/// A vector: the tile begins at vector `first`, and in it this is vector `vector`. The sum is left to the addressing of the
/// processor: the compiler would keep each in a register of its own.
#[derive(Clone, Copy)]
pub(super) struct At {
    pub(super) first: usize,
    pub(super) vector: usize,
}

impl At {
    /// A vector of these values.
    #[inline(always)]
    fn of<V: Vector>(self, values: &[i16]) -> V {
        view(values)[self.first..][self.vector]
    }

    /// The place of a vector of these values.
    #[inline(always)]
    fn of_mut<V: Vector>(self, values: &mut [i16]) -> &mut V {
        &mut view_mut(values)[self.first..][self.vector]
    }
}

/// Where sums start, what happens between the rows of pieces and those of pairs, and where they go.
pub(super) trait Frame<const W: usize, const P: usize> {
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

pub(super) struct Step<'a, const W: usize, const P: usize> {
    pub(super) start: &'a [i16; W],
    pub(super) psqt: [i32; P],
    pub(super) target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Step<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        at.of(self.start)
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, _: S, _: At, value: S::I16) -> S::I16 {
        value
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        *at.of_mut(&mut self.target.values) = value;
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

pub(super) struct Renew<'a, const W: usize, const P: usize> {
    pub(super) cached: &'a mut Accumulator<W, P>,
    pub(super) target: &'a mut Accumulator<W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Renew<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        at.of(&self.cached.values)
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, _: S, at: At, value: S::I16) -> S::I16 {
        *at.of_mut(&mut self.cached.values) = value;
        value
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        *at.of_mut(&mut self.target.values) = value;
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

pub(super) struct Fill<'a, const W: usize, const P: usize> {
    pub(super) bias: &'a [i16; W],
    pub(super) renew: Renew<'a, W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Fill<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        at.of(self.bias)
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, simd: S, at: At, value: S::I16) -> S::I16 {
        self.renew.middle(simd, at, value)
    }

    #[inline(always)]
    fn store<V: Vector>(&mut self, at: At, value: V) {
        self.renew.store(at, value);
    }

    #[inline(always)]
    fn psqt(&self) -> [i32; P] {
        [0; P]
    }

    #[inline(always)]
    fn psqt_middle(&mut self, psqt: [i32; P]) -> [i32; P] {
        self.renew.psqt_middle(psqt)
    }

    #[inline(always)]
    fn set_psqt(&mut self, psqt: [i32; P]) {
        self.renew.set_psqt(psqt);
    }
}

pub(super) struct Replace<'a, const W: usize, const P: usize> {
    pub(super) source: &'a Accumulator<W, P>,
    pub(super) left: &'a Accumulator<W, P>,
    pub(super) renew: Renew<'a, W, P>,
}

impl<const W: usize, const P: usize> Frame<W, P> for Replace<'_, W, P> {
    #[inline(always)]
    fn load<V: Vector>(&self, at: At) -> V {
        self.renew.load(at)
    }

    #[inline(always)]
    fn middle<S: Simd>(&mut self, simd: S, at: At, value: S::I16) -> S::I16 {
        let pieces = self.renew.middle(simd, at, value);
        let with_source = simd.add_i16(pieces, at.of(&self.source.values));
        simd.sub_i16(with_source, at.of(&self.left.values))
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
