//! Pools of values of layers, bytes or floats: one value from two, or from a run.

use core::ops::Range;

use bytemuck::Pod;
use nnue_spec::Segment;
use nnue_spec::op::Reduce;

use super::builder::Builder;
use super::run::{Run, Start};
use super::scratch::{Place, Scratch};
use crate::kernel::pool::Pooled;

pub(super) type BytePool = Pool<u8>;
pub(super) type FloatPool = Pool<f32>;
pub(super) type ByteReduced = Reduced<u8>;
pub(super) type FloatReduced = Reduced<f32>;

/// Combines pairs of values of one buffer or of two: `out[j] = f(x[stride * j], y[stride * j])`.
pub(super) struct Pool<T> {
    f: fn(T, T) -> T,
    operands: [(Place, usize); 2],
    stride: usize,
    len: usize,
    out: Place,
}

impl<T: Pooled> Pool<T> {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        pool: nnue_spec::Pool,
        operands: [Segment; 2],
        stride: usize,
        buffer: usize,
    ) -> Self {
        let operands = operands.map(|segment| (builder.buffer(segment.buffer), segment.start));
        let (len, out) = (builder.net.buffers[buffer].len, builder.make_values(buffer));
        Self {
            f: T::of_two(pool),
            operands,
            stride,
            len,
            out,
        }
    }
}

impl<T: Pooled + Pod> Run for Pool<T> {
    fn run(&self, _: Start<'_>, scratch: &mut Scratch) {
        let (before, out) = scratch.split::<T>(self.out);
        let [x, y] = self
            .operands
            .map(|(place, start)| before.at::<T>(place)[start..].iter().step_by(self.stride));
        out[..self.len]
            .iter_mut()
            .zip(x.zip(y))
            .for_each(|(result, (&x, &y))| *result = (self.f)(x, y));
    }
}

/// One value of each run of `size` values of a buffer.
pub(super) struct Reduced<T> {
    f: fn(&[T]) -> T,
    operand: Place,
    values: Range<usize>,
    size: usize,
    out: Place,
}

impl<T: Pooled> Reduced<T> {
    pub(super) fn new(
        builder: &mut Builder<'_>,
        reduce: Reduce,
        (operand, size): (Segment, usize),
        buffer: usize,
    ) -> Self {
        let (place, values) = (
            builder.buffer(operand.buffer),
            operand.start..operand.start + operand.len,
        );
        Self {
            f: T::of_run(reduce),
            operand: place,
            values,
            size,
            out: builder.make_values(buffer),
        }
    }
}

impl<T: Pooled + Pod> Run for Reduced<T> {
    fn run(&self, _: Start<'_>, scratch: &mut Scratch) {
        let (before, out) = scratch.split::<T>(self.out);
        let runs = before.at::<T>(self.operand)[self.values.clone()].chunks_exact(self.size);
        runs.zip(out)
            .for_each(|(run, result)| *result = (self.f)(run));
    }
}
