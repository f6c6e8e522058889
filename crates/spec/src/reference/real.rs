//! The network before rounding: the same graph in real numbers, in the same units.
//!
//! Quantisation rounds a trained weight `w` to the integer nearest to `f * w`; here it stays `f * w`. Nothing
//! is rounded, shifts are divisions, and values are clipped where the network clips. The difference to
//! [`evaluate`](super::evaluate) is the quantisation error.

use alloc::vec;
use alloc::vec::Vec;

use super::formula::defined;
use super::{Features, Position, set_of_row};
use crate::descriptor::*;
use crate::elementwise;
use crate::op::pairs;
use crate::op::pool::Definition;
use crate::op::{BUFFER_MAX, Formula, Operands, Operation, sign};
use crate::wdl::exp;

/// Where values are clipped from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clipping {
    /// where the declaration says
    Declared,
    /// accumulators as declared; sums of layers have no upper bound, so that a declared clipped ReLU or its
    /// square acts as (squared) ReLU
    Accumulators,
    /// no upper bounds
    Nothing,
}

/// Intermediate results of one position.
#[derive(Clone, Debug, PartialEq)]
pub struct RealTrace {
    /// accumulators of the first and the second perspective, even if only one is read
    pub accumulators: [Vec<f64>; 2],
    /// the sums of the layers, indexed as [`NetDesc::layers`], of the position's stack; without rows on
    /// demand
    pub sums: Vec<Vec<f64>>,
    /// the values of the buffers, indexed as [`NetDesc::buffers`]
    pub buffers: Vec<Vec<f64>>,
    /// the value for the side to move
    pub value: f64,
}

/// The value of a position for the side to move. `tensors` has the weights times their factors, in the order
/// and with the lengths of [`NetDesc::tensors`]; sign weights have eight numbers per byte, each 1 or -1.
///
/// # Panics
///
/// If a tensor is missing or too short, if it is no position of the network ([`Position::features`]), or if an activation is a function of the program ([`NetDesc::custom_activation`]).
pub fn evaluate_real(net: &NetDesc<'_>, tensors: &[Vec<f64>], position: &dyn Position) -> f64 {
    trace_real(net, tensors, position, Clipping::Declared).value
}

/// As [`evaluate_real`], with intermediate results and a choice of clipping.
///
/// # Panics
///
/// As [`evaluate_real`].
pub fn trace_real(
    net: &NetDesc<'_>,
    tensors: &[Vec<f64>],
    position: &dyn Position,
    clipping: Clipping,
) -> RealTrace {
    let Features {
        rows,
        stack,
        black_to_move,
        ..
    } = position.features(net);
    let real = Real {
        net,
        tensors,
        clipping,
        stack,
    };
    let black_first = net.accumulator.order.begins_with_black(black_to_move);
    let accumulators = [0, 1].map(|perspective| real.accumulate(perspective, &rows[perspective]));
    let (sums, buffers) = real.forward(&accumulators, false);
    let first = real.value(&rows, &sums);
    let value = match net.value {
        _ if black_first == black_to_move => first,
        ValueDesc::Sigmoid { scale } | ValueDesc::Wdl { scale } => f64::from(scale) - first,
        _ => -first,
    };
    RealTrace {
        accumulators,
        sums,
        buffers,
        value,
    }
}

/// The numbers of each named output, in the order of [`NetDesc::heads`], for the first perspective; for a
/// layer on demand, of all rows. Otherwise as [`evaluate_real`].
///
/// # Panics
///
/// As [`evaluate_real`].
pub fn evaluate_real_heads(
    net: &NetDesc<'_>,
    tensors: &[Vec<f64>],
    position: &dyn Position,
) -> Vec<Vec<f64>> {
    let Features { rows, stack, .. } = position.features(net);
    let real = Real {
        net,
        tensors,
        clipping: Clipping::Declared,
        stack,
    };
    let accumulators = [0, 1].map(|perspective| real.accumulate(perspective, &rows[perspective]));
    let (sums, buffers) = real.forward(&accumulators, true);
    let numbers = |head: &HeadDesc<'_>| {
        let values = match head.source {
            HeadSource::Layer(layer) => &sums[layer],
            HeadSource::Buffer(buffer) => &buffers[buffer],
        };
        let unit = head.unit.num as f64 / head.unit.den as f64;
        values[head.start..][..head.len]
            .iter()
            .map(|value| value * unit)
            .collect()
    };
    net.heads.iter().map(numbers).collect()
}

struct Real<'a> {
    net: &'a NetDesc<'a>,
    tensors: &'a [Vec<f64>],
    clipping: Clipping,
    stack: usize,
}

impl Real<'_> {
    /// The value for the first perspective, from the active rows of both perspectives and the sums of all
    /// layers.
    fn value(&self, rows: &[Vec<usize>; 2], sums: &[Vec<f64>]) -> f64 {
        let net = self.net;
        let psqt = match net.accumulator.psqt {
            0 => 0.0,
            _ => (self.psqt(&rows[0]) - self.psqt(&rows[1])) / 2.0,
        };
        let added = self.floats(&rows[0]);
        let positional = self.output(sums) + added.first().unwrap_or(&0.0);
        match net.value {
            ValueDesc::Together { divide } | ValueDesc::Separately { divide } => {
                (psqt + positional) / f64::from(divide)
            }
            ValueDesc::Scaled { num, den } => positional * num as f64 / den as f64,
            ValueDesc::Shifted { bits } => positional / f64::from(1_u32 << bits),
            ValueDesc::Float { scale } => positional * scale.real(),
            ValueDesc::Sigmoid { scale } => f64::from(scale) / (1.0 + exp(-positional)),
            ValueDesc::Wdl { scale } => {
                let logits = &sums[net.output.terms[0].layer];
                let [loss, draw, win] =
                    [0, 1, 2].map(|row| exp(logits[row] + added.get(row).unwrap_or(&0.0)));
                f64::from(scale) * (win + draw / 2.0) / (loss + draw + win)
            }
        }
    }

    /// A row of the tensor with this role; for layers, of the position's stack.
    fn row(&self, role: TensorRole, row: usize) -> &[f64] {
        let index = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == role)
            .expect("the tensor is declared");
        let desc = &self.net.tensors[index];
        let copy = if role.is_of_layer() { self.stack } else { 0 };
        &self.tensors[index][(copy * desc.rows + row) * desc.cols..][..desc.cols]
    }

    /// The signs of the weights of an output, 1 or -1, eight per byte of the tensor.
    fn signs(&self, layer: usize, output: usize) -> &[f64] {
        let index = self
            .net
            .tensors
            .iter()
            .position(|tensor| tensor.role == TensorRole::LayerWeight(layer));
        let index = index.expect("the tensor is declared");
        let columns = 8 * self.net.tensors[index].cols;
        &self.tensors[index][(self.stack * self.net.layers[layer].outputs + output) * columns..]
            [..columns]
    }

    fn accumulate(&self, perspective: usize, rows: &[usize]) -> Vec<f64> {
        let accumulator = self.net.accumulator;
        let mut sums = self.row(accumulator.bias_of(perspective), 0).to_vec();
        for &row in rows {
            let (set, row) = set_of_row(self.net, row);
            let weights = self.row(accumulator.weight_of(perspective, set), row);
            sums.iter_mut()
                .zip(weights)
                .for_each(|(sum, weight)| *sum += weight);
        }
        sums
    }

    /// The floats of the active features, added to the output neurons.
    fn floats(&self, rows: &[usize]) -> Vec<f64> {
        let mut sums = vec![0.0; self.net.accumulator.psqt_floats];
        for &row in rows.iter().filter(|_| self.net.accumulator.psqt_floats > 0) {
            let (set, row) = set_of_row(self.net, row);
            sums.iter_mut()
                .zip(self.row(TensorRole::psqt_of(set), row))
                .for_each(|(sum, float)| *sum += float);
        }
        sums
    }

    /// The PSQT output of the position's stack, for one side.
    fn psqt(&self, rows: &[usize]) -> f64 {
        let weight = |&row: &usize| {
            let (set, row) = set_of_row(self.net, row);
            self.row(TensorRole::psqt_of(set), row)[self.stack]
        };
        rows.iter().map(weight).sum()
    }

    /// The sums of all layers and the values of all buffers. Rows on demand are skipped unless requested.
    fn forward(
        &self,
        accumulators: &[Vec<f64>; 2],
        wants_rows: bool,
    ) -> (Vec<Vec<f64>>, Vec<Vec<f64>>) {
        let net = self.net;
        let (mut buffers, mut sums) = (
            vec![Vec::new(); net.buffers.len()],
            vec![Vec::new(); net.layers.len()],
        );
        let read = &accumulators[..net.accumulator.perspectives];
        for step in net.steps {
            match *step {
                StepDesc::ActivateAccumulator {
                    activation,
                    shift,
                    buffer,
                } => {
                    let words = net.buffers[buffer].source == Source::Words;
                    let activate =
                        |half: &Vec<f64>| self.activate(activation, (shift, words), half);
                    buffers[buffer] = read.iter().flat_map(activate).collect();
                }
                StepDesc::Sign { of, buffer } => {
                    buffers[buffer] = match of {
                        SignOf::Accumulator => read.iter().flatten().copied().map(sign).collect(),
                        SignOf::Layer(layer) => sums[layer].iter().copied().map(sign).collect(),
                        SignOf::Buffer(of) => buffers[of].iter().copied().map(sign).collect(),
                    };
                }
                StepDesc::Affine { layer }
                    if net.layers[layer].kind == LayerKind::Rows && !wants_rows => {}
                StepDesc::Affine { layer } => {
                    let values = |s: &Segment| buffers[s.buffer][s.start..][..s.len].to_vec();
                    let inputs: Vec<f64> =
                        net.layers[layer].segments.iter().flat_map(values).collect();
                    sums[layer] = self.affine(layer, &inputs);
                }
                StepDesc::AffineDirect { activation, layer } => {
                    sums[layer] = self.direct(activation, layer, read)
                }
                StepDesc::FloatAccumulator {
                    activation,
                    unit,
                    buffer,
                } => {
                    let activated = read.iter().flat_map(|half| self.whole(activation, half));
                    buffers[buffer] = activated
                        .map(|value| value * unit.num as f64 / unit.den as f64)
                        .collect();
                }
                StepDesc::FloatSums { layer, unit, .. } => {
                    let bias = self.row(TensorRole::LayerBias(layer), 0);
                    let scaled = sums[layer].iter().zip(bias);
                    sums[layer] = scaled
                        .map(|(sum, bias)| sum * unit.num as f64 / unit.den as f64 + bias)
                        .collect();
                }
                StepDesc::ActivateFloat {
                    activation,
                    layer,
                    buffer,
                } => {
                    let operation = self.operation(activation);
                    let formula = defined(operation.floats, operation.name);
                    let values = pairs::operands(operation.pairs, &sums[layer]);
                    buffers[buffer] = values
                        .map(|(x, y)| (formula.real.value)(Operands::floats(x, y)))
                        .collect();
                }
                StepDesc::ActivateSums {
                    activation,
                    shift,
                    layer,
                    buffer,
                } => {
                    let operation = self.operation(activation);
                    let formula = defined(operation.sums, operation.name);
                    let constants = (self.end(false, BUFFER_MAX as f64), shift);
                    let values = Formula::apply(
                        formula.real.value,
                        operation.pairs,
                        &sums[layer],
                        constants,
                    );
                    buffers[buffer] = values.collect();
                }
                StepDesc::Map { map, buffer } => {
                    let MapDesc { operands, code, .. } = net.maps[map];
                    let result = |j: usize| {
                        elementwise::evaluate(code, |operand| {
                            let MapOperand { source, start } = operands[operand];
                            match source {
                                MapSource::Accumulator => {
                                    let width = net.accumulator.width;
                                    read[j / width][j % width]
                                }
                                MapSource::Layer(layer) => sums[layer][start + j],
                                MapSource::Buffer(read) => buffers[read][start + j],
                            }
                        })
                    };
                    buffers[buffer] = (0..net.buffers[buffer].len).map(result).collect();
                }
                StepDesc::Reduce {
                    reduce,
                    operand:
                        Segment {
                            buffer: read,
                            start,
                            len,
                        },
                    size,
                    buffer,
                } => {
                    let runs = buffers[read][start..][..len].chunks(size);
                    buffers[buffer] = runs.map(|run| reduce.of_reals(run)).collect();
                }
                StepDesc::Pool {
                    pool,
                    operands,
                    stride,
                    buffer,
                } => {
                    let (one, shift): (f64, u32) =
                        Definition::constants(net.buffers[buffer].source.is_float());
                    let one = self.end(net.origin(buffer).is_accumulator(), one);
                    let value = |Segment { buffer, start, .. }: Segment, j| {
                        buffers[buffer][start + stride * j]
                    };
                    let result = |j| {
                        let [x, y] = operands.map(|segment| value(segment, j));
                        (pool.definition().real.one.value)(Operands { x, y, one, shift })
                    };
                    buffers[buffer] = (0..operands[0].len).map(result).collect();
                }
            }
        }
        (sums, buffers)
    }

    /// The upper bound of values clipped at `one`, for accumulators or sums.
    fn end(&self, of_accumulators: bool, one: f64) -> f64 {
        match self.clipping {
            Clipping::Accumulators if of_accumulators => one,
            Clipping::Declared => one,
            Clipping::Accumulators | Clipping::Nothing => f64::INFINITY,
        }
    }

    /// The definition of an activation.
    fn operation(&self, activation: Activation) -> &'static Operation {
        activation.operation().unwrap_or_else(|| {
            let path = self.net.activation_name(activation);
            panic!("`{path}` is a function of the program, which is not known in real numbers")
        })
    }

    fn activate(
        &self,
        activation: Activation,
        (shift, words): (u32, bool),
        half: &[f64],
    ) -> Vec<f64> {
        let operation = self.operation(activation);
        let formula = if words {
            operation.words()
        } else {
            operation.accumulators
        };
        let (formula, one) = (
            defined(formula, operation.name),
            self.net.accumulator.one.into(),
        );
        Formula::apply(
            formula.real.value,
            operation.pairs,
            half,
            (self.end(true, one), shift),
        )
        .collect()
    }

    /// Activated accumulators as exact values.
    fn whole(&self, activation: Activation, half: &[f64]) -> Vec<f64> {
        let operation = self.operation(activation);
        let (formula, one) = (
            defined(operation.whole, operation.name),
            self.net.accumulator.one.into(),
        );
        Formula::apply(
            formula.real.value,
            operation.pairs,
            half,
            (self.end(true, one), 0),
        )
        .collect()
    }

    /// The sums of a layer, without the bias if it is added later in floats.
    fn affine(&self, layer: usize, inputs: &[f64]) -> Vec<f64> {
        let is_float = matches!(self.net.layers[layer].kind, LayerKind::Float { .. });
        let later = !is_float && self.net.has_float_sums(layer);
        let neuron = |output: usize| {
            let bias = if later {
                0.0
            } else {
                self.row(TensorRole::LayerBias(layer), 0)[output]
            };
            let inputs = inputs.iter().copied();
            match self.net.layers[layer].kind {
                LayerKind::Binary => {
                    bias + self.row(TensorRole::LayerScale(layer), 0)[output]
                        * dot(inputs, self.signs(layer, output))
                }
                _ => bias + dot(inputs, self.row(TensorRole::LayerWeight(layer), output)),
            }
        };
        (0..self.net.layers[layer].outputs).map(neuron).collect()
    }

    /// The output of a layer that reads the accumulators directly; the extra scale of products of two neurons
    /// is removed.
    fn direct(&self, activation: Activation, layer: usize, accumulators: &[Vec<f64>]) -> Vec<f64> {
        let values = accumulators
            .iter()
            .flat_map(|half| self.whole(activation, half));
        let sum = dot(values, self.row(TensorRole::LayerWeight(layer), 0));
        vec![
            sum / self.net.surplus_scale(activation) as f64
                + self.row(TensorRole::LayerBias(layer), 0)[0],
        ]
    }

    fn output(&self, sums: &[Vec<f64>]) -> f64 {
        let scaled = |value: f64, ratio: Option<Ratio>| {
            ratio.map_or(value, |r| value * r.num as f64 / r.den as f64)
        };
        let term = |term: &OutputTerm| {
            let value = scaled(sums[term.layer][term.neuron], term.ratio);
            if term.negative { -value } else { value }
        };
        scaled(
            self.net.output.terms.iter().map(term).sum(),
            self.net.output.ratio,
        )
    }
}

fn dot(inputs: impl Iterator<Item = f64>, weights: &[f64]) -> f64 {
    inputs
        .zip(weights)
        .map(|(input, weight)| input * weight)
        .sum()
}
