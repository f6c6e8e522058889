//! A reference implementation of networks by their formulas: one board at a time, in 64-bit floats.

use super::super::planes::PLANES;
use super::super::weights::{Block, Conv, Dense, Head, PolicyHead, Squeeze, Weights};
use super::places::{Place, places};
use super::{Network, Outputs, Question, Value};

/// A network, evaluated as its file describes it.
pub(in crate::lc0) struct Plain {
    weights: Weights,
    places: Vec<Place>,
}

/// Channels of a board, 64 values each.
type Board = Vec<f64>;

impl Network for Plain {
    type Memory = ();

    const NAME: &'static str = "lc0-reference";

    fn new(weights: Weights) -> Self {
        Self {
            weights,
            places: places(),
        }
    }

    fn answer(&self, questions: &[Question], (): &mut ()) -> Vec<Outputs> {
        questions
            .iter()
            .map(|question| self.one(question))
            .collect()
    }
}

impl Plain {
    fn one(&self, question: &Question) -> Outputs {
        let weights = &self.weights;
        let mut x = relu(conv(&weights.input, &board_of(question)));
        for block in &weights.blocks {
            x = residual(block, x);
        }
        let policy = if question.wanted.policy {
            self.policy(&x)
        } else {
            Vec::new()
        };
        let value: Vec<f32> = head(&weights.value, &x)
            .iter()
            .map(|&number| number as f32)
            .collect();
        let moves_left = weights
            .moves_left
            .as_ref()
            .filter(|_| question.wanted.moves_left);
        Outputs {
            value: Value::of(&value, |number| f64::from(number).tanh() as f32),
            moves_left: moves_left.map_or(0.0, |of| head(of, &x)[0].max(0.0) as f32),
            logits: question
                .moves
                .iter()
                .map(|&mv| policy[usize::from(mv)] as f32)
                .collect(),
        }
    }

    fn policy(&self, x: &Board) -> Vec<f64> {
        match &self.weights.policy {
            PolicyHead::Convolution { hidden, planes } => {
                let planes = conv(planes, &relu(conv(hidden, x)));
                let at = |place: &Place| {
                    planes[64 * usize::from(place.plane) + usize::from(place.square)]
                };
                self.places.iter().map(at).collect()
            }
            PolicyHead::Classical { squares, moves } => dense(moves, &relu(conv(squares, x))),
        }
    }
}

fn board_of(question: &Question) -> Board {
    let mut numbers = [0.0; 64 * PLANES];
    question.planes.write_to(&mut numbers);
    numbers.iter().map(|&number| number.into()).collect()
}

fn residual(block: &Block, x: Board) -> Board {
    let mut y = conv(&block.conv2, &relu(conv(&block.conv1, &x)));
    if let Some(Squeeze { down, gate, shift }) = &block.squeeze {
        let means: Vec<f64> = y
            .chunks_exact(64)
            .map(|channel| channel.iter().sum::<f64>() / 64.0)
            .collect();
        let down = relu(dense(down, &means));
        let (gates, shifts) = (dense(gate, &down), dense(shift, &down));
        for (channel, (gate, shift)) in y.chunks_exact_mut(64).zip(gates.iter().zip(shifts)) {
            let gate = 1.0 / (1.0 + (-gate).exp());
            channel
                .iter_mut()
                .for_each(|value| *value = *value * gate + shift);
        }
    }
    y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
    relu(y)
}

fn head(head: &Head, x: &Board) -> Vec<f64> {
    dense(
        &head.outputs,
        &relu(dense(&head.hidden, &relu(conv(&head.squares, x)))),
    )
}

fn relu(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers
        .iter_mut()
        .for_each(|number| *number = number.max(0.0));
    numbers
}

fn dense(layer: &Dense, x: &[f64]) -> Vec<f64> {
    let rows = layer.weights.chunks_exact(layer.inputs).zip(&layer.bias);
    rows.map(|(row, &bias)| {
        row.iter()
            .zip(x)
            .map(|(&weight, x)| f64::from(weight) * x)
            .sum::<f64>()
            + f64::from(bias)
    })
    .collect()
}

/// A convolution: for each weight, adds the shifted board times the weight.
fn conv(conv: &Conv, x: &Board) -> Board {
    let mut y: Board = conv
        .bias
        .iter()
        .flat_map(|&bias| [f64::from(bias); 64])
        .collect();
    let window = conv.size * conv.size;
    let margin = conv.size / 2;
    for (at, weights) in conv.weights.chunks_exact(window).enumerate() {
        let (output, channel) = (at / conv.channels, at % conv.channels);
        let (x, y) = (&x[64 * channel..][..64], &mut y[64 * output..][..64]);
        for (place, &weight) in weights.iter().enumerate() {
            let (down, right) = (place / conv.size, place % conv.size);
            add_moved(x, f64::from(weight), [down, right], margin, y);
        }
    }
    y
}

/// Adds `weight * x` to `y`, shifting `x`: `y` at (row, column) gets `x` at (row + down - margin, column +
/// right - margin), or nothing outside of the board.
fn add_moved(x: &[f64], weight: f64, [down, right]: [usize; 2], margin: usize, y: &mut [f64]) {
    for row in 0..8 {
        let Some(from) = (row + down).checked_sub(margin).filter(|&from| from < 8) else {
            continue;
        };
        for column in margin.saturating_sub(right)..8.min(8 + margin - right) {
            y[8 * row + column] += weight * x[8 * from + column + right - margin];
        }
    }
}
