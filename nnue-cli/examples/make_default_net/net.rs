//! From knowledge to weights.
//!
//! ```text
//! PSQT output b of (piece, square)     +16 x its worth in bucket b for an own piece, - for an enemy one
//! neuron j of the accumulator          pattern j, see `patterns`
//! output of stack b                    +worth of pattern j for the side to move, - for the other side; bias: the right to move
//! ```
//!
//! The network's value is (PSQT + positional) / 16, so that it comes out in centipawns.

use nnue_format::Tensors;
use nnue_spec::{NetDesc, TensorMut, TensorRole};

use super::patterns::{self, Pattern, UNIT};
use super::phase::{BUCKETS, Phased};
use super::pieces::{self, KINDS};

/// Raw units of the network's output per centipawn.
const RAW: i32 = 16;

/// What it is worth to be on the move.
const TEMPO: Phased = Phased::new(24, 12);

/// The row of the feature transformer for a piece on a square, as its own side sees it.
fn row(enemy: bool, kind: usize, square: usize) -> usize {
    384 * usize::from(enemy) + 64 * kind + square
}

/// The weights of the network that `net` describes: 768 rows, at least as many neurons as there are patterns, eight PSQT outputs and
/// eight stacks of one layer with one output.
///
/// # Panics
///
/// If `net` has another shape.
pub(crate) fn weights(net: &NetDesc<'_>) -> Tensors {
    let patterns = patterns::all();
    let width = net.accumulator.width;
    assert!(patterns.len() <= width, "{} patterns, {width} neurons", patterns.len());
    let mut tensors = Tensors::zeroed(net);
    for (desc, tensor) in net.tensors.iter().zip(tensors.muts()) {
        match (desc.role, tensor) {
            (TensorRole::TransformerBias, TensorMut::I16(bias)) => biases(&patterns, bias),
            (TensorRole::TransformerWeight, TensorMut::I16(weight)) => parts(&patterns, weight, width),
            (TensorRole::TransformerPsqt, TensorMut::I32(psqt)) => placement(psqt),
            (TensorRole::LayerBias(0), TensorMut::I32(bias)) => tempo(bias),
            (TensorRole::LayerWeight(0), TensorMut::I8(weight)) => worths(&patterns, weight, width),
            (role, _) => panic!("no knowledge for {role:?}"),
        }
    }
    tensors
}

fn biases(patterns: &[Pattern], bias: &mut [i16]) {
    for (pattern, bias) in patterns.iter().zip(bias) {
        *bias = narrow(pattern.bias);
    }
}

fn parts(patterns: &[Pattern], weight: &mut [i16], width: usize) {
    for (neuron, pattern) in patterns.iter().enumerate() {
        for part in &pattern.parts {
            weight[row(part.enemy, part.kind, part.square) * width + neuron] += narrow::<i16>(part.weight);
        }
    }
}

/// Half of the difference between the two perspectives counts, and each sees every piece: once as own, once as enemy.
fn placement(psqt: &mut [i32]) {
    for kind in 0..KINDS {
        for square in 0..64 {
            let worth = pieces::worth(kind, square);
            for bucket in 0..BUCKETS {
                psqt[row(false, kind, square) * BUCKETS + bucket] = worth.at(bucket, RAW);
                psqt[row(true, kind, square ^ 56) * BUCKETS + bucket] = (-worth).at(bucket, RAW);
            }
        }
    }
}

fn tempo(bias: &mut [i32]) {
    for (bucket, bias) in bias.iter_mut().enumerate() {
        *bias = TEMPO.at(bucket, RAW);
    }
}

/// A pattern shows [`UNIT`] per unit, so a weight of one is [`UNIT`] / [`RAW`] = one centipawn.
fn worths(patterns: &[Pattern], weight: &mut [i8], width: usize) {
    let columns = weight.len() / BUCKETS;
    for (bucket, row) in weight.chunks_mut(columns).enumerate() {
        for (neuron, pattern) in patterns.iter().enumerate() {
            row[neuron] = narrow(pattern.worth.at(bucket, RAW / UNIT));
            row[width + neuron] = narrow((-pattern.worth).at(bucket, RAW / UNIT));
        }
    }
}

fn narrow<T: TryFrom<i32>>(value: i32) -> T {
    value.try_into().unwrap_or_else(|_| panic!("{value} is too great for a weight"))
}
