//! Values of sums and buffers, of any type, that a step reads.

use nnue_spec::{MapOperand, MapSource, Source};

use super::builder::Builder;
use super::scratch::{Before, Place};
use crate::kernel::interpret::Values;

/// Where some values are.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) place: Place,
    pub(super) numbers: Numbers,
    pub(super) start: usize,
    pub(super) len: usize,
}

/// The type of values.
#[derive(Clone, Copy)]
pub(super) enum Numbers {
    Accumulators,
    Bytes,
    Integers,
    Floats,
}

impl Part {
    pub(super) fn of_buffer(
        builder: &Builder<'_>,
        buffer: usize,
        start: usize,
        len: usize,
    ) -> Self {
        let numbers = match builder.net.buffers[buffer].source {
            Source::Integers => Numbers::Integers,
            source if source.is_float() => Numbers::Floats,
            _ => Numbers::Bytes,
        };
        Self {
            place: builder.buffer(buffer),
            numbers,
            start,
            len,
        }
    }

    /// The operand of an expression of `len` values.
    pub(super) fn of(builder: &Builder<'_>, operand: &MapOperand, len: usize) -> Self {
        let start = operand.start;
        let layer = match operand.source {
            MapSource::Accumulator => {
                return Self {
                    place: Place::default(),
                    numbers: Numbers::Accumulators,
                    start,
                    len,
                };
            }
            MapSource::Layer(layer) => layer,
            MapSource::Buffer(buffer) => return Self::of_buffer(builder, buffer, start, len),
        };
        let (place, numbers) = match builder.net.has_float_sums(layer) {
            true => (builder.floats(layer), Numbers::Floats),
            false => (builder.sums(layer), Numbers::Integers),
        };
        Self {
            place,
            numbers,
            start,
            len,
        }
    }

    #[inline(always)]
    pub(super) fn values<'a>(
        self,
        accumulators: &'a [&'a [i16]],
        before: Before<'a>,
    ) -> Values<'a> {
        let Self {
            place, start, len, ..
        } = self;
        match self.numbers {
            Numbers::Accumulators => Values::Accumulators(accumulators),
            Numbers::Bytes => Values::Bytes(&before.at(place)[start..][..len]),
            Numbers::Integers => Values::Integers(&before.at(place)[start..][..len]),
            Numbers::Floats => Values::Floats(&before.at(place)[start..][..len]),
        }
    }
}
