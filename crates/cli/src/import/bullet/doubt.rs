//! Checks whether the numbers of a file are plausible weights of the declared tensors. The size of a file does not show it.

use std::path::Path;

use nnue_codegen::plan_text;
use nnue_format::Tensors;
use nnue_spec::{NetDesc, TensorDesc, TensorRef, TensorRole};
use nnue_tools::compression::Bounds;

use crate::error::Error;
use crate::input::network_file;
use crate::network::Declared;

/// The greatest usual weights: trainers hold those of accumulators below 2, and few weights of a layer are above 8.
const OF_ACCUMULATOR: i32 = 8;
const OF_LAYER: i32 = 32;

/// The share of weights that may be greater.
const MOST: f64 = 0.01;

/// What speaks against the declaration `text` for the file at `path`; `None` if nothing does.
pub(super) fn doubt(path: &Path, text: &str) -> Result<Option<String>, Error> {
    let plan = plan_text(text)
        .ok()
        .and_then(|plans| plans.into_iter().next());
    let Some(net) = plan.map(Declared::describe) else {
        return Ok(Some("this declaration does not compile".to_owned()));
    };
    let file = network_file::open(path, Bounds::of(net))?;
    Ok(match Tensors::read(net, file) {
        Ok((_, tensors)) => unusual(net, &tensors),
        Err(error) => Some(error.to_string()),
    })
}

/// The first tensor whose weights are unusual.
fn unusual(net: &NetDesc<'_>, tensors: &Tensors) -> Option<String> {
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
