//! Floats of features (`psqt 3: f32`), in any number of columns: see [`crate::feature_floats`].

use nnue_spec::{ElementType, NetDesc};

use crate::feature_floats::FloatRows;
use crate::memory::Numbers;

/// The floats of all features; empty if the network has none.
pub(super) struct FeatureFloats {
    columns: usize,
    pub(super) pieces: Numbers,
    /// of all sets of pairs, one after the other
    pub(super) pairs: Numbers,
}

impl FeatureFloats {
    pub(super) fn zeroed(net: &NetDesc<'_>) -> Self {
        let columns = net.accumulator.psqt_floats;
        let [pieces, pairs] = [&net.features[..1], &net.features[1..]].map(|sets| {
            let rows: usize = sets.iter().map(|set| set.rows).sum();
            Numbers::zeroed(ElementType::F32, rows * columns)
        });
        Self {
            columns,
            pieces,
            pairs,
        }
    }

    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.columns == 0
    }

    /// The rows, for adding them up.
    pub(super) fn rows(&self) -> FloatRows<'_> {
        FloatRows::new(self.columns, self.pieces.values(), self.pairs.values())
    }
}
