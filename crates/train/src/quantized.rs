//! The network as inference runs it: parameters rounded to the declared types, integer arithmetic.
//!
//! ```text
//!   Parameters ── quantize ──► tensors of the file ──► accumulators, modulo 2^16 ──► layers of the reference interpreter ──► value
//!       │                                                    here                    nnue_spec::reference
//!       └─ fake_quantize ──► the same numbers as floats, for training
//! ```
//!
//! Values are bit-identical to those that a program computes from the same file: accumulators are added as
//! every level adds them, and the layers are those of the reference that all kernels are compared with.

use nnue_format::Tensors;
use nnue_spec::reference::{StackTrace, evaluate_listed, feature_floats};
use nnue_spec::{
    ElementType, HeadKind, LayerKind, NetDesc, RawOutput, TensorDesc, TensorRef, TensorRole,
    ValueDesc, psqt_difference,
};
use nnue_tools::quantize::{self, FloatTensor, QuantizeError, Recipe, Rounding, factors};

use thiserror::Error;

use crate::network::{Others, Outputs, Parameters, Position, Tensor};

/// How parameters are rounded: to the nearest, halves away from zero.
const ROUNDING: Rounding = Rounding::HalfAwayFromZero;

/// A network in the declared types.
#[derive(Debug)]
pub struct Quantized<'a> {
    net: &'a NetDesc<'a>,
    tensors: Tensors,
}

/// The value of a position and its intermediate results.
#[derive(Clone, Debug)]
pub struct Evaluation {
    /// the value for the first perspective, in the unit of the network
    pub value: i32,
    /// the same as [`Network::forward`](crate::network::Network::forward) gives it; not rounded with a float
    /// head
    pub outputs: Outputs<f64>,
    /// outputs besides the value: named outputs and the listed rows of the policy
    pub others: Others<f64>,
    /// the accumulators of both perspectives; the second is empty if it is not read
    pub accumulators: [Vec<i16>; 2],
    /// results of the layers
    pub layers: StackTrace,
}

/// The parameters cannot be recovered from the file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "`{layer}` is a binary layer, whose signs and scales do not say which weights they were made of"
)]
pub struct NoParameters {
    /// the binary layer
    pub layer: String,
}

impl<'a> Quantized<'a> {
    /// Rounds parameters to the declared types.
    ///
    /// # Errors
    ///
    /// If a parameter is not finite or out of the range of its type ([`Limits`](crate::optimizer::Limits)
    /// prevent that).
    ///
    /// # Panics
    ///
    /// If the parameters belong to another network.
    pub fn new(net: &'a NetDesc<'a>, parameters: &Parameters<f32>) -> Result<Self, QuantizeError> {
        // The scales of binary layers follow from their weights.
        let is_given = |desc: &&TensorDesc<'_>| !matches!(desc.role, TensorRole::LayerScale(_));
        let name = |desc| {
            Some(desc)
                .filter(is_given)
                .map(|desc: &TensorDesc<'_>| desc.name.to_owned())
        };
        let names = net.tensors.iter().map(name).collect();
        let recipe = Recipe {
            rounding: ROUNDING,
            names,
            ..Recipe::new(net)
        };
        let quantized = quantize::quantize(net, floats(net, parameters), &recipe)?;
        Ok(Self {
            net,
            tensors: quantized.tensors,
        })
    }

    /// A network from the tensors of a file.
    ///
    /// # Panics
    ///
    /// When it is evaluated, if the tensors belong to another network.
    pub const fn of(net: &'a NetDesc<'a>, tensors: Tensors) -> Self {
        Self { net, tensors }
    }

    /// The parameters that the rounded numbers represent.
    ///
    /// # Errors
    ///
    /// If a layer is binary: its signs and scales do not determine the weights.
    pub fn parameters(&self) -> Result<Parameters<f32>, NoParameters> {
        let binary = self.net.tensors.iter().find_map(|desc| match desc.role {
            TensorRole::LayerScale(layer) => Some(self.net.layers[layer].name.to_owned()),
            _ => None,
        });
        if let Some(layer) = binary {
            return Err(NoParameters { layer });
        }
        let of_tensor = |(tensor, factor): (&TensorRef<'_>, f64)| -> Tensor<f32> {
            match tensor {
                TensorRef::F32(numbers) => (*numbers).into(),
                TensorRef::I8(_) | TensorRef::I16(_) | TensorRef::I32(_) => {
                    let number = |index| (f64::from(tensor.get(index)) / factor) as f32;
                    (0..tensor.len()).map(number).collect()
                }
            }
        };
        Ok(Parameters {
            tensors: self
                .tensors
                .refs()
                .iter()
                .zip(factors(self.net))
                .map(of_tensor)
                .collect(),
        })
    }

    /// The tensors, in file order.
    pub const fn tensors(&self) -> &Tensors {
        &self.tensors
    }

    /// Evaluates a position exactly.
    ///
    /// # Panics
    ///
    /// If a row (of the features or of the policy) or the stack does not exist.
    pub fn evaluate(&self, position: Position<'_>) -> Evaluation {
        let (net, tensors) = (self.net, self.tensors.refs());
        let read = [0, 1].map(|side| side < net.accumulator.perspectives);
        let sums = [0, 1].map(|side| accumulate(net, &tensors, side, position.rows[side]));
        let listed: Vec<usize> = position.listed.iter().map(|&row| row as usize).collect();
        let layers = evaluate_listed(
            net,
            &tensors,
            sums.each_ref().map(Vec::as_slice),
            position.stack,
            &listed,
        );
        let first: Vec<usize> = position.rows[0].iter().map(|&row| row as usize).collect();
        let layers = StackTrace {
            added: feature_floats(net, &tensors, &first),
            ..layers
        };
        let [first, second] = position
            .rows
            .map(|rows| accumulate_psqt(net, &tensors, rows, position.stack));
        let output = layers.output(net);
        let value = net
            .value
            .join(psqt_difference(first, second), output.positional(net.value));
        let [first, second] = sums;
        let accumulators = [first, if read[1] { second } else { Vec::new() }];
        let others = others(net, &layers);
        Evaluation {
            value,
            outputs: outputs(net.value, output, value),
            others,
            accumulators,
            layers,
        }
    }
}

/// The parameters as input of [`quantize`](fn@quantize::quantize): by their declared names, without padding
/// and without the scales of binary layers, which follow from their weights.
///
/// # Panics
///
/// If the parameters belong to another network.
pub fn floats(net: &NetDesc<'_>, parameters: &Parameters<f32>) -> Vec<FloatTensor> {
    let tensors = net.tensors.iter().zip(&parameters.tensors);
    let given = tensors.filter(|(desc, _)| !matches!(desc.role, TensorRole::LayerScale(_)));
    given
        .map(|(desc, numbers)| source(net, desc, numbers))
        .collect()
}

/// Rounds parameters to the declared types but keeps the trainer's unit: `round(w * f) / f`. Tensors of
/// floats are copied.
///
/// To apply a gradient computed at the rounded parameters to the unrounded ones is a *straight-through
/// estimator*: the derivative of rounding is taken as 1.
///
/// # Panics
///
/// If `rounded` has another shape.
pub fn fake_quantize(
    net: &NetDesc<'_>,
    parameters: &Parameters<f32>,
    rounded: &mut Parameters<f32>,
) {
    let tensors = parameters.tensors.iter().zip(&mut rounded.tensors);
    for ((from, to), one) in tensors.zip(steps(net)) {
        match one {
            Some(one) => round_to(from, to, one),
            None => to.copy_from_slice(from),
        }
    }
}

/// The scale of each tensor that [`fake_quantize`] rounds. `None` for tensors of floats and for those of
/// binary layers: these use only the signs of the weights, which rounding could change.
pub fn steps(net: &NetDesc<'_>) -> Vec<Option<f64>> {
    let is_rounded =
        |desc: &TensorDesc<'_>| desc.element != ElementType::F32 && !is_binary(net, desc);
    net.tensors
        .iter()
        .zip(factors(net))
        .map(|(desc, one)| is_rounded(desc).then_some(one))
        .collect()
}

fn round_to(from: &[f32], to: &mut [f32], factor: f64) {
    assert_eq!(from.len(), to.len(), "numbers of a tensor");
    for (&from, to) in from.iter().zip(to) {
        *to = ((f64::from(from) * factor).round() / factor) as f32;
    }
}

/// A tensor without padding, as input of the quantiser.
fn source(net: &NetDesc<'_>, desc: &TensorDesc<'_>, numbers: &[f32]) -> FloatTensor {
    let inputs = match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer].inputs,
        _ => desc.cols,
    };
    let columns = if is_binary(net, desc) {
        inputs
    } else {
        desc.cols
    };
    assert_eq!(
        numbers.len(),
        desc.copies * desc.rows * columns,
        "numbers of `{}`",
        desc.name
    );
    let rows = numbers.chunks_exact(columns).flat_map(|row| &row[..inputs]);
    FloatTensor {
        name: desc.name.to_owned(),
        shape: vec![desc.copies * desc.rows, inputs],
        values: rows.copied().collect(),
    }
}

/// Whether a tensor holds the weights or the scales of a binary layer.
fn is_binary(net: &NetDesc<'_>, desc: &TensorDesc<'_>) -> bool {
    match desc.role {
        TensorRole::LayerWeight(layer) => net.layers[layer].kind == LayerKind::Binary,
        TensorRole::LayerScale(_) => true,
        _ => false,
    }
}

/// The value in the form of the outputs of [`Network::forward`](crate::network::Network::forward).
fn outputs(desc: ValueDesc, output: RawOutput, value: i32) -> Outputs<f64> {
    match (desc, output) {
        (ValueDesc::Float { scale }, RawOutput::Float(output)) => {
            [f64::from(output) * scale.real(), 0.0, 0.0]
        }
        (_, RawOutput::Float(output)) => [output.into(), 0.0, 0.0],
        (_, RawOutput::Wdl(wdl)) => wdl.logits().map(f64::from),
        _ => [value.into(), 0.0, 0.0],
    }
}

fn others(net: &NetDesc<'_>, layers: &StackTrace) -> Others<f64> {
    let mut others = Others::default();
    for (index, head) in net.heads.iter().enumerate() {
        let numbers = layers.head(net, index).into_iter().map(f64::from);
        if head.kind == HeadKind::Rows {
            others.logits.extend(numbers)
        } else {
            others.numbers.extend(numbers)
        }
    }
    others
}

fn tensor<'t>(net: &NetDesc<'_>, tensors: &[TensorRef<'t>], role: TensorRole) -> TensorRef<'t> {
    let index = net.tensors.iter().position(|tensor| tensor.role == role);
    tensors[index.expect("a checked network has all its tensors")]
}

/// The feature set of a row that is numbered across all sets, and the row within that set.
fn locate(net: &NetDesc<'_>, row: i32) -> (usize, usize) {
    let mut row = usize::try_from(row).expect("rows are counted from 0");
    for (index, set) in net.features.iter().enumerate() {
        if row < set.rows {
            return (index, row);
        }
        row -= set.rows;
    }
    panic!("the network has no such row")
}

/// `bias + sum of the rows`, modulo 2^16.
fn accumulate(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    perspective: usize,
    rows: &[i32],
) -> Vec<i16> {
    let accumulator = net.accumulator;
    let mut sums = vec![0; accumulator.width];
    add(
        &mut sums,
        tensor(net, tensors, accumulator.bias_of(perspective)),
        0,
    );
    for &row in rows {
        let (set, row) = locate(net, row);
        add(
            &mut sums,
            tensor(net, tensors, accumulator.weight_of(perspective, set)),
            row,
        );
    }
    sums
}

/// Adds a row of a tensor, wrapping.
fn add(sums: &mut [i16], tensor: TensorRef<'_>, row: usize) {
    let range = row * sums.len()..(row + 1) * sums.len();
    match tensor {
        TensorRef::I8(weights) => {
            sums.iter_mut()
                .zip(&weights[range])
                .for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight.into()));
        }
        TensorRef::I16(weights) => {
            sums.iter_mut()
                .zip(&weights[range])
                .for_each(|(sum, &weight)| *sum = sum.wrapping_add(weight));
        }
        TensorRef::I32(_) | TensorRef::F32(_) => {
            panic!("rows of accumulators have at most 16 bits")
        }
    }
}

/// The PSQT accumulator of a stack, modulo 2^32; 0 without PSQT.
fn accumulate_psqt(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    rows: &[i32],
    stack: usize,
) -> i32 {
    let count = net.accumulator.psqt;
    if count == 0 {
        return 0;
    }
    rows.iter().fold(0_i32, |sum, &row| {
        let (set, row) = locate(net, row);
        sum.wrapping_add(tensor(net, tensors, TensorRole::psqt_of(set)).get(row * count + stack))
    })
}
