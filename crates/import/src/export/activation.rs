//! Activations of floats.

use nnue_spec::Activation;

use super::model::{Value, Writer};

/// Applies an activation element by element; nothing if it cannot be exported.
pub(super) fn activation(writer: &mut Writer, function: Activation, y: &str) -> Option<Value> {
    Some(match function {
        Activation::Crelu => clip(writer, y, 1.0),
        Activation::Relu6 => clip(writer, y, 6.0),
        Activation::Screlu => {
            let clipped = clip(writer, y, 1.0);
            writer.node("Mul", &[&clipped, &clipped])
        }
        Activation::SqrCrelu => {
            let square = writer.node("Mul", &[y, y]);
            clip(writer, &square, 1.0)
        }
        Activation::Relu => writer.node("Relu", &[y]),
        Activation::LeakyRelu => writer.node("LeakyRelu", &[y]),
        Activation::Sigmoid => writer.node("Sigmoid", &[y]),
        Activation::Tanh => writer.node("Tanh", &[y]),
        Activation::HardSwish => writer.node("HardSwish", &[y]),
        Activation::Silu => {
            let gate = writer.node("Sigmoid", &[y]);
            writer.node("Mul", &[y, &gate])
        }
        _ => return None,
    })
}

/// `min(max(y, 0), high)`
fn clip(writer: &mut Writer, y: &str, high: f32) -> Value {
    let [low, high] = [0.0, high].map(|limit| writer.float(limit));
    writer.node("Clip", &[y, &low, &high])
}
