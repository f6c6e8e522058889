//! Graphs that round: activations in steps of 1/127, and weights in steps of a power of two, are a network in whole numbers.
//!
//! ```text
//!   Clip(0, 1) ─► QuantizeLinear(1/127) ─► DequantizeLinear        crelu, of which 1.0 is 127
//!   DequantizeLinear(weights of 8 bits, 1/64)                       : i8 @ 64
//! ```
//!
//! Graphs round to the nearest step, networks of the language down. So half a step is added to the bias of each layer that is activated: then both have the
//! same numbers, but where a sum is in the middle between two steps, which graphs round to the even one.

use std::collections::BTreeSet;

use crate::declare::Weights;
use crate::recognise::piece::{Function, Piece};
use crate::recognise::{Head, Recognised};

/// A network in whole numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// what 1.0 is in the accumulator
    pub(super) one: u32,
}

/// What 1.0 is among the bytes that layers give.
const BYTE: u32 = 127;

/// Scales of weights for which there are activations.
const SCALES: [u32; 7] = [64, 128, 32, 16, 8, 4, 2];

/// How far a weight may be from a step, in steps: floats have 24 bits.
const NEAR: f32 = 1e-3;

/// What the graph is in whole numbers, if it rounds everything that layers read.
pub(super) fn whole(recognised: &Recognised) -> Option<Whole> {
    let pieces = &recognised.pieces;
    let (mut one, mut seen) = (None, BTreeSet::new());
    let mut waiting: Vec<usize> = recognised.output.iter().map(|segment| segment.piece).collect();
    while let Some(id) = waiting.pop() {
        if !seen.insert(id) {
            continue;
        }
        let reads = pieces.operands(id);
        match &pieces.0[id].piece {
            Piece::Affine(affine) => {
                let is_input = |piece: usize| matches!(pieces.0[piece].piece, Piece::Input(_));
                if !affine.x.iter().all(|segment| is_input(segment.piece)) {
                    steps_of(&affine.weight)?;
                    for segment in &affine.x {
                        let steps = *recognised.rounded.get(&segment.piece)?;
                        let Piece::Activate { x, .. } = pieces.of(*segment) else { return None };
                        let of_rows = matches!(pieces.of(*x), Piece::Affine(sums) if sums.x.iter().all(|x| is_input(x.piece)))
                            || matches!(pieces.of(*x), Piece::Turned { .. });
                        let number = in_steps(steps)?;
                        match of_rows {
                            true if *one.get_or_insert(number) != number => return None,
                            false if number != BYTE => return None,
                            _ => {}
                        }
                    }
                }
            }
            Piece::Activate { function: Function::Clamp { low: 0.0, high: 1.0 }, .. }
            | Piece::Input(_)
            | Piece::Chosen { .. }
            | Piece::Turned { .. } => {}
            _ => return None,
        }
        waiting.extend(reads.iter().map(|segment| segment.piece));
    }
    one.filter(|one| *one <= BYTE && recognised.head == Head::Plain).map(|one| Whole { one })
}

/// `n` of steps of `1 / n`.
fn in_steps(scale: f32) -> Option<u32> {
    let number = (1.0 / scale).round();
    ((1.0..=BYTE as f32).contains(&number) && (number * scale - 1.0).abs() < 1e-5).then_some(number as u32)
}

/// The scale with which weights are whole numbers of 8 bits.
pub(super) fn steps_of(weights: &[f32]) -> Option<u32> {
    let is_whole = |weight: f32, scale: u32| {
        let number = weight * scale as f32;
        (number - number.round()).abs() < NEAR && number.abs() <= BYTE as f32
    };
    SCALES.into_iter().find(|&scale| weights.iter().all(|&weight| is_whole(weight, scale)))
}

/// `: i8 @ 32`, or nothing for the usual scale.
pub(super) fn weights_in_steps(scale: u32) -> String {
    if scale == SCALES[0] { String::new() } else { format!(": i8 @ {scale}") }
}

/// Half a step of the bytes that layers give.
pub(super) const HALF_STEP: f32 = 0.5 / BYTE as f32;

/// Adds half a step to the biases of layers.
pub(super) fn raise(tensors: &mut [Weights], layers: &[String]) {
    for tensor in tensors {
        if layers.iter().any(|layer| tensor.name == format!("{layer}_bias")) {
            tensor.values.iter_mut().for_each(|bias| *bias += HALF_STEP);
        }
    }
}
