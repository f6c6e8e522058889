//! Steps over 16-bit values.

use alloc::vec::Vec;

use nnue_spec::{Activation, Segment, TensorRef, TensorRole};

use super::builder::{Builder, PerStack};
use super::run::{Run, Start};
use super::scratch::{Before, Place, Scratch};
use crate::kernel::affine_words::{MOST_INPUTS, SumsOfWords};
use crate::kernel::words::ActivateWords;
use crate::memory::Number;
use crate::simd::dispatch_family;
use crate::words::fits;

/// Accumulators to 16-bit values.
pub(super) struct Words {
    activation: Activation,
    one: i16,
    shift: u32,
    len: usize,
    out: Place,
}

impl Words {
    /// `None` if no kernel supports this scale.
    pub(super) fn new(
        builder: &mut Builder<'_>,
        activation: Activation,
        shift: u32,
        buffer: usize,
    ) -> Option<Self> {
        let one = i16::try_from(builder.net.accumulator.one).ok()?;
        let len = builder.net.buffers[buffer].len;
        Some(Self {
            activation,
            one,
            shift,
            len,
            out: builder.make_buffer(buffer, 2 * len),
        })
    }
}

impl Run for Words {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let &Self {
            activation,
            one,
            shift,
            len,
            out,
        } = self;
        let (_, out) = scratch.split::<i16>(out);
        let (accumulators, out) = (start.accumulators, &mut out[..len]);
        dispatch_family(
            start.level,
            ActivateWords {
                activation,
                one,
                shift,
                accumulators,
                out,
            },
        );
    }
}

/// The weights of all stacks, in rows of one weight per input.
enum Weights {
    Bytes(PerStack),
    Words(PerStack),
}

/// The sums of a layer of 16-bit values.
pub(super) struct WordsLayer {
    parts: Vec<(Place, Segment)>,
    /// where the parts are concatenated; `None` if the input is one whole buffer
    joined: Option<Place>,
    inputs: usize,
    /// per stack
    bias: Vec<Vec<i32>>,
    weights: Weights,
    /// for each row of each stack: whether every partial sum of its products fits in i32
    fits: Vec<Vec<bool>>,
    sums: Place,
}

impl WordsLayer {
    /// `None` if it has more inputs than the kernel supports.
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Option<Self> {
        let net = builder.net;
        let desc = &net.layers[layer];
        let (inputs, outputs) = (desc.inputs, desc.outputs);
        let parts: Vec<_> = desc
            .segments
            .iter()
            .map(|&segment| (builder.buffer(segment.buffer), segment))
            .collect();
        let is_whole = matches!(*desc.segments, [Segment { buffer, len, .. }] if len == net.buffers[buffer].len);
        let joined = (!is_whole).then(|| builder.place(2 * inputs));
        let greatest = desc
            .segments
            .iter()
            .map(|segment| net.buffers[segment.buffer].max)
            .max()
            .unwrap_or(0);
        let stacks = net.stacks.count;
        let (weights, fits) = match builder.tensor(TensorRole::LayerWeight(layer)) {
            Some(TensorRef::I8(values)) => {
                let (weights, fits) = prepare(stacks, values, inputs, greatest);
                (Weights::Bytes(weights), fits)
            }
            Some(TensorRef::I16(values)) => {
                let (weights, fits) = prepare(stacks, values, inputs, greatest);
                (Weights::Words(weights), fits)
            }
            _ => return None,
        };
        let bias = builder
            .stacks()
            .map(|stack| builder.start(layer, stack))
            .collect();
        debug_assert!(fits.iter().all(|fits| fits.len() == outputs));
        let sums = builder.make_sums(layer);
        (inputs <= MOST_INPUTS).then_some(Self {
            parts,
            joined,
            inputs,
            bias,
            weights,
            fits,
            sums,
        })
    }
}

/// Copies of the weights of each stack, and which of their rows fit.
fn prepare<T: Number>(
    stacks: usize,
    values: &[T],
    inputs: usize,
    greatest: i32,
) -> (PerStack, Vec<Vec<bool>>) {
    let each = values.len() / stacks;
    let mut weights = PerStack::zeroed(stacks, size_of_val(&values[..each]));
    let rows = (0..stacks).map(|stack| {
        let values = &values[stack * each..][..each];
        weights.of_mut::<T>(stack)[..each].copy_from_slice(values);
        values
            .chunks(inputs)
            .map(|row| fits(Number::tensor(row), greatest.into()))
            .collect()
    });
    let rows = rows.collect();
    (weights, rows)
}

impl Run for WordsLayer {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        if let Some(joined) = self.joined {
            let (before, out) = scratch.split::<i16>(joined);
            join(before, &self.parts, out);
        }
        let (before, sums) = scratch.split::<i32>(self.sums);
        let place = self.joined.unwrap_or(self.parts[0].0);
        let x = &before.at::<i16>(place)[..self.inputs];
        let (bias, fits) = (self.bias[stack].as_slice(), self.fits[stack].as_slice());
        let len = bias.len() * x.len();
        match &self.weights {
            Weights::Bytes(weights) => {
                let weights = &weights.of::<i8>(stack)[..len];
                dispatch_family(
                    level,
                    SumsOfWords {
                        x,
                        weights,
                        bias,
                        fits,
                        sums,
                    },
                );
            }
            Weights::Words(weights) => {
                let weights = &weights.of::<i16>(stack)[..len];
                dispatch_family(
                    level,
                    SumsOfWords {
                        x,
                        weights,
                        bias,
                        fits,
                        sums,
                    },
                );
            }
        }
    }
}

/// Concatenates parts of buffers.
pub(super) fn join<T: bytemuck::Pod>(
    before: Before<'_>,
    parts: &[(Place, Segment)],
    out: &mut [T],
) {
    let mut at = 0;
    for &(place, Segment { start, len, .. }) in parts {
        out[at..at + len].copy_from_slice(&before.at(place)[start..][..len]);
        at += len;
    }
}
