//! Evaluation of networks: questions, outputs, and two implementations.
//!
//! ```text
//!   question   planes, the numbers of the moves, what is wanted
//!   tower      the way of `lc0`: many boards at once, 32-bit floats, convolutions by Winograd's transforms
//!   heads      the ends of it; prepare: layers for both
//!   plain      the way of `lc0-reference`: sums of windows in 64-bit floats, one board at a time
//!   places     where the logit of a move is among 80 planes
//! ```

mod heads;
mod places;
mod plain;
mod prepare;
mod tower;

use super::planes::Planes;
use super::weights::Weights;
use crate::game::Wanted;

pub(super) use plain::Plain;
pub(super) use tower::Tower;

/// An encoded sample.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) planes: Box<Planes>,
    /// index of each move
    pub(super) moves: Vec<u16>,
    pub(super) wanted: Wanted,
}

pub(super) struct Outputs {
    pub(super) value: Value,
    /// plies left; 0 if the network does not have this head
    pub(super) moves_left: f32,
    /// one logit per move
    pub(super) logits: Vec<f32>,
}

#[derive(Clone, Copy)]
pub(super) enum Value {
    /// logits of win, draw and loss
    Wdl([f32; 3]),
    /// -1 to 1
    Number(f32),
}

impl Value {
    /// The value from the outputs of its head.
    fn of(outputs: &[f32], tanh: impl Fn(f32) -> f32) -> Self {
        match *outputs {
            [number] => Self::Number(tanh(number)),
            [win, draw, loss] => Self::Wdl([win, draw, loss]),
            _ => unreachable!("weights with one or three values are all that is read"),
        }
    }
}

/// An implementation of a network.
pub(super) trait Network: Send + Sync + Sized + 'static {
    /// Scratch memory of an evaluation, one per thread.
    type Memory: Default + Send;

    /// Name of the backend, which is part of the identity of answers: implementations round differently.
    const NAME: &'static str;

    fn new(weights: Weights) -> Self;

    /// Evaluates a batch.
    fn answer(&self, questions: &[Question], memory: &mut Self::Memory) -> Vec<Outputs>;
}
