//! Layers of 32-bit integers.

use alloc::vec::Vec;

use nnue_spec::layout::padded_sums;
use nnue_spec::{Segment, TensorRef, TensorRole};

use super::builder::{Builder, PerStack};
use super::part::{Numbers, Part};
use super::run::{Run, Start};
use super::scratch::{Before, Place, Scratch};
use crate::integer::{Columns, are_pairs, fill_columns, of_stack};
use crate::kernel::affine_integers::{SumOfRow, SumsOfIntegers};
use crate::simd::dispatch_family;

/// The inputs of a layer, one after the other, in whole lines.
struct Inputs {
    /// copied before the layer is computed; none if the input is a buffer
    parts: Vec<Part>,
    joined: Place,
    len: usize,
}

impl Inputs {
    fn of(builder: &mut Builder<'_>, layer: usize) -> Self {
        let desc = &builder.net.layers[layer];
        let parts = desc
            .segments
            .iter()
            .map(|&Segment { buffer, start, len }| Part::of_buffer(builder, buffer, start, len));
        let parts: Vec<Part> = parts.collect();
        let len = desc.inputs;
        match *parts {
            [
                Part {
                    place,
                    numbers: Numbers::Integers,
                    start: 0,
                    ..
                },
            ] => Self {
                parts: Vec::new(),
                joined: place,
                len,
            },
            _ => Self {
                parts,
                joined: builder.place(4 * len),
                len,
            },
        }
    }

    fn join(&self, scratch: &mut Scratch) {
        let (before, joined) = scratch.split::<i32>(self.joined);
        let mut at = 0;
        for part in &self.parts {
            part.values(&[], before)
                .read(0, &mut joined[at..at + part.len]);
            at += part.len;
        }
    }

    /// The inputs, followed by any values up to the end of a line.
    fn lines<'a>(&self, before: Before<'a>) -> &'a [i32] {
        &before.at(self.joined)[..padded_sums(self.len)]
    }
}

/// The weights of a layer, if they are integers.
fn weights_of<'a>(builder: &Builder<'a>, layer: usize) -> Option<TensorRef<'a>> {
    builder
        .tensor(TensorRole::LayerWeight(layer))
        .filter(|weights| !matches!(weights, TensorRef::F32(_)))
}

/// The sums of a layer of 32-bit integers.
pub(super) struct IntegerLayer {
    inputs: Inputs,
    /// per stack, padded with zeros
    start: PerStack,
    columns: PerStack,
    /// whether the columns are pairs
    pairs: bool,
    sums: Place,
}

impl IntegerLayer {
    /// `None` if its weights are of another type.
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Option<Self> {
        let desc = &builder.net.layers[layer];
        let stacks = builder.net.stacks.count;
        let padded = 4 * desc.padded_outputs();
        let (mut start, mut columns) = (
            PerStack::zeroed(stacks, padded),
            PerStack::zeroed(stacks, desc.inputs * padded),
        );
        let weights = weights_of(builder, layer)?;
        let pairs = are_pairs(builder.net, layer, weights);
        for stack in builder.stacks() {
            let bias = builder.start(layer, stack);
            start.of_mut(stack)[..bias.len()].copy_from_slice(&bias);
            let weights = of_stack(weights, stack, desc.inputs * desc.outputs);
            fill_columns(columns.of_mut(stack), desc.inputs, pairs, weights);
        }
        Some(Self {
            inputs: Inputs::of(builder, layer),
            start,
            columns,
            pairs,
            sums: builder.make_sums(layer),
        })
    }
}

impl Run for IntegerLayer {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        self.inputs.join(scratch);
        let (before, sums) = scratch.split::<i32>(self.sums);
        dispatch_family(
            level,
            SumsOfIntegers {
                x: self.inputs.lines(before),
                columns: Columns {
                    weights: self.columns.of(stack),
                    inputs: self.inputs.len,
                    pairs: self.pairs,
                },
                start: self.start.of(stack),
                sums,
            },
        );
    }
}

/// The sum of a layer of 32-bit integers with one output.
pub(super) struct IntegerRow {
    inputs: Inputs,
    /// per stack
    bias: Vec<i32>,
    row: PerStack,
    sum: Place,
}

impl IntegerRow {
    /// `None` if its weights are of another type.
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Option<Self> {
        let len = builder.net.layers[layer].inputs;
        let mut row = PerStack::zeroed(builder.net.stacks.count, 4 * padded_sums(len));
        let weights = weights_of(builder, layer)?;
        for stack in builder.stacks() {
            row.of_mut(stack)
                .iter_mut()
                .zip(of_stack(weights, stack, len))
                .for_each(|(to, weight)| *to = weight);
        }
        let bias = builder.stacks();
        Some(Self {
            inputs: Inputs::of(builder, layer),
            bias: bias.map(|stack| builder.start(layer, stack)[0]).collect(),
            row,
            sum: builder.make_sums(layer),
        })
    }
}

impl Run for IntegerRow {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        self.inputs.join(scratch);
        let (before, sum) = scratch.split::<i32>(self.sum);
        let (x, row) = (self.inputs.lines(before), self.row.of(stack));
        let products = dispatch_family(level, SumOfRow { x, row });
        sum[0] = self.bias[stack].wrapping_add(products);
    }
}
