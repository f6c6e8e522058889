//! Facts for the notation of each layer, collected in one pass over the steps, so that long declarations stay
//! fast.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use crate::descriptor::*;
use crate::op::{Pairs, Shift};
use crate::plan::Plan;

/// Facts for the notation, by layer and by buffer.
pub(super) struct Found {
    pub(super) layers: Vec<LayerFound>,
    pub(super) pools_of_accumulators: Vec<String>,
    /// by buffer: only pools read it
    only_pooled: Vec<bool>,
}

/// Facts for the notation of a layer.
#[derive(Clone)]
pub(super) struct LayerFound {
    /// names of activations and pools of its sums
    pub(super) functions: Vec<String>,
    /// number of neurons that go to the output and to no layer
    pub(super) skips: usize,
    /// type of its weights
    pub(super) element: ElementType,
}

impl Found {
    pub(super) fn new(plan: &Plan) -> Self {
        let layer = LayerFound {
            functions: Vec::new(),
            skips: 0,
            element: ElementType::I8,
        };
        let mut found = Self {
            layers: vec![layer; plan.layers.len()],
            pools_of_accumulators: Vec::new(),
            only_pooled: only_pooled(plan),
        };
        for tensor in &plan.tensors {
            if let TensorRole::LayerWeight(layer) = tensor.role {
                found.layers[layer].element = tensor.element;
            }
        }
        for step in &plan.steps {
            if let Some((layer, function)) =
                sum_function(plan, step).filter(|_| !found.is_only_pooled(step))
            {
                found.layers[layer].functions.push(function);
            }
        }
        found.add_pools(plan);
        found.count_skips(plan);
        found
    }

    /// Whether a step clips for pools only; pools imply that clipping.
    pub(super) fn is_only_pooled(&self, step: &StepDesc) -> bool {
        step.activation() == Some(Activation::Crelu)
            && step.made().is_some_and(|buffer| self.only_pooled[buffer])
    }

    /// Adds the names of pools, each once, to the layer or accumulators that they originate from.
    fn add_pools(&mut self, plan: &Plan) {
        let mut origins: Vec<Source> = plan.buffers.iter().map(|buffer| buffer.source).collect();
        for step in &plan.steps {
            let Some((name, read, made)) = pool_name(step) else {
                continue;
            };
            origins[made] = origins[read];
            let names = match layer_of(origins[read]) {
                Some(layer) => &mut self.layers[layer].functions,
                None if origins[read].is_accumulator() => &mut self.pools_of_accumulators,
                None => continue,
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }

    fn count_skips(&mut self, plan: &Plan) {
        let read = read_neurons(plan);
        for term in &plan.terms {
            if !read[term.layer].get(term.neuron).copied().unwrap_or(false) {
                self.layers[term.layer].skips += 1;
            }
        }
    }
}

fn layer_of(source: Source) -> Option<usize> {
    match source {
        Source::Layer(layer) | Source::Float(layer) | Source::Signs(SignOf::Layer(layer)) => {
            Some(layer)
        }
        _ => None,
    }
}

/// The name of a pool, the buffer it reads and the buffer it writes.
fn pool_name(step: &StepDesc) -> Option<(String, usize, usize)> {
    match *step {
        StepDesc::Pool {
            pool,
            operands: [first, second],
            stride,
            buffer,
        } => {
            let pairs = if stride == 2 {
                Pairs::Neighbours
            } else {
                Pairs::Halves
            };
            let of_one = Activation::ALL
                .into_iter()
                .find(|known| known.pool() == Some((pool, pairs)));
            let of_one = of_one
                .filter(|_| first.buffer == second.buffer)
                .and_then(Activation::operation);
            let name = of_one.map_or(pool.definition().name, |operation| operation.name);
            Some((name.to_string(), first.buffer, buffer))
        }
        StepDesc::Reduce {
            reduce,
            operand,
            size,
            buffer,
        } => {
            let all = size == operand.len && reduce == Reduce::Mean;
            let name = reduce.name(all);
            let name = if all {
                name.to_string()
            } else {
                format!("{name} {size}")
            };
            Some((name, operand.buffer, buffer))
        }
        _ => None,
    }
}

fn only_pooled(plan: &Plan) -> Vec<bool> {
    let [mut by_pools, mut by_layers] = [(); 2].map(|()| vec![false; plan.buffers.len()]);
    for segment in plan.layers.iter().flat_map(|layer| &layer.segments) {
        by_layers[segment.buffer] = true;
    }
    for step in &plan.steps {
        match step {
            StepDesc::Pool { operands, .. } => operands
                .iter()
                .for_each(|operand| by_pools[operand.buffer] = true),
            StepDesc::Reduce { operand, .. } => by_pools[operand.buffer] = true,
            _ => {}
        }
    }
    let both = by_pools.into_iter().zip(by_layers);
    both.map(|(pools, layers)| pools && !layers).collect()
}

/// For each layer, its neurons whose activations are read by a layer, also through pools.
fn read_neurons(plan: &Plan) -> Vec<Vec<bool>> {
    let mut read: Vec<Vec<bool>> = plan
        .buffers
        .iter()
        .map(|buffer| vec![false; buffer.len])
        .collect();
    for Segment { buffer, start, len } in plan.layers.iter().flat_map(|layer| &layer.segments) {
        mark(&mut read[*buffer], *start, *len);
    }
    let mut neurons: Vec<Vec<bool>> = plan
        .layers
        .iter()
        .map(|layer| vec![false; layer.outputs])
        .collect();
    // A step follows those that it reads.
    for step in plan.steps.iter().rev() {
        let Some(made) = step.made() else { continue };
        let marks = core::mem::take(&mut read[made]);
        let marked = || (0..marks.len()).filter(|&index| marks[index]);
        match *step {
            StepDesc::Pool {
                operands, stride, ..
            } => {
                for operand in operands {
                    marked().for_each(|index| {
                        mark(
                            &mut read[operand.buffer],
                            operand.start + stride * index,
                            stride,
                        );
                    });
                }
            }
            StepDesc::Reduce { operand, size, .. } => marked().for_each(|index| {
                mark(
                    &mut read[operand.buffer],
                    operand.start + size * index,
                    size,
                );
            }),
            StepDesc::Sign {
                of: SignOf::Buffer(buffer),
                ..
            } => marked().for_each(|index| mark(&mut read[buffer], index, 1)),
            _ => {
                if let Some(layer) = layer_of(plan.buffers[made].source) {
                    marked().for_each(|index| mark(&mut neurons[layer], index, 1));
                }
            }
        }
    }
    neurons
}

fn mark(marks: &mut [bool], start: usize, len: usize) {
    let end = (start + len).min(marks.len());
    marks
        .get_mut(start..end)
        .into_iter()
        .flatten()
        .for_each(|mark| *mark = true);
}

/// The layer whose sums a step activates, and the function.
fn sum_function(plan: &Plan, step: &StepDesc) -> Option<(usize, String)> {
    let (activation, shift, of) = match *step {
        StepDesc::ActivateSums {
            activation,
            layer,
            shift,
            ..
        } => (activation, shift, layer),
        StepDesc::ActivateFloat {
            activation, layer, ..
        } => {
            return Some((layer, plan.activation_name(activation).to_string()));
        }
        _ => return None,
    };
    let scale = plan.layers[of].scale;
    let default = match activation
        .operation()
        .and_then(|operation| operation.sums)
        .map(|formula| formula.shift)
    {
        Some(Shift::Sum { default, .. }) => default(scale as u64),
        _ => shift,
    };
    Some((
        of,
        with_shift(plan.activation_name(activation), shift, default),
    ))
}

/// The function, with its shift if it is not the default.
pub(super) fn with_shift(function: &str, shift: u32, default: u32) -> String {
    if shift == default {
        function.to_string()
    } else {
        format!("{function} >> {shift}")
    }
}
