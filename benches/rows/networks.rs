//! The networks: lists of rows, and the same rows as a feature set of the program.

use nnue::game::{ChangedRows, Inputs, Rows};
use nnue::spec::{TensorMut, TensorRef};
use nnue::{Color, Model, Network, Parameters, nnue};

nnue! {
    pub(crate) struct Listed256 = rows[4096, active 64] -> 256 -> 16 -> 1;
    pub(crate) struct Listed1024 = rows[4096, active 64] -> 1024 -> 16 -> 1;
    pub(crate) struct Held256 = self::Held[4096, active 64] -> 256 -> 16 -> 1;
    pub(crate) struct Held1024 = self::Held[4096, active 64] -> 1024 -> 16 -> 1;
}

/// A feature set whose positions are their rows.
pub(crate) struct Held;

/// Rows that leave and come.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) removed: [u32; 2],
    pub(crate) added: [u32; 2],
}

impl Inputs for Held {
    type Position = Vec<u32>;
    type Change = Exchange;
    type View = ();
    const ROWS: usize = 4096;

    fn side_to_move(_: &Vec<u32>) -> Color {
        Color::White
    }

    fn view(_: &Vec<u32>, _: Color) {}

    fn active(position: &Vec<u32>, _: Color, (): (), rows: &mut Rows) {
        position.iter().for_each(|&row| rows.add(row));
    }

    fn changed(change: &Exchange, _: Color, (): (), rows: &mut ChangedRows) {
        change.removed.iter().for_each(|&row| rows.remove(row));
        change.added.iter().for_each(|&row| rows.add(row));
    }
}

/// A network with these weights.
///
/// # Panics
///
/// If they are those of another shape.
pub(crate) fn with_weights<A: Model>(weights: &[TensorRef<'_>]) -> Network<A> {
    let mut params = A::Params::zeroed();
    for (target, weights) in params.tensors_mut().into_iter().zip(weights) {
        match (target, weights) {
            (TensorMut::I8(target), TensorRef::I8(weights)) => target.copy_from_slice(weights),
            (TensorMut::I16(target), TensorRef::I16(weights)) => target.copy_from_slice(weights),
            (TensorMut::I32(target), TensorRef::I32(weights)) => target.copy_from_slice(weights),
            _ => panic!("a tensor of another type"),
        }
    }
    Network::from_params(params)
}
