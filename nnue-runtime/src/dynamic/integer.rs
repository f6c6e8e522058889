//! Steps over 32-bit integers: elementwise expressions, and the layers that read their results.

use alloc::vec::Vec;

use nnue_spec::elementwise::{MAX_DEPTH, MAX_OPERANDS};
use nnue_spec::layout::padded_sums;
use nnue_spec::{MapOperand, MapSource, Scalar, Segment, Source, TensorRef, TensorRole};

use super::builder::{Builder, PerStack};
use super::run::{Run, Start};
use super::scratch::{Before, Place, Scratch};
use crate::integer::{Columns, LANES, are_pairs, fill_columns, of_stack};
use crate::kernel::affine_integers::{SumOfRow, SumsOfIntegers};
use crate::kernel::interpret::{Interpret, Values};
use crate::simd::dispatch_family;

/// Where values of an operand are.
#[derive(Clone, Copy)]
struct Part {
    place: Place,
    /// bytes, otherwise 32-bit integers
    bytes: bool,
    start: usize,
    len: usize,
}

impl Part {
    fn of_buffer(builder: &Builder<'_>, buffer: usize, start: usize, len: usize) -> Self {
        Self {
            place: builder.buffer(buffer),
            bytes: builder.net.buffers[buffer].source != Source::Integers,
            start,
            len,
        }
    }

    fn of(builder: &Builder<'_>, operand: &MapOperand, len: usize) -> Self {
        match operand.source {
            MapSource::Layer(layer) => Self {
                place: builder.sums(layer),
                bytes: false,
                start: operand.start,
                len,
            },
            MapSource::Buffer(buffer) => Self::of_buffer(builder, buffer, operand.start, len),
        }
    }

    #[inline(always)]
    fn values(self, before: Before<'_>) -> Values<'_> {
        let Self {
            place, start, len, ..
        } = self;
        match self.bytes {
            true => Values::Bytes(&before.at(place)[start..][..len]),
            false => Values::Integers(&before.at(place)[start..][..len]),
        }
    }
}

/// An elementwise expression.
pub(super) struct Map {
    code: Vec<Scalar>,
    operands: Vec<Part>,
    out: Place,
    /// values that wait for a second operand
    waiting: Place,
}

impl Map {
    pub(super) fn new(builder: &mut Builder<'_>, map: usize, buffer: usize) -> Self {
        let (desc, len) = (builder.net.maps[map], builder.net.buffers[buffer].len);
        let operands = desc.operands.iter();
        Self {
            code: desc.code.to_vec(),
            operands: operands
                .map(|operand| Part::of(builder, operand, len))
                .collect(),
            out: builder.make_buffer(buffer, 4 * len),
            waiting: builder.place(size_of::<[i32; LANES]>() * MAX_DEPTH),
        }
    }
}

impl Run for Map {
    fn run(&self, Start { level, .. }: Start<'_>, scratch: &mut Scratch) {
        let (before, out, waiting) = scratch.split_two(self.out, self.waiting);
        let mut operands = [Values::Bytes(&[]); MAX_OPERANDS];
        for (values, part) in operands.iter_mut().zip(&self.operands) {
            *values = part.values(before);
        }
        dispatch_family(
            level,
            Interpret {
                code: &self.code,
                operands: &operands[..self.operands.len()],
                out,
                waiting,
            },
        );
    }
}

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
                    bytes: false,
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
            part.values(before).read(0, &mut joined[at..at + part.len]);
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
