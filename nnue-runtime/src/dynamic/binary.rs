//! Steps over signs.

use alloc::vec::Vec;

use nnue_spec::layout::sign_words;
use nnue_spec::{Segment, SignOf, TensorRef, TensorRole};

use super::builder::{Builder, Home, PerStack};
use super::run::{Run, Start};
use super::scratch::{Place, Scratch};
use crate::binary::Prepared;
use crate::kernel::binary::{SetSigns, SumsOfSigns, Values, append_signs};
use crate::simd::{dispatch, dispatch_family};

pub(super) struct Sign {
    of: Of,
    len: usize,
    out: Place,
}

enum Of {
    Accumulators,
    Sums(Place),
    Bytes(Place),
    /// of an accumulator buffer
    Sparse(usize),
}

impl Sign {
    pub(super) fn new(builder: &mut Builder<'_>, of: SignOf, buffer: usize) -> Self {
        let of = match of {
            SignOf::Accumulator => Of::Accumulators,
            SignOf::Layer(layer) => Of::Sums(builder.sums(layer)),
            SignOf::Buffer(read) => match builder.home(read) {
                Home::Lines(place) => Of::Bytes(place),
                Home::Sparse(buffer, _) => Of::Sparse(buffer),
            },
        };
        let len = builder.net.buffers[buffer].len;
        Self {
            of,
            len,
            out: builder.make_buffer(buffer, 4 * sign_words(len)),
        }
    }
}

impl Run for Sign {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let (before, out) = scratch.split::<u32>(self.out);
        let values = match self.of {
            Of::Accumulators => Values::Accumulators(start.accumulators),
            Of::Sums(place) => Values::Sums(before.at(place)),
            Of::Bytes(place) => Values::Bytes(before.at(place)),
            Of::Sparse(buffer) => Values::Bytes(before.sparse[buffer].blocks().as_flattened()),
        };
        let out = &mut out[..sign_words(self.len)];
        out.fill(0);
        dispatch_family(
            start.level,
            SetSigns {
                values,
                len: self.len,
                out,
            },
        );
    }
}

pub(super) struct Binary {
    parts: Vec<(Place, Segment)>,
    /// where the parts are concatenated; `None` if the input is one whole buffer
    joined: Option<Place>,
    words: usize,
    start: PerStack,
    factor: PerStack,
    weights: PerStack,
    sums: Place,
}

impl Binary {
    /// `None` if its tensors do not have the types that the kernel reads.
    pub(super) fn new(builder: &mut Builder<'_>, layer: usize) -> Option<Self> {
        let net = builder.net;
        let desc = &net.layers[layer];
        let (stacks, padded, words) = (
            net.stacks.count,
            desc.padded_outputs(),
            sign_words(desc.inputs),
        );
        let (mut start, mut factor) = (
            PerStack::zeroed(stacks, 4 * padded),
            PerStack::zeroed(stacks, 4 * padded),
        );
        let mut weights = PerStack::zeroed(stacks, 4 * padded * words);
        let signs = builder.bytes(TensorRole::LayerWeight(layer));
        let Some(TensorRef::I16(scales)) = builder.tensor(TensorRole::LayerScale(layer)) else {
            return None;
        };
        for stack in builder.stacks() {
            let (bias, rows) = (
                builder.start(layer, stack),
                builder.rows(signs, stack, desc.file_inputs),
            );
            let mut prepared = Prepared {
                start: start.of_mut(stack),
                factor: factor.of_mut(stack),
                words: weights.of_mut(stack),
            };
            for (output, (bias, row)) in bias.into_iter().zip(rows).enumerate() {
                let scale = scales[stack * desc.outputs + output];
                prepared.set(output, (bias, scale), row, desc.inputs, builder.level);
            }
        }
        let parts = desc
            .segments
            .iter()
            .map(|&segment| (builder.buffer(segment.buffer), segment))
            .collect();
        let is_whole = matches!(*desc.segments, [Segment { buffer, start: 0, len }] if len == net.buffers[buffer].len);
        let joined = (!is_whole).then(|| builder.place(4 * words));
        Some(Self {
            parts,
            joined,
            words,
            start,
            factor,
            weights,
            sums: builder.make_sums(layer),
        })
    }
}

impl Run for Binary {
    fn run(&self, Start { level, stack, .. }: Start<'_>, scratch: &mut Scratch) {
        if let Some(joined) = self.joined {
            let (before, out) = scratch.split::<u32>(joined);
            out.fill(0);
            let mut at = 0;
            for &(place, Segment { start, len, .. }) in &self.parts {
                append_signs((before.at(place), start, len), out, &mut at);
            }
        }
        let (before, sums) = scratch.split::<i32>(self.sums);
        sums.fill(0);
        let x = &before.at::<u32>(self.joined.unwrap_or(self.parts[0].0))[..self.words];
        let (start, factor) = (self.start.of(stack), self.factor.of(stack));
        let words = &self.weights.of::<i32>(stack)[..self.words * sums.len()];
        dispatch(
            level,
            SumsOfSigns {
                x,
                start,
                factor,
                words,
                sums,
            },
        );
    }
}
