//! Named outputs.

use nnue_spec::{HeadDesc, HeadKind, HeadSource, Unit};

use super::model::{Kind, Value};
use super::steps::Pass;

impl Pass<'_, '_> {
    /// The values of an output in units of 1.0, or the probabilities of loss, draw and win.
    pub(super) fn head(&mut self, head: &HeadDesc<'_>) -> Value {
        let net = self.network.net;
        let (values, is_float, count) = match head.source {
            HeadSource::Layer(layer) => {
                let is_float = !self.floats[layer].is_empty();
                let values = if is_float {
                    &self.floats[layer]
                } else {
                    &self.sums[layer]
                };
                (values.clone(), is_float, net.layers[layer].outputs)
            }
            HeadSource::Buffer(buffer) => {
                let desc = &net.buffers[buffer];
                (
                    self.buffers[buffer].clone(),
                    desc.source.is_float(),
                    desc.len,
                )
            }
        };
        let values = match head.kind {
            HeadKind::Rows => values,
            _ if head.len == count => values,
            _ => self.writer.columns(&values, head.start, head.len),
        };
        let values = if is_float {
            values
        } else {
            self.writer.cast(&values, Kind::Float)
        };
        let values = match head.unit {
            Unit { num: 1, den: 1 } => values,
            Unit { num, den } => {
                let factor = self.writer.float(num as f32 / den as f32);
                self.writer.node("Mul", &[&values, &factor])
            }
        };
        match head.kind {
            HeadKind::Wdl => self.writer.with("Softmax", &[&values], &[("axis", 1)]),
            HeadKind::Numbers | HeadKind::Rows => values,
        }
    }
}
