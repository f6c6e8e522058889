//! Rows of any width, stored like those of networks.

use fastrand::Rng;
use nnue_runtime::memory::{Element, Tensor};

/// A size that fits in the L2 cache beside other data.
pub(super) const NEAR_BYTES: usize = 256 << 10;

/// A size larger than most L3 caches.
pub(super) const FAR_BYTES: usize = 128 << 20;

pub(super) const WIDTHS: [usize; 7] = [64, 128, 256, 512, 1024, 2048, 4096];

/// A cache line of 16-bit weights, and of 8-bit ones.
type Line16 = [i16; 32];
type Line8 = [i8; 64];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// in the L2 cache
    Near,
    /// in the L3 cache and in main memory
    Far,
}

impl Place {
    pub(super) const ALL: [Self; 2] = [Self::Near, Self::Far];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Near => "the second cache",
            Self::Far => "memory",
        }
    }
}

/// A tensor that fits in the L2 cache, or one that does not.
pub(super) enum Rows<L: Element> {
    Near(Tensor<L, { NEAR_BYTES / 64 }>),
    Far(Tensor<L, { FAR_BYTES / 64 }>),
}

pub(super) type Pieces = Rows<Line16>;

pub(super) type Pairs = Rows<Line8>;

impl<L: Element<Number: From<i8>>> Rows<L> {
    /// Fills rows with small numbers. Writing every page makes the system map it.
    pub(super) fn new(place: Place) -> Self {
        let mut rows = match place {
            Place::Near => Self::Near(Tensor::zeroed()),
            Place::Far => Self::Far(Tensor::zeroed()),
        };
        let values = match &mut rows {
            Self::Near(tensor) => tensor.flat_mut(),
            Self::Far(tensor) => tensor.flat_mut(),
        };
        // no width is a multiple of the period, so rows differ
        let period: Vec<_> = (-125i8..126).map(L::Number::from).collect();
        values
            .chunks_mut(period.len())
            .for_each(|part| part.copy_from_slice(&period[..part.len()]));
        rows
    }

    /// All values, row by row.
    pub(super) fn values(&self) -> &[L::Number] {
        match self {
            Self::Near(tensor) => tensor.flat(),
            Self::Far(tensor) => tensor.flat(),
        }
    }

    /// Draws the indices of `count` random rows of `width` values.
    pub(super) fn draw(&self, width: usize, count: usize, random: &mut Rng) -> Vec<u32> {
        let rows = (self.values().len() / width) as u32;
        (0..count).map(|_| random.u32(..rows)).collect()
    }
}
