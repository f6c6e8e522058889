//! Initial parameters from a file: a network, a checkpoint, floats by their declared names (safetensors), or
//! floats of the trainer bullet.

use std::io::Cursor;
use std::path::Path;

use crate::factors::{Factors, VirtualFeature};
use crate::network::Parameters;
use crate::quantized::Quantized;
use nnue_data::files::bounded;
use nnue_spec::{LayerKind, NetDesc};
use nnue_tools::quantize::{
    Factoriser, FloatTensor, QuantizeError, Recipe, factors, named, quantize,
};

use super::{checkpoint, floats};
use crate::run::Error;

/// The factoriser in bullet's examples.
const FACTORISER: &str = "l0f";

/// Reads the parameters of a file, for a training with these virtual weights; `shape` has the lengths of all
/// tensors. Virtual weights that the file lacks are 0.
pub(crate) fn load(
    net: &NetDesc<'_>,
    path: &Path,
    virtual_weights: &Factors,
    shape: &Parameters<f32>,
) -> Result<Parameters<f32>, Error> {
    let bytes = bounded::read(path, checkpoint::MOST)?;
    let refuse = |message: String| Error::Run(format!("{}: {message}", path.display()));
    if checkpoint::is_checkpoint(&bytes) {
        return checkpoint::read(&bytes, shape, None)
            .map(|found| found.parameters)
            .map_err(refuse);
    }
    if floats::is_safetensors(&bytes) {
        let sources = floats::read(&bytes).map_err(&refuse)?;
        return of_floats(net, sources, virtual_weights).map_err(refuse);
    }
    if let Some(sources) = named(&bytes).ok().filter(|sources| !sources.is_empty()) {
        if net
            .layers
            .iter()
            .any(|layer| layer.kind == LayerKind::Binary)
        {
            return Err(refuse("bullet has no binary layers".into()));
        }
        return of_floats(net, sources, virtual_weights).map_err(refuse);
    }
    let (_, tensors) =
        nnue_tools::read(net, Cursor::new(&bytes)).map_err(|error| refuse(error.to_string()))?;
    let mut parameters = Quantized::of(net, tensors)
        .parameters()
        .map_err(|error| refuse(error.to_string()))?;
    virtual_weights.extend(&mut parameters);
    Ok(parameters)
}

/// Floats by their names: declared ones, or bullet's in `optimiser_state/weights.bin`. Bullet's factoriser
/// becomes virtual weights if the training has them; otherwise it is merged.
fn of_floats(
    net: &NetDesc<'_>,
    mut sources: Vec<FloatTensor>,
    virtual_weights: &Factors,
) -> Result<Parameters<f32>, String> {
    let own = virtual_weights
        .names()
        .position(|name| name == format!("{} of `ft_weight`", VirtualFeature::PieceSquare));
    let factoriser = sources.iter().position(|source| source.name == FACTORISER);
    let (factoriser, shared) = match (factoriser, own) {
        (None, _) => (Factoriser::None, None),
        (Some(_), None) => (Factoriser::Tensor(FACTORISER.into()), None),
        (Some(at), Some(own)) => (Factoriser::None, Some((own, sources.remove(at).values))),
    };
    let recipe = Recipe {
        saturate: true,
        factoriser,
        ..Recipe::new(net)
    };
    let found =
        quantize(net, sources, &recipe).map_err(|error: QuantizeError| error.to_string())?;
    let floats = found.scaled.into_iter().zip(factors(net));
    // The product of a float and a factor is exact in 64 bits, so the division restores the float.
    let tensors = floats.map(|(scaled, factor)| {
        scaled
            .iter()
            .map(|number| (number / factor) as f32)
            .collect()
    });
    let mut parameters = Parameters {
        tensors: tensors.collect(),
    };
    virtual_weights.extend(&mut parameters);
    if let Some((own, values)) = shared {
        let tensor = &mut parameters.tensors[net.tensors.len() + own];
        if tensor.len() != values.len() {
            return Err(format!(
                "`{FACTORISER}` has {} floats, and the factor of this run {}",
                values.len(),
                tensor.len()
            ));
        }
        tensor.copy_from_slice(&values);
    }
    Ok(parameters)
}
