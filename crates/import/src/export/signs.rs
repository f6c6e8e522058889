//! Binary layers: signs as integers 1 and -1, and `bias + scale * sum`.

use nnue_spec::{SignOf, TensorRole};

use super::model::{Value, Writer};
use super::steps::Pass;

/// The signs of integers; the sign of 0 is -1.
fn signs(writer: &mut Writer, x: &str) -> Value {
    let [zero, one, minus] = [0, 1, -1].map(|number| writer.number(number));
    let above = writer.node("Greater", &[x, &zero]);
    writer.node("Where", &[&above, &one, &minus])
}

impl Pass<'_, '_> {
    /// The signs of accumulators, of sums or of bytes.
    pub(super) fn sign(&mut self, of: SignOf) -> Value {
        let x = match of {
            SignOf::Accumulator => {
                let accumulators = self.accumulators.clone();
                self.writer.joined(&accumulators)
            }
            SignOf::Layer(layer) => self.sums[layer].clone(),
            SignOf::Buffer(buffer) => self.buffers[buffer].clone(),
        };
        signs(self.writer, &x)
    }

    /// `scale * sum` of a binary layer over `x`, plus the bias unless it is a float bias.
    pub(super) fn binary(&mut self, x: &str, layer: usize) -> Value {
        let weights = self.network.signs(self.writer, layer);
        let sums = self.products(x, &weights, layer);
        let scale = self.of_outputs(TensorRole::LayerScale(layer), layer);
        let sums = self.writer.node("Mul", &[&sums, &scale]);
        self.with_bias(sums, layer)
    }
}
