//! The rows of the feature transformer, for the calibration kernels.

use nnue_spec::{TensorRef, TensorRole};

use super::rows::Delta;
use crate::network::Evaluator;

pub(crate) struct Weights<'a> {
    /// piece rows, contiguous
    pub(crate) pieces: &'a [i16],
    /// pair rows of each set
    pairs: Vec<&'a [i8]>,
    pub(crate) width: usize,
}

/// The rows that a run needs, listed in order, so that looking them up costs a replay almost nothing.
#[derive(Default)]
pub(crate) struct RunRows<'a> {
    pieces: Vec<&'a [i16]>,
    pairs: Vec<&'a [i8]>,
    /// for each ply and perspective: number of piece rows removed and added, of pair rows removed and added
    counts: Vec<[[u16; 4]; 2]>,
}

/// The rows that one accumulator needs for a ply.
pub(crate) struct Ply<'r, 'a> {
    pub(crate) removed: &'r [&'a [i16]],
    pub(crate) added: &'r [&'a [i16]],
    pub(crate) pairs_removed: &'r [&'a [i8]],
    pub(crate) pairs_added: &'r [&'a [i8]],
}

impl<'a> RunRows<'a> {
    /// Calls `visit` with the index of each ply, the perspective, and its rows.
    #[inline(always)]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(usize, usize, Ply<'_, 'a>)) {
        let (mut pieces, mut pairs) = (&self.pieces[..], &self.pairs[..]);
        for (number, counts) in self.counts.iter().enumerate() {
            for (perspective, counts) in counts.iter().enumerate() {
                let [removed, added, pairs_removed, pairs_added] = counts.map(usize::from);
                let ply = Ply {
                    removed: take(&mut pieces, removed),
                    added: take(&mut pieces, added),
                    pairs_removed: take(&mut pairs, pairs_removed),
                    pairs_added: take(&mut pairs, pairs_added),
                };
                visit(number, perspective, ply);
            }
        }
    }
}

#[inline(always)]
fn take<'r, T>(rows: &mut &'r [T], count: usize) -> &'r [T] {
    let (first, rest) = rows.split_at(count);
    *rows = rest;
    first
}

impl<'a> Weights<'a> {
    pub(crate) fn of(network: &'a dyn Evaluator) -> Self {
        let spec = network.spec();
        let mut weights = Self {
            pieces: &[],
            pairs: Vec::new(),
            width: spec.accumulator.width,
        };
        let mut pairs = Vec::new();
        for (tensor, desc) in network.tensors().into_iter().zip(spec.tensors) {
            match (desc.role, tensor) {
                (TensorRole::TransformerWeight, TensorRef::I16(values)) => weights.pieces = values,
                (TensorRole::ExtraWeight(set), TensorRef::I8(values)) => pairs.push((set, values)),
                _ => {}
            }
        }
        // sets are numbered in declaration order; the file may have another order
        pairs.sort_by_key(|&(set, _)| set);
        weights.pairs = pairs.into_iter().map(|(_, values)| values).collect();
        weights
    }

    pub(crate) fn run(&self, deltas: &[[Delta; 2]]) -> RunRows<'a> {
        let mut run = RunRows::default();
        for pair in deltas {
            run.counts
                .push(pair.each_ref().map(|Delta { pieces, pairs }| {
                    run.pieces.extend(
                        pieces
                            .removed
                            .iter()
                            .chain(&pieces.added)
                            .map(|&row| self.piece(row)),
                    );
                    run.pairs.extend(
                        pairs
                            .removed
                            .iter()
                            .chain(&pairs.added)
                            .map(|&row| self.pair(row)),
                    );
                    [&pieces.removed, &pieces.added, &pairs.removed, &pairs.added]
                        .map(|rows| rows.len() as u16)
                }));
        }
        run
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
