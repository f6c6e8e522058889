//! Exports layers with 8-bit weights as float products after `QuantizeLinear` and `DequantizeLinear`, which
//! engines turn into byte products.
//!
//! ```text
//!   bytes ─► Cast ─► * 2^-7 ─► QuantizeLinear(2^-7) ─► DequantizeLinear(2^-7) ─┐
//!                             weights of 8 bits ─────► DequantizeLinear(2^-6) ─┴─► MatMul ─► * 2^13 ─► Cast ─► whole numbers
//! ```
//!
//! Scales are powers of two and partial sums are integer multiples of a step below 2^24, so floats hold them
//! exactly in any order of additions. Weights with another scale, such as 100, use the next lower power of
//! two.

use nnue_spec::{ElementType, LayerKind, TensorRole};

use super::error::{ExportError, refuse};
use super::model::{Kind, Value};
use super::steps::Pass;

/// The scale of bytes is `2^-BYTES`.
const BYTES: u32 = 7;

/// Floats hold all integers up to here.
const MOST: i64 = 1 << 24;

impl Pass<'_, '_> {
    /// Whether a layer multiplies bytes by 8-bit weights. Expressions make other integers too.
    pub(super) fn multiplies_bytes(&self, layer: usize) -> bool {
        let net = self.network.net;
        let desc = &net.layers[layer];
        let is_byte = |(least, greatest)| 0 <= least && greatest <= i32::from(u8::MAX);
        desc.kind != LayerKind::Binary
            && !net.reads_words(layer)
            && net.weights_of(layer) == ElementType::I8
            && desc
                .segments
                .iter()
                .all(|segment| is_byte(net.range_of(segment.buffer)))
    }

    /// Bytes times the weights of all stacks of a layer, without bias.
    pub(super) fn product_of_bytes(&mut self, x: &str, layer: usize) -> Result<Value, ExportError> {
        self.check_sums(layer)?;
        let shift = self.network.net.layers[layer].scale.max(1).ilog2();
        let [bytes, weights] =
            [BYTES, shift].map(|shift| self.writer.float(1.0 / (1_u64 << shift) as f32));
        let x = self.writer.cast(x, Kind::Float);
        let x = self.writer.node("Mul", &[&x, &bytes]);
        let x = self.writer.node("QuantizeLinear", &[&x, &bytes]);
        let x = self.writer.node("DequantizeLinear", &[&x, &bytes]);
        let stored = self.network.stored_layer(self.writer, layer);
        let weights = self.writer.node("DequantizeLinear", &[&stored, &weights]);
        let products = self.writer.node("MatMul", &[&x, &weights]);
        let steps = self.writer.float((1_u64 << (BYTES + shift)) as f32);
        let products = self.writer.node("Mul", &[&products, &steps]);
        Ok(self.writer.cast(&products, Kind::Int64))
    }

    /// Refuses sums that floats cannot hold exactly.
    fn check_sums(&self, layer: usize) -> Result<(), ExportError> {
        let net = self.network.net;
        let desc = &net.layers[layer];
        let greatest = desc
            .segments
            .iter()
            .map(|segment| i64::from(net.buffers[segment.buffer].max))
            .max()
            .unwrap_or(0);
        let Some((tensor, weights)) = self.network.find(TensorRole::LayerWeight(layer)) else {
            return Ok(());
        };
        let magnitude = |at: usize| i64::from(weights.get(at)).abs();
        let sum = |row: usize| {
            (row * tensor.cols..(row + 1) * tensor.cols)
                .map(magnitude)
                .sum::<i64>()
                * greatest
        };
        match (0..weights.len() / tensor.cols).map(sum).max() {
            Some(most) if most > MOST => {
                let what = format!("sums of up to {most} in `{}`", desc.name);
                Err(refuse(
                    net,
                    what,
                    "floats do not hold exactly beyond 16777216: write it in whole numbers, without QDQ",
                ))
            }
            _ => Ok(()),
        }
    }
}
