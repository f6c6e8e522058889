//! Pools and means of the values of layers.

use nnue_spec::Segment;
use nnue_spec::op::{Pool, Reduce};

use super::model::Value;
use super::pairs::{SHIFT, floats, whole};
use super::steps::Pass;

impl Pass<'_, '_> {
    /// A pool of two segments, whose values are `stride` apart.
    pub(super) fn pool(&mut self, pool: Pool, operands: [Segment; 2], stride: usize) -> Value {
        let is_float = self.network.net.buffers[operands[0].buffer]
            .source
            .is_float();
        let [a, b] = operands.map(|Segment { buffer, start, len }| {
            let x = self.buffers[buffer].clone();
            match (stride, len == self.network.net.buffers[buffer].len) {
                (1, true) => x,
                (1, false) => self.writer.columns(&x, start, len),
                _ => self.writer.every(&x, start, len, stride),
            }
        });
        match is_float {
            true => floats(self.writer, pool, [&a, &b]),
            false => whole(self.writer, pool, [&a, &b], SHIFT),
        }
    }

    /// Reduces each run of `size` values from left to right.
    pub(super) fn reduce(&mut self, reduce: Reduce, operand: Segment, size: usize) -> Value {
        let is_float = self.network.net.buffers[operand.buffer].source.is_float();
        let x = self.buffers[operand.buffer].clone();
        let combine = match reduce {
            Reduce::Mean => "Add",
            Reduce::Maximum => "Max",
        };
        let mut result = self
            .writer
            .every(&x, operand.start, operand.len / size, size);
        for place in 1..size {
            let next = self
                .writer
                .every(&x, operand.start + place, operand.len / size, size);
            result = self.writer.node(combine, &[&result, &next]);
        }
        match (reduce, is_float) {
            (Reduce::Maximum, _) => result,
            (Reduce::Mean, true) => {
                let count = self.writer.float(size as f32);
                self.writer.node("Div", &[&result, &count])
            }
            (Reduce::Mean, false) => {
                let twice = self.writer.by("Mul", &result, 2);
                let rounded = self.writer.by("Add", &twice, size as i64);
                self.writer.by("Div", &rounded, 2 * size as i64)
            }
        }
    }
}
