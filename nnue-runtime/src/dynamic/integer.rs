//! Steps over 32-bit integers: elementwise expressions, and the layers that read their results.

use alloc::vec::Vec;

use nnue_spec::{MapOperand, MapSource, Scalar, Segment, Source, TensorRef, TensorRole};

use super::builder::{Builder, PerStack};
use super::run::{Run, Start};
use super::scratch::{Before, Place, Scratch};
use crate::integer::IntegerWeight;
use crate::kernel::affine_integers::SumsOfIntegers;
use crate::kernel::interpret::{Interpret, Values};
use crate::simd::{AvailableLevel, dispatch_family};

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
    len: usize,
    out: Place,
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
            len,
            out: builder.make_buffer(buffer, 4 * len),
        }
    }
}

impl Run for Map {
    fn run(&self, Start { level, .. }: Start<'_>, scratch: &mut Scratch) {
        let (before, out) = scratch.split::<i32>(self.out);
        let mut operands = [Values::Bytes(&[]); nnue_spec::elementwise::MAX_OPERANDS];
        for (values, part) in operands.iter_mut().zip(&self.operands) {
            *values = part.values(before);
        }
        dispatch_family(
            level,
            Interpret {
                code: &self.code,
                operands: &operands[..self.operands.len()],
                out: &mut out[..self.len],
            },
        );
    }
}

/// The weights of all stacks, in rows of one weight per input.
enum Weights {
    Bytes(PerStack),
    Words(PerStack),
    Integers(PerStack),
}

/// The sums of a layer of 32-bit integers.
pub(super) struct IntegerLayer {
    parts: Vec<Part>,
    /// where the parts are concatenated
    joined: Place,
    inputs: usize,
    /// per stack
    bias: Vec<Vec<i32>>,
    weights: Weights,
    sums: Place,
}

impl IntegerLayer {
    /// `None` if its weights are of another type.
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Option<Self> {
        let desc = &builder.net.layers[layer];
        let parts = desc.segments.iter();
        let parts = parts
            .map(|&Segment { buffer, start, len }| Part::of_buffer(builder, buffer, start, len));
        let parts = parts.collect();
        let joined = builder.place(4 * desc.inputs);
        let stacks = builder.net.stacks.count;
        let weights = match builder.tensor(TensorRole::LayerWeight(layer))? {
            TensorRef::I8(values) => Weights::Bytes(per_stack(stacks, values)),
            TensorRef::I16(values) => Weights::Words(per_stack(stacks, values)),
            TensorRef::I32(values) => Weights::Integers(per_stack(stacks, values)),
            TensorRef::F32(_) => return None,
        };
        let bias = builder.stacks();
        Some(Self {
            parts,
            joined,
            inputs: desc.inputs,
            bias: bias.map(|stack| builder.start(layer, stack)).collect(),
            weights,
            sums: builder.make_sums(layer),
        })
    }

    fn multiply<T: IntegerWeight>(
        &self,
        (level, stack): (AvailableLevel, usize),
        weights: &PerStack,
        (x, sums): (&[i32], &mut [i32]),
    ) {
        let bias = self.bias[stack].as_slice();
        let weights = &weights.of::<T>(stack)[..bias.len() * x.len()];
        dispatch_family(
            level,
            SumsOfIntegers {
                x,
                weights,
                bias,
                sums,
            },
        );
    }
}

fn per_stack<T: IntegerWeight>(stacks: usize, values: &[T]) -> PerStack {
    let each = values.len() / stacks;
    let mut weights = PerStack::zeroed(stacks, size_of_val(&values[..each]));
    for stack in 0..stacks {
        weights.of_mut::<T>(stack)[..each].copy_from_slice(&values[stack * each..][..each]);
    }
    weights
}

impl Run for IntegerLayer {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        let (before, joined) = scratch.split::<i32>(self.joined);
        let mut at = 0;
        for part in &self.parts {
            part.values(before).read(0, &mut joined[at..at + part.len]);
            at += part.len;
        }
        let (before, sums) = scratch.split::<i32>(self.sums);
        let of = (&before.at::<i32>(self.joined)[..self.inputs], sums);
        match &self.weights {
            Weights::Bytes(weights) => self.multiply::<i8>((level, stack), weights, of),
            Weights::Words(weights) => self.multiply::<i16>((level, stack), weights, of),
            Weights::Integers(weights) => self.multiply::<i32>((level, stack), weights, of),
        }
    }
}
