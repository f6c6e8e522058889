//! Networks that are evaluated: what they are asked, what they say, and two ways to find out.
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

/// What is asked of a network.
#[derive(Debug)]
pub(super) struct Question {
    pub(super) planes: Box<Planes>,
    /// the number of each move
    pub(super) moves: Vec<u16>,
    pub(super) wanted: Wanted,
}

/// What a network says.
pub(super) struct Outputs {
    pub(super) value: Value,
    /// plies, 0 of networks that do not know
    pub(super) moves_left: f32,
    /// a logit for each move
    pub(super) logits: Vec<f32>,
}

/// The value of a position.
#[derive(Clone, Copy)]
pub(super) enum Value {
    /// logits of win, draw and loss
    Wdl([f32; 3]),
    /// -1 to 1
    Number(f32),
}

impl Value {
    /// The value that the last layer of its head says.
    fn of(outputs: &[f32], tanh: impl Fn(f32) -> f32) -> Self {
        match *outputs {
            [number] => Self::Number(tanh(number)),
            [win, draw, loss] => Self::Wdl([win, draw, loss]),
            _ => unreachable!("weights with one or three values are all that is read"),
        }
    }
}

/// A network that answers questions.
pub(super) trait Network: Send + Sync + Sized + 'static {
    /// What an evaluation needs beside the network, one for each thread.
    type Memory: Default + Send;

    /// The backend of these answers, part of their identity: sums in other orders and floats of another size give other numbers.
    const NAME: &'static str;

    fn new(weights: Weights) -> Self;

    /// The answers to all questions, computed together.
    fn answer(&self, questions: &[Question], memory: &mut Self::Memory) -> Vec<Outputs>;
}
