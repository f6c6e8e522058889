//! Pools and means of values of layers.

use nnue_spec::Segment;
use nnue_spec::op::Pool;

use super::model::Value;
use super::pairs::{SHIFT, floats, whole};
use super::steps::Pass;

impl Pass<'_, '_> {
    /// The mean of values of a buffer, `[n, 1]`.
    pub(super) fn mean(&mut self, Segment { buffer, start, len }: Segment) -> Value {
        let x = self.buffers[buffer].clone();
        let x = self.writer.columns(&x, start, len);
        let axes = self.writer.list(&[1]);
        let sum = self.writer.with("ReduceSum", &[&x, &axes], &[("keepdims", 1)]);
        if self.network.net.buffers[buffer].source.is_float() {
            let len = self.writer.float(len as f32);
            return self.writer.node("Div", &[&sum, &len]);
        }
        let twice = self.writer.by("Mul", &sum, 2);
        let rounded = self.writer.by("Add", &twice, len as i64);
        self.writer.by("Div", &rounded, 2 * len as i64)
    }

    /// A pool of values of buffers, one `stride` after the other.
    pub(super) fn pool(&mut self, pool: Pool, operands: [Segment; 2], stride: usize) -> Value {
        let is_float = self.network.net.buffers[operands[0].buffer].source.is_float();
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
}
