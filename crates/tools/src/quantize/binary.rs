//! Weights of binary layers: their signs, and their scales, which are mean magnitudes.
//!
//! ```text
//!   weight[o][k] ──► w > 0 ? 1 : -1         eight in a byte, the first in its lowest bit
//!                ──► scale[o] = mean over k of |w[o][k]|
//! ```

use nnue_spec::op::sign;
use nnue_spec::{LayerKind, NetDesc, TensorDesc, TensorMut, TensorRole};

use super::{FloatTensor, QuantizeError, Recipe, Rounded, columns, inputs, source, wanted};

/// Whether a tensor consists of signs, eight per byte.
pub(super) fn is_sign(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> bool {
    matches!(desc.role, TensorRole::LayerWeight(layer) if net.layers[layer].kind == LayerKind::Binary)
}

/// Adds missing scales to the source under their declared names: for each output, the mean magnitude of its
/// weights.
pub(super) fn add_scales(
    net: &NetDesc<'_>,
    sources: &mut Vec<FloatTensor>,
    recipe: &Recipe,
) -> Result<(), QuantizeError> {
    for (desc, given) in net.tensors.iter().zip(&recipe.names) {
        let TensorRole::LayerScale(layer) = desc.role else {
            continue;
        };
        let has = |names: &[String]| {
            sources
                .iter()
                .position(|source| names.contains(&source.name))
        };
        if given.is_some() || has(&wanted(desc, None)).is_some() {
            continue;
        }
        let index = net
            .tensors
            .iter()
            .position(|tensor| tensor.role == TensorRole::LayerWeight(layer));
        let index = index.expect("a layer has weights");
        let weights = &net.tensors[index];
        // Missing weights are reported later.
        let Some(at) = has(&wanted(weights, recipe.names[index].as_deref())) else {
            continue;
        };
        let floats = source::arrange(net, weights, &sources[at], &recipe.factoriser, None)?;
        let inputs = inputs(net, weights);
        let magnitude = |row: &[f32]| {
            row[..inputs]
                .iter()
                .map(|weight| f64::from(weight.abs()))
                .sum::<f64>()
        };
        let values = floats
            .chunks_exact(columns(net, weights))
            .map(|row| (magnitude(row) / inputs as f64) as f32);
        let values = values.collect();
        sources.push(FloatTensor {
            name: desc.name.to_owned(),
            shape: Vec::new(),
            values,
        });
    }
    Ok(())
}

pub(super) fn signs(
    desc: &TensorDesc<'_>,
    source: &str,
    floats: &[f32],
) -> Result<Vec<f64>, QuantizeError> {
    if let Some(index) = floats.iter().position(|weight| !weight.is_finite()) {
        let (tensor, source, weight) = (desc.name.to_owned(), source.to_owned(), floats[index]);
        return Err(QuantizeError::NotFinite {
            tensor,
            source,
            index,
            weight,
        });
    }
    Ok(floats
        .iter()
        .map(|&weight| sign(f64::from(weight)))
        .collect())
}

/// Packs signs into `out`, eight per byte.
pub(super) fn pack(signs: &[f64], out: TensorMut<'_>) -> Rounded {
    let byte = |signs: &[f64]| {
        signs.iter().enumerate().fold(0_u8, |byte, (bit, &sign)| {
            byte | u8::from(sign > 0.0) << bit
        })
    };
    if let TensorMut::I8(out) = out {
        out.iter_mut()
            .zip(signs.chunks_exact(8))
            .for_each(|(out, signs)| *out = byte(signs).cast_signed());
    }
    Rounded {
        factor: 1.0,
        weights: signs.len(),
        saturated: 0,
        excess: 0.0,
        worst: 0.0,
        mean: 0.0,
        largest: 1.0,
    }
}
