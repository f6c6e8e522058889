//! Quantisation of trained float networks to the integers of a declared network.
//!
//! ```text
//!   file of floats ──► FloatTensor by name ──► factoriser merged ──► order of memory ──► times factor, rounded ──► tensor
//!                      (named, split)          (source)              (source)            (round)
//! ```
//!
//! Rounding is that of bullet (`docs/preparing.md`): `trunc(f64(Q) * f64(w))`, or to nearest with halves away
//! from zero, for networks that bullet saved so. A factoriser is merged in 32-bit floats, as bullet does.

mod binary;
pub mod dense;
mod error;
mod factors;
mod round;
mod source;

use std::sync::Arc;

use nnue_spec::{NetDesc, TensorDesc, TensorRef, TensorRole};

pub use crate::folder::bullet_name;
pub use error::QuantizeError;
pub(crate) use error::quoted;
pub use factors::factors;
use nnue_format::Tensors;
use nnue_format::blocks::{self, Beyond};
use nnue_format::shards;
pub use round::{Rounded, Rounding};
pub use source::{Factoriser, FloatTensor, named, split, unnamed};

/// Options of the quantisation.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// the factor of each tensor, in the order of [`NetDesc::tensors`]; see [`factors`](fn@factors)
    pub factors: Vec<f64>,
    /// the name of each tensor in the source; `None`: the name in bullet's examples or the declared name
    pub names: Vec<Option<String>>,
    /// how numbers are rounded
    pub rounding: Rounding,
    /// clamp values outside the type of their tensor instead of refusing them
    pub saturate: bool,
    /// location of the factoriser: rows that are added to those of every king bucket
    pub factoriser: Factoriser,
    /// additional factors for the columns of each tensor, from
    /// [calibration](crate::calibrate::Gains::columns); an empty list of a tensor, or of all, means 1
    pub gains: Vec<Vec<f64>>,
}

impl Recipe {
    /// The factors that follow from the declaration, truncation, no factoriser.
    pub fn new(net: &NetDesc<'_>) -> Self {
        Self {
            factors: factors(net),
            names: vec![None; net.tensors.len()],
            rounding: Rounding::Truncate,
            saturate: false,
            factoriser: Factoriser::None,
            gains: Vec::new(),
        }
    }
}

/// A quantised network with a report for each tensor.
#[derive(Clone, Debug)]
pub struct Quantized {
    /// the network
    pub tensors: Tensors,
    /// the scaled weights before rounding, in the same order, with padding: input of
    /// [`evaluate_real`](nnue_spec::reference::evaluate_real)
    pub scaled: Vec<Vec<f64>>,
    /// for each tensor, its name in the source and the effect of rounding
    pub reports: Vec<(String, Rounded)>,
}

/// Quantises float tensors to the network `net`.
///
/// # Errors
///
/// [`QuantizeError`]: a tensor is missing, has the wrong size, or has values that its type cannot hold; or a
/// tensor of the source is unused.
///
/// # Panics
///
/// If the number of factors or names in the recipe is not the number of tensors.
pub fn quantize(
    net: &NetDesc<'_>,
    sources: Vec<FloatTensor>,
    recipe: &Recipe,
) -> Result<Quantized, QuantizeError> {
    let arranged = Arranged::new(net, sources, recipe)?;
    let (tensors, reports) = arranged.round(net, recipe)?;
    Ok(Quantized {
        tensors,
        scaled: arranged.scaled,
        reports,
    })
}

/// Float weights in memory order, with padding, so that the same floats can be rounded several times.
#[derive(Clone, Debug)]
pub struct Arranged {
    /// the weights times their factors, in the order of [`NetDesc::tensors`]: input of
    /// [`evaluate_real`](nnue_spec::reference::evaluate_real)
    pub scaled: Vec<Vec<f64>>,
    /// for each tensor, its name in the source and the original weights
    floats: Arc<Vec<(String, Vec<f32>)>>,
}

impl Arranged {
    /// Finds the tensors of `net` among `sources`, merges the factoriser, and reorders them.
    ///
    /// # Errors
    ///
    /// [`QuantizeError`]: a tensor is missing, has the wrong size, or is unused; weights that become signs
    /// are not finite.
    ///
    /// # Panics
    ///
    /// If the number of factors or names in the recipe is not the number of tensors.
    pub fn new(
        net: &NetDesc<'_>,
        mut sources: Vec<FloatTensor>,
        recipe: &Recipe,
    ) -> Result<Self, QuantizeError> {
        assert_eq!(
            (recipe.factors.len(), recipe.names.len()),
            (net.tensors.len(), net.tensors.len()),
            "the recipe is of `net`"
        );
        source::check_factoriser(net, &recipe.factoriser)?;
        let shared = match &recipe.factoriser {
            Factoriser::Tensor(name) => Some(source::take(
                &mut sources,
                "the factoriser",
                std::slice::from_ref(name),
            )?),
            Factoriser::None | Factoriser::First => None,
        };
        binary::add_scales(net, &mut sources, recipe)?;
        let (mut scaled, mut floats) = (Vec::new(), Vec::new());
        for (index, desc) in net.tensors.iter().enumerate() {
            let source = source::take(
                &mut sources,
                desc.name,
                &wanted(desc, recipe.names[index].as_deref()),
            )?;
            let values = source::arrange(net, desc, &source, &recipe.factoriser, shared.as_ref())?;
            let factor = recipe.factors[index];
            scaled.push(match binary::is_sign(net, desc) {
                true => binary::signs(desc, &source.name, &values)?,
                false => times(&values, factor),
            });
            floats.push((source.name, values));
        }
        match sources.first() {
            Some(unused) => Err(QuantizeError::Unused {
                source: unused.name.clone(),
            }),
            None => Ok(Self {
                scaled,
                floats: Arc::new(floats),
            }),
        }
    }

    /// Rescales the floats to `net`, a network of the same shape with other scales, by the factors of
    /// `recipe`.
    ///
    /// # Panics
    ///
    /// If the network has a different shape.
    pub fn rescaled(&self, net: &NetDesc<'_>, recipe: &Recipe) -> Self {
        let of_tensor = |(index, desc): (usize, &TensorDesc<'_>)| match binary::is_sign(net, desc) {
            true => self.scaled[index].clone(),
            false => times(&self.floats[index].1, recipe.factors[index]),
        };
        Self {
            scaled: net.tensors.iter().enumerate().map(of_tensor).collect(),
            floats: Arc::clone(&self.floats),
        }
    }

    /// The integer network, and for each tensor its name in the source and the effect of rounding. `recipe`
    /// may have other gains and another rounding than the recipe of [`Self::new`].
    ///
    /// # Errors
    ///
    /// [`QuantizeError`]: a weight is not finite, or its type cannot hold it; an input of a block-sparse
    /// layer has weights in more blocks than declared.
    ///
    /// # Panics
    ///
    /// If the floats or the recipe belong to another network.
    pub fn round(
        &self,
        net: &NetDesc<'_>,
        recipe: &Recipe,
    ) -> Result<(Tensors, Vec<(String, Rounded)>), QuantizeError> {
        assert_eq!(
            self.scaled.len(),
            net.tensors.len(),
            "tensors of the network"
        );
        let (mut tensors, mut reports) = (Tensors::zeroed(net), Vec::new());
        for (index, (desc, out)) in net.tensors.iter().zip(tensors.muts()).enumerate() {
            let ((source, floats), scaled) = (&self.floats[index], &self.scaled[index]);
            let rounded = match binary::is_sign(net, desc) {
                true => binary::pack(scaled, out),
                false => {
                    let gains = recipe.gains.get(index).filter(|gains| !gains.is_empty());
                    let weights = round::Weights {
                        desc,
                        source,
                        floats,
                        factor: recipe.factors[index],
                        scaled,
                        gains,
                    };
                    weights.round(recipe, out)?
                }
            };
            reports.push((source.clone(), rounded));
        }
        shards::clear_all(net, &mut tensors.muts());
        for ((desc, weights), (source, _)) in net.tensors.iter().zip(tensors.refs()).zip(&reports) {
            check_blocks(net, desc, source, weights)?;
        }
        Ok((tensors, reports))
    }
}

/// Refuses inputs of a block-sparse layer with weights in more blocks than declared. Weights that round to 0
/// do not count.
fn check_blocks(
    net: &NetDesc<'_>,
    desc: &TensorDesc<'_>,
    source: &str,
    weights: TensorRef<'_>,
) -> Result<(), QuantizeError> {
    let TensorRef::I8(weights) = weights else {
        return Ok(());
    };
    let Some(Beyond {
        input,
        reached,
        found,
        ..
    }) = blocks::beyond(net, desc, weights)
    else {
        return Ok(());
    };
    let (tensor, source) = (desc.name.to_owned(), source.to_owned());
    Err(QuantizeError::Blocks {
        tensor,
        source,
        input,
        reached,
        found,
    })
}

fn times(floats: &[f32], factor: f64) -> Vec<f64> {
    floats
        .iter()
        .map(|&weight| f64::from(weight) * factor)
        .collect()
}

/// Possible names of a tensor in the source: the given one, or else that of bullet's examples and the
/// declared one.
fn wanted(desc: &TensorDesc<'_>, given: Option<&str>) -> Vec<String> {
    match given {
        Some(name) => vec![name.to_owned()],
        None => vec![bullet_name(desc.role), desc.name.to_owned()],
    }
}

/// The number of columns of a tensor without padding.
fn inputs(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> usize {
    match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer].inputs,
        _ => desc.cols,
    }
}

/// Number of columns with padding; of signs, eight per byte.
fn columns(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> usize {
    if binary::is_sign(net, desc) {
        8 * desc.cols
    } else {
        desc.cols
    }
}
