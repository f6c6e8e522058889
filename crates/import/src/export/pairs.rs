//! Operations that combine two values: pools, products of halves, gates.
//!
//! ```text
//!   halves       x[j], x[j + n/2]       Slice, Slice
//!   neighbours   x[2j], x[2j + 1]       Slice with step 2, twice
//! ```

use nnue_spec::Activation;
use nnue_spec::op::{Pairs, Pool};

use super::activation::activation;
use super::model::{Value, Writer};

/// Largest byte that layers read.
const BYTE: i64 = 127;

/// Shift of products of bytes.
pub(super) const SHIFT: u32 = 7;

/// The operands of the pairs of `len` columns.
pub(super) fn apart(writer: &mut Writer, x: &str, pairs: Pairs, len: usize) -> [Value; 2] {
    match pairs {
        Pairs::Halves => [0, len / 2].map(|start| writer.columns(x, start, len / 2)),
        Pairs::Neighbours => [0, 1].map(|start| writer.every(x, start, len / 2, 2)),
    }
}

/// A pool of integers; products are shifted.
pub(super) fn whole(writer: &mut Writer, pool: Pool, [a, b]: [&str; 2], shift: u32) -> Value {
    match pool {
        Pool::Add => {
            let sum = writer.node("Add", &[a, b]);
            writer.by("Min", &sum, BYTE)
        }
        Pool::Average => {
            let sum = writer.node("Add", &[a, b]);
            let sum = writer.by("Add", &sum, 1);
            writer.by("Div", &sum, 2)
        }
        Pool::Maximum => writer.node("Max", &[a, b]),
        Pool::Product => {
            let product = writer.node("Mul", &[a, b]);
            writer.shifted(product, shift)
        }
    }
}

pub(super) fn floats(writer: &mut Writer, pool: Pool, [a, b]: [&str; 2]) -> Value {
    match pool {
        Pool::Add => writer.node("Add", &[a, b]),
        Pool::Average => {
            let (sum, half) = (writer.node("Add", &[a, b]), writer.float(0.5));
            writer.node("Mul", &[&sum, &half])
        }
        Pool::Maximum => writer.node("Max", &[a, b]),
        Pool::Product => writer.node("Mul", &[a, b]),
    }
}

/// A gated linear unit of `len` floats, if the function is one: the lower half times a function of the upper
/// half.
pub(super) fn gated(
    writer: &mut Writer,
    function: Activation,
    y: &str,
    len: usize,
) -> Option<Value> {
    let of_gate = match function {
        Activation::Gated => Activation::HardSwish,
        Activation::Glu => Activation::Sigmoid,
        Activation::Reglu => Activation::Relu,
        Activation::Swiglu => Activation::Silu,
        _ => return None,
    };
    let [x, gate] = apart(writer, y, Pairs::Halves, len);
    let gate = activation(writer, of_gate, &gate)?;
    Some(writer.node("Mul", &[&x, &gate]))
}
