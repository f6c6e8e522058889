//! The weights of a network in file order.

use alloc::vec::Vec;

use nnue_spec::{NetDesc, TensorMut, TensorRef, TensorRole};

use super::feature_floats::FeatureFloats;
use super::transformer::{Part, Transformer};
use crate::memory::Numbers;

pub(super) struct Params {
    pub(super) transformer: Transformer,
    pub(super) floats: FeatureFloats,
    /// of the layers, in the order of the descriptor; `None` for other tensors
    layers: Vec<Option<Numbers>>,
}

impl Params {
    pub(super) fn zeroed(net: &NetDesc<'_>, transformer: Transformer) -> Self {
        let layers = net.tensors.iter().map(|tensor| match tensor.role {
            TensorRole::LayerBias(_) | TensorRole::LayerWeight(_) | TensorRole::LayerScale(_) => {
                Some(Numbers::zeroed(tensor.element, tensor.len()))
            }
            _ => None,
        });
        Self {
            transformer,
            floats: FeatureFloats::zeroed(net),
            layers: layers.collect(),
        }
    }

    pub(super) fn refs(&self, net: &NetDesc<'_>) -> Vec<TensorRef<'_>> {
        let first = &self.transformer.first;
        let second = self.transformer.second.as_ref().unwrap_or(first);
        let (psqt, pair_psqt) = match self.floats.is_empty() {
            true => (&first.psqt, &first.pair_psqt),
            false => (&self.floats.pieces, &self.floats.pairs),
        };
        let tensors = net.tensors.iter().zip(&self.layers).map(|(tensor, layer)| {
            let (numbers, start) = match (layer, tensor.role) {
                (Some(layer), _) => (layer, 0),
                (None, TensorRole::TransformerBias) => (&first.bias, 0),
                (None, TensorRole::TransformerWeight) => (&first.weight, 0),
                (None, TensorRole::TransformerPsqt) => (psqt, 0),
                (None, TensorRole::SecondBias) => (&second.bias, 0),
                (None, TensorRole::SecondWeight) => (&second.weight, 0),
                (None, TensorRole::ExtraWeight(set)) => {
                    (&first.pair_weight, rows_before(net, set) * tensor.cols)
                }
                (None, TensorRole::SecondExtraWeight(set)) => {
                    (&second.pair_weight, rows_before(net, set) * tensor.cols)
                }
                (None, TensorRole::ExtraPsqt(set)) => {
                    (pair_psqt, rows_before(net, set) * tensor.cols)
                }
                (None, role) => unreachable!("{role:?} is of a layer"),
            };
            numbers.part(start, tensor.len())
        });
        tensors.collect()
    }

    /// The tensors in the order of the descriptor, mutably.
    pub(super) fn muts(&mut self, net: &NetDesc<'_>) -> Vec<TensorMut<'_>> {
        let mut all: Vec<Option<TensorMut<'_>>> = net.tensors.iter().map(|_| None).collect();
        let Self {
            transformer,
            floats,
            layers,
        } = self;
        for (place, layer) in all.iter_mut().zip(layers) {
            *place = layer.as_mut().map(whole);
        }
        let Part {
            bias,
            weight,
            psqt,
            pair_weight,
            pair_psqt,
        } = &mut transformer.first;
        let (psqt, pair_psqt) = match floats.is_empty() {
            true => (psqt, pair_psqt),
            false => (&mut floats.pieces, &mut floats.pairs),
        };
        let sets: Vec<usize> = (1..net.features.len()).collect();
        let rows = |set: &usize| net.features[*set].rows;
        let width = net.accumulator.width;
        // integers or floats
        let outputs = net.accumulator.psqt + net.accumulator.psqt_floats;
        let mut found: Vec<(TensorRole, TensorMut<'_>)> = alloc::vec![
            (TensorRole::TransformerBias, whole(bias)),
            (TensorRole::TransformerWeight, whole(weight)),
            (TensorRole::TransformerPsqt, whole(psqt)),
        ];
        let weights = pair_weight.parts_mut(sets.iter().map(|set| rows(set) * width));
        found.extend(
            sets.iter()
                .map(|&set| TensorRole::ExtraWeight(set))
                .zip(weights),
        );
        let psqts = pair_psqt.parts_mut(sets.iter().map(|set| rows(set) * outputs));
        found.extend(
            sets.iter()
                .map(|&set| TensorRole::ExtraPsqt(set))
                .zip(psqts),
        );
        if let Some(Part {
            bias,
            weight,
            pair_weight,
            ..
        }) = &mut transformer.second
        {
            let weights = pair_weight.parts_mut(sets.iter().map(|set| rows(set) * width));
            found.extend(
                sets.iter()
                    .map(|&set| TensorRole::SecondExtraWeight(set))
                    .zip(weights),
            );
            found.push((TensorRole::SecondBias, whole(bias)));
            found.push((TensorRole::SecondWeight, whole(weight)));
        }
        for (role, tensor) in found {
            if let Some(at) = net.tensors.iter().position(|desc| desc.role == role) {
                all[at] = Some(tensor);
            }
        }
        all.into_iter().flatten().collect()
    }
}

/// All numbers as a tensor.
fn whole(numbers: &mut Numbers) -> TensorMut<'_> {
    let len = numbers.len();
    numbers
        .parts_mut(core::iter::once(len))
        .next()
        .unwrap_or(TensorMut::I8(&mut []))
}

/// Rows of the sets of pairs before set `set`.
fn rows_before(net: &NetDesc<'_>, set: usize) -> usize {
    net.features[1..set]
        .iter()
        .map(|feature| feature.rows)
        .sum()
}
