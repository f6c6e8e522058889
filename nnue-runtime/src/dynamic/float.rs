//! Steps over floats.

use alloc::vec::Vec;

use nnue_spec::layout::padded_sums;
use nnue_spec::{Activation, Segment, TensorRef, TensorRole, Unit};

use super::builder::{Builder, PerStack};
use super::run::{Run, Start};
use super::scratch::{Place, Scratch};
use super::words::join;
use crate::kernel::float::{AddColumns, AddSums, SumRow, accumulator_floats};
use crate::kernel::float_activation;
use crate::memory::Line;
use crate::simd::dispatch_family;

pub(super) struct FloatAccumulators {
    activation: Activation,
    one: i16,
    unit: f32,
    /// results per perspective
    each: usize,
    out: Place,
}

impl FloatAccumulators {
    /// `None` if no kernel supports this scale.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        activation: Activation,
        unit: Unit,
        buffer: usize,
    ) -> Option<Self> {
        let one = i16::try_from(builder.net.accumulator.one).ok()?;
        let each = builder.net.buffers[buffer].len / builder.net.accumulator.perspectives;
        Some(Self {
            activation,
            one,
            unit: unit.factor(),
            each,
            out: builder.make_float_buffer(buffer),
        })
    }
}

impl Run for FloatAccumulators {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let (_, out) = scratch.split::<f32>(self.out);
        for (out, accumulator) in out.chunks_exact_mut(self.each).zip(start.accumulators) {
            accumulator_floats(self.activation, accumulator, self.one, self.unit, out);
        }
    }
}

pub(super) struct FloatSums {
    /// per stack, padded with zeros
    bias: PerStack,
    unit: f32,
    fused: bool,
    sums: Place,
    out: Place,
}

impl FloatSums {
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize, unit: Unit, fused: bool) -> Self {
        let bias = padded_bias(builder, layer);
        Self {
            bias,
            unit: unit.factor(),
            fused,
            sums: builder.sums(layer),
            out: builder.make_floats(layer),
        }
    }
}

/// The biases of a float layer, padded with zeros.
fn padded_bias(builder: &Builder<'_>, layer: usize) -> PerStack {
    let desc = &builder.net.layers[layer];
    let mut bias = PerStack::zeroed(builder.net.stacks.count, 4 * desc.padded_outputs());
    for stack in builder.stacks() {
        bias.of_mut::<f32>(stack)[..desc.outputs].copy_from_slice(builder.float_bias(layer, stack));
    }
    bias
}

impl Run for FloatSums {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        let (before, y) = scratch.split::<f32>(self.out);
        y.copy_from_slice(self.bias.of(stack));
        let (sums, unit) = (before.at(self.sums), self.unit);
        if self.fused {
            dispatch_family(level, AddSums::<true> { sums, unit, y });
        } else {
            dispatch_family(level, AddSums::<false> { sums, unit, y });
        }
    }
}

/// The inputs of a float layer, one after the other, padded with zeros.
struct Inputs {
    parts: Vec<(Place, Segment)>,
    len: usize,
    joined: Place,
}

impl Inputs {
    fn of(builder: &mut Builder<'_>, layer: usize) -> Self {
        let desc = &builder.net.layers[layer];
        let parts = desc
            .segments
            .iter()
            .map(|&segment| (builder.buffer(segment.buffer), segment))
            .collect();
        let joined = builder.place(4 * padded_sums(desc.inputs));
        Self {
            parts,
            len: desc.inputs,
            joined,
        }
    }

    fn join(&self, scratch: &mut Scratch) {
        let (before, out) = scratch.split::<f32>(self.joined);
        join(before, &self.parts, out);
    }
}

fn weights_of<'a>(builder: &Builder<'a>, layer: usize) -> Option<&'a [f32]> {
    match builder.tensor(TensorRole::LayerWeight(layer)) {
        Some(TensorRef::F32(values)) => Some(values),
        _ => None,
    }
}

pub(super) struct Floats {
    inputs: Inputs,
    bias: PerStack,
    /// per stack, a column for each input
    columns: PerStack,
    /// number of partial sums, and memory for them
    partial: usize,
    scratch: Place,
    fused: bool,
    out: Place,
}

impl Floats {
    /// `None` if its weights are not floats.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        layer: usize,
        partial: usize,
        fused: bool,
    ) -> Option<Self> {
        let desc = &builder.net.layers[layer];
        let (inputs, padded) = (desc.inputs, desc.padded_outputs());
        let values = weights_of(builder, layer)?;
        let mut columns = PerStack::zeroed(builder.net.stacks.count, 4 * padded * inputs);
        for stack in builder.stacks() {
            let columns = columns.of_mut::<f32>(stack);
            for (output, row) in builder.rows(values, stack, inputs).into_iter().enumerate() {
                row.iter()
                    .enumerate()
                    .for_each(|(input, &weight)| columns[input * padded + output] = weight);
            }
        }
        let (bias, inputs) = (padded_bias(builder, layer), Inputs::of(builder, layer));
        let (out, scratch) = (builder.make_floats(layer), builder.place(64 * partial));
        Some(Self {
            inputs,
            bias,
            columns,
            partial,
            scratch,
            fused,
            out,
        })
    }
}

impl Run for Floats {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        self.inputs.join(scratch);
        let (before, y, sums) = scratch.split_two::<f32, Line>(self.out, self.scratch);
        y.copy_from_slice(self.bias.of(stack));
        let x = &before.at(self.inputs.joined)[..self.inputs.len];
        let (columns, partial) = (self.columns.of(stack), self.partial);
        if self.fused {
            dispatch_family(
                level,
                AddColumns::<true> {
                    x,
                    columns,
                    y,
                    sums,
                    partial,
                },
            );
        } else {
            dispatch_family(
                level,
                AddColumns::<false> {
                    x,
                    columns,
                    y,
                    sums,
                    partial,
                },
            );
        }
    }
}

/// The sum of a float layer with one output, whose partial sums are lanes. Written as the first of
/// sixteen floats.
pub(super) struct FloatRow {
    inputs: Inputs,
    /// per stack
    bias: Vec<f32>,
    rows: PerStack,
    scratch: Place,
    fused: bool,
    out: Place,
}

impl FloatRow {
    /// `None` if its weights are not floats.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        layer: usize,
        partial: usize,
        fused: bool,
    ) -> Option<Self> {
        let inputs = builder.net.layers[layer].inputs;
        let values = weights_of(builder, layer)?;
        let mut rows = PerStack::zeroed(builder.net.stacks.count, 4 * padded_sums(inputs));
        for stack in builder.stacks() {
            rows.of_mut::<f32>(stack)[..inputs]
                .copy_from_slice(builder.rows(values, stack, inputs)[0]);
        }
        let bias = builder
            .stacks()
            .map(|stack| builder.float_bias(layer, stack)[0])
            .collect();
        let inputs = Inputs::of(builder, layer);
        let (out, scratch) = (builder.make_floats(layer), builder.place(4 * partial));
        Some(Self {
            inputs,
            bias,
            rows,
            scratch,
            fused,
            out,
        })
    }
}

impl Run for FloatRow {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        self.inputs.join(scratch);
        let (before, y, sums) = scratch.split_two::<f32, f32>(self.out, self.scratch);
        sums.fill(0.0);
        let (x, row) = (before.at(self.inputs.joined), self.rows.of(stack));
        let sum = if self.fused {
            dispatch_family(level, SumRow::<true> { x, row, sums })
        } else {
            dispatch_family(level, SumRow::<false> { x, row, sums })
        };
        y[0] = sum + self.bias[stack];
    }
}

pub(super) struct ActivateFloats {
    activation: Activation,
    sums: Place,
    len: usize,
    /// where the gates are copied, if the activation has gates
    gates: Option<Place>,
    out: Place,
}

impl ActivateFloats {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        activation: Activation,
        layer: usize,
        buffer: usize,
    ) -> Self {
        let (sums, len) = (builder.floats(layer), builder.net.buffers[buffer].len);
        let has_gates = activation
            .operation()
            .is_some_and(|operation| operation.pairs.is_some());
        let gates = has_gates.then(|| builder.place(4 * padded_sums(len)));
        Self {
            activation,
            sums,
            len,
            gates,
            out: builder.make_float_buffer(buffer),
        }
    }
}

impl Run for ActivateFloats {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let &Self {
            activation,
            sums,
            len,
            gates,
            out,
        } = self;
        if let Some(gates) = gates {
            let (before, to) = scratch.split::<f32>(gates);
            to[..len].copy_from_slice(&before.at(sums)[len..2 * len]);
        }
        let (before, values) = scratch.split::<f32>(out);
        match gates {
            Some(_) => values[..len].copy_from_slice(&before.at(sums)[..len]),
            None => values.copy_from_slice(before.at(sums)),
        }
        let gates = gates.map_or(&[][..], |gates| before.at(gates));
        dispatch_family(
            start.level,
            float_activation::ActivateFloats {
                activation,
                values,
                gates,
            },
        );
    }
}
