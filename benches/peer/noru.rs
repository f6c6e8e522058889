//! `noru`: a network of shape (768 -> 256)x2 -> 32 -> 1, with the same numbers as ours.

use std::rc::Rc;

use nnue::{Color, Placed, Position as _};
use noru::config::{Activation, NnueConfig};
use noru::network::{Accumulator, FeatureDelta, NnueWeights, forward};

use crate::support::{Board, LONGEST, Line, Record, Workload};

use super::shape::{FEATURES, HIDDEN, Tensors, WIDTH};

/// The same network in noru's arithmetic.
///
/// Its hidden layer divides by 256 where ours shifts by 6, so its weights are four times ours. Its biases are in units of 256 (hidden)
/// and 16 (output). With the biases of `Tensors`, both give exactly the same number.
pub(crate) fn weights(tensors: &Tensors) -> NnueWeights {
    let config = NnueConfig::new_static(FEATURES, WIDTH, &[HIDDEN], Activation::CReLU);
    let mut weights = NnueWeights::zeros(config);
    weights
        .feature_bias
        .copy_from_slice(&tensors.transformer_bias);
    for (row, values) in weights
        .feature_weights
        .iter_mut()
        .zip(tensors.transformer_weight.chunks(WIDTH))
    {
        row.copy_from_slice(values);
    }
    weights.hidden_weights[0] = tensors
        .hidden_weight
        .iter()
        .map(|&weight| 4 * i16::from(weight))
        .collect();
    weights.hidden_biases[0] = tensors
        .hidden_bias
        .iter()
        .map(|&bias| narrow(bias, 64))
        .collect();
    weights.output_weights = tensors
        .output_weight
        .iter()
        .map(|&weight| weight.into())
        .collect();
    weights.output_bias = narrow(tensors.output_bias, 16);
    weights
}

fn narrow(bias: i32, unit: i32) -> i16 {
    assert_eq!(bias % unit, 0, "a bias that noru can express");
    (bias / unit)
        .try_into()
        .expect("a bias that noru can express")
}

/// A line in noru's types, made outside the clock, because users of noru compute the indices of features.
struct ForeignLine {
    /// active features of the root: side to move, other side
    root: [Vec<usize>; 2],
    /// per move the changed features: of the side that moves, of the other side
    steps: Vec<[FeatureDelta; 2]>,
}

impl From<&Line> for ForeignLine {
    fn from(line: &Line) -> Self {
        let mut mover = line.root.side_to_move();
        let steps = line.steps.iter().map(|step| {
            let delta = |perspective| {
                let indices = |list: &[Placed]| {
                    list.iter()
                        .map(|&p| feature(perspective, p))
                        .collect::<Vec<_>>()
                };
                let change = &step.change;
                FeatureDelta::from_slices(&indices(change.added()), &indices(change.removed()))
                    .expect("a short list")
            };
            let deltas = [mover, mover.other()].map(delta);
            mover = mover.other();
            deltas
        });
        Self {
            steps: steps.collect(),
            root: active(&line.root),
        }
    }
}

/// The active features: of the side to move, of the other side.
fn active(board: &Board) -> [Vec<usize>; 2] {
    let mover = board.side_to_move();
    [mover, mover.other()].map(|perspective| {
        board
            .placed()
            .map(|placed| feature(perspective, placed))
            .collect()
    })
}

/// (Own or enemy, piece, square) of the board as `perspective` sees it.
fn feature(perspective: Color, placed: Placed) -> usize {
    let enemy = usize::from(placed.piece.color() != perspective);
    let flip = if perspective == Color::Black { 56 } else { 0 };
    384 * enemy + 64 * placed.piece.kind().index() + (placed.square.index() ^ flip)
}

/// Per ply: `update_incremental`, `swap`, `forward`.
pub(crate) struct Plies {
    weights: Rc<NnueWeights>,
    accumulator: Accumulator,
    lines: Vec<ForeignLine>,
    deltas: Vec<[FeatureDelta; 2]>,
}

impl Plies {
    pub(crate) fn new(weights: &Rc<NnueWeights>, lines: &[Line]) -> Self {
        Self {
            weights: Rc::clone(weights),
            accumulator: Accumulator::new(&weights.feature_bias),
            lines: lines.iter().map(Into::into).collect(),
            deltas: Vec::new(),
        }
    }
}

impl Workload for Plies {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &self.lines {
            self.accumulator
                .refresh(&self.weights, &line.root[0], &line.root[1]);
            // A program fills a delta just before it uses it, so it is in the nearest cache.
            self.deltas.clear();
            self.deltas.extend_from_slice(&line.steps);
            record.time(|values| {
                for [mover, other] in &self.deltas {
                    self.accumulator
                        .update_incremental(&self.weights, mover, other);
                    self.accumulator.swap();
                    values.push(forward(&self.accumulator, &self.weights));
                }
            });
        }
    }
}

/// Per evaluation: `forward` on the computed accumulators of a line, from its end back to its start.
pub(crate) struct Forward {
    weights: Rc<NnueWeights>,
    lines: Vec<ForeignLine>,
    slots: Vec<Accumulator>,
}

impl Forward {
    pub(crate) fn new(weights: &Rc<NnueWeights>, lines: &[Line]) -> Self {
        Self {
            weights: Rc::clone(weights),
            lines: lines.iter().map(Into::into).collect(),
            slots: Vec::new(),
        }
    }
}

impl Workload for Forward {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &self.lines {
            let mut accumulator = Accumulator::new(&self.weights.feature_bias);
            accumulator.refresh(&self.weights, &line.root[0], &line.root[1]);
            self.slots.clear();
            for [mover, other] in &line.steps {
                accumulator.update_incremental(&self.weights, mover, other);
                accumulator.swap();
                forward(&accumulator, &self.weights);
                self.slots.push(accumulator.clone());
            }
            record.time(|values| {
                for accumulator in self.slots.iter().rev() {
                    values.push(forward(accumulator, &self.weights));
                }
            });
        }
    }
}

/// Per position: `refresh`, then `forward`; the lists of features are made outside the clock.
pub(crate) struct Refresh {
    weights: Rc<NnueWeights>,
    accumulator: Accumulator,
    positions: Vec<[Vec<usize>; 2]>,
}

impl Refresh {
    pub(crate) fn new(weights: &Rc<NnueWeights>, boards: &[Board]) -> Self {
        let accumulator = Accumulator::new(&weights.feature_bias);
        Self {
            weights: Rc::clone(weights),
            accumulator,
            positions: boards.iter().map(active).collect(),
        }
    }
}

impl Workload for Refresh {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for positions in self.positions.chunks(LONGEST) {
            record.time(|values| {
                for [mover, other] in positions {
                    self.accumulator.refresh(&self.weights, mover, other);
                    values.push(forward(&self.accumulator, &self.weights));
                }
            });
        }
    }
}
