//! Checks whether the numbers of a file are plausible weights of the declared tensors. The size of a file does not show it.

use nnue_format::Tensors;
use nnue_spec::plan::Plan;
use nnue_spec::{ElementType, NetDesc, TensorDesc, TensorRef, TensorRole};

/// The greatest usual weights: trainers hold those of accumulators below 2, and few weights of a layer are above 8.
pub(super) const OF_ACCUMULATOR: i32 = 8;
const OF_LAYER: i32 = 32;

/// The share of weights that may be greater.
pub(super) const MOST: f64 = 0.01;

/// What speaks against the declaration `text` of a file; `None` if nothing does.
pub(super) fn doubt(file: &[u8], text: &str, compile: fn(&str) -> Option<Plan>) -> Option<String> {
    let Some(plan) = compile(text) else {
        return Some("this declaration does not compile".to_owned());
    };
    let tables = plan.tables();
    let net = tables.descriptor();
    match Tensors::read(&net, file) {
        Ok((_, tensors)) => header(&net, file).or_else(|| unusual(&net, &tensors)),
        Err(error) => Some(error.to_string()),
    }
}

/// The magic word of a header that would be weights of 16 bits, which are no letters: their upper bytes are nearly all 0 or 255.
fn header(net: &NetDesc<'_>, file: &[u8]) -> Option<String> {
    let first = net.raw?.sections.first()?.tensor()?;
    let is_wide = net.tensors[first].element == ElementType::I16;
    let word = file
        .first_chunk::<4>()
        .filter(|word| word.iter().all(u8::is_ascii_alphanumeric))?;
    is_wide.then(|| {
        format!(
            "the file begins with the word `{}`, so it has a header of its own",
            String::from_utf8_lossy(word)
        )
    })
}

/// The first tensor whose weights are unusual.
pub(super) fn unusual(net: &NetDesc<'_>, tensors: &Tensors) -> Option<String> {
    let tensors = net.tensors.iter().zip(tensors.refs());
    tensors.into_iter().find_map(|(desc, tensor)| {
        let (one, times) = usual(net, desc)?;
        let share = share_above(tensor, one * times)?;
        (share > MOST).then(|| {
            format!(
                "{:.0} % of the numbers that would be `{}` are above {times}.0, and trainers leave nearly all weights below 2: the file \
                 may have other layers, another order or other types",
                100.0 * share,
                desc.name
            )
        })
    })
}

/// What 1.0 is in a tensor of weights, and the greatest usual weight.
fn usual(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> Option<(i32, i32)> {
    match desc.role {
        TensorRole::TransformerWeight
        | TensorRole::ExtraWeight(_)
        | TensorRole::SecondWeight
        | TensorRole::SecondExtraWeight(_) => Some((net.accumulator.one, OF_ACCUMULATOR)),
        TensorRole::LayerWeight(layer) => Some((net.layers[layer].scale, OF_LAYER)),
        _ => None,
    }
}

/// The share of numbers above a limit. Weights of 8 bits are never unusual.
fn share_above(tensor: TensorRef<'_>, most: i32) -> Option<f64> {
    let (above, all) = match tensor {
        TensorRef::I16(numbers) => {
            let above = |number: &&i16| i32::from(**number).abs() > most;
            (numbers.iter().filter(above).count(), numbers.len())
        }
        TensorRef::F32(numbers) => {
            let above = |number: &&f32| number.abs() > OF_LAYER as f32;
            (numbers.iter().filter(above).count(), numbers.len())
        }
        TensorRef::I8(_) | TensorRef::I32(_) => return None,
    };
    (all > 0).then(|| above as f64 / all as f64)
}
