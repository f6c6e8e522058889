//! The rows of the feature transformer, as the calibration kernels take them.

use nnue::{Architecture, Network, Parameters};
use nnue_spec::{TensorRef, TensorRole};

use super::rows::{Delta, Rows};

/// All rows.
pub(crate) struct Weights<'a> {
    /// of the set of pieces, one after the other
    pub(crate) pieces: &'a [i16],
    /// of each set of pairs
    pairs: Vec<&'a [i8]>,
    /// values in a row
    pub(crate) width: usize,
}

/// The rows that one accumulator needs for a ply.
pub(crate) struct Ply<'a> {
    /// to be subtracted
    pub(crate) removed: Vec<&'a [i16]>,
    /// to be added
    pub(crate) added: Vec<&'a [i16]>,
    /// of pairs, to be subtracted
    pub(crate) pairs_removed: Vec<&'a [i8]>,
    /// of pairs, to be added
    pub(crate) pairs_added: Vec<&'a [i8]>,
}

impl<'a> Weights<'a> {
    /// The rows of a network.
    pub(crate) fn of<A: Architecture>(network: &'a Network<A>) -> Self {
        let mut weights = Self { pieces: &[], pairs: Vec::new(), width: A::SPEC.accumulator.width };
        let mut pairs = Vec::new();
        for (tensor, desc) in network.params().tensors().into_iter().zip(A::SPEC.tensors) {
            match (desc.role, tensor) {
                (TensorRole::TransformerWeight, TensorRef::I16(values)) => weights.pieces = values,
                (TensorRole::ExtraWeight(set), TensorRef::I8(values)) => pairs.push((set, values)),
                _ => {}
            }
        }
        // sets are numbered as they are declared, and need not lie so in the file
        pairs.sort_by_key(|&(set, _)| set);
        weights.pairs = pairs.into_iter().map(|(_, values)| values).collect();
        weights
    }

    /// The rows of `delta`.
    pub(crate) fn ply(&self, delta: &Delta) -> Ply<'a> {
        let Delta { pieces, pairs } = delta;
        let Rows { removed, added } = pieces;
        Ply {
            removed: removed.iter().map(|&row| self.piece(row)).collect(),
            added: added.iter().map(|&row| self.piece(row)).collect(),
            pairs_removed: pairs.removed.iter().map(|&row| self.pair(row)).collect(),
            pairs_added: pairs.added.iter().map(|&row| self.pair(row)).collect(),
        }
    }

    fn piece(&self, row: usize) -> &'a [i16] {
        &self.pieces[row * self.width..][..self.width]
    }

    fn pair(&self, row: usize) -> &'a [i8] {
        let mut at = row * self.width;
        for values in &self.pairs {
            if at < values.len() {
                return &values[at..][..self.width];
            }
            at -= values.len();
        }
        panic!("there is no row {row}")
    }
}
