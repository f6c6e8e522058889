//! Elementwise expressions, of integers and of floats.

use alloc::vec::Vec;
use core::marker::PhantomData;

use nnue_spec::Scalar;
use nnue_spec::elementwise::{MAX_DEPTH, MAX_OPERANDS};

use super::builder::Builder;
use super::part::Part;
use super::run::{Run, Start};
use super::scratch::{Place, Scratch};
use crate::integer::LANES;
use crate::kernel::interpret::{Computed, Interpret, Values};
use crate::simd::dispatch_family;

pub(super) type IntegerMap = Map<i32>;
pub(super) type FloatMap = Map<f32>;

/// An expression that computes with `N`.
pub(super) struct Map<N> {
    code: Vec<Scalar>,
    operands: Vec<Part>,
    out: Place,
    /// number of results
    len: usize,
    /// values that wait for another operand
    waiting: Place,
    numbers: PhantomData<N>,
}

impl<N> Map<N> {
    pub(super) fn new(builder: &mut Builder<'_>, map: usize, buffer: usize) -> Self {
        let (desc, len) = (builder.net.maps[map], builder.net.buffers[buffer].len);
        let operands = desc.operands.iter();
        Self {
            code: desc.code.to_vec(),
            operands: operands
                .map(|operand| Part::of(builder, operand, len))
                .collect(),
            out: builder.make_buffer(buffer, 4 * len),
            len,
            waiting: builder.place(size_of::<[i32; LANES]>() * MAX_DEPTH),
            numbers: PhantomData,
        }
    }
}

impl<N: Computed> Run for Map<N> {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch) {
        let (before, out, waiting) = scratch.split_two::<N, N>(self.out, self.waiting);
        let mut operands = [Values::Bytes(&[]); MAX_OPERANDS];
        for (values, part) in operands.iter_mut().zip(&self.operands) {
            *values = part.values(start.accumulators, before);
        }
        dispatch_family(
            start.level,
            Interpret {
                code: &self.code,
                operands: &operands[..self.operands.len()],
                out: &mut *out,
                waiting,
            },
        );
        if N::IS_PADDING_READ {
            out[self.len..].fill(N::zeroed());
        }
    }
}
