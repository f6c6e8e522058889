//! Integer networks: graphs that round activations to steps of 1/127 and weights to steps of a power of two.
//!
//! ```text
//!   Clip(0, 1) ─► QuantizeLinear(1/127) ─► DequantizeLinear        crelu, of which 1.0 is 127
//!   DequantizeLinear(weights of 8 bits, 1/64)                       : i8 @ 64
//! ```
//!
//! Pools of bytes are bytes. `quantmoid4`, and layers over signs of anything but accumulators, exist only in
//! integers, so a graph with one of them is an integer network even if it does not round.
//!
//! Graphs round to nearest, the language rounds down. Half a step is therefore added to the bias of each
//! activated layer; then both agree except at exact ties, which graphs round to even.

use std::collections::BTreeSet;

use crate::declare::Weights;
use crate::recognise::piece::{Function, Piece, PieceId, Pieces, Run, Segment};
use crate::recognise::{Head, QUANTMOID4, Recognised};

/// Parameters of an integer network.
#[derive(Clone, Copy, Debug)]
pub(super) struct Whole {
    /// scale of the accumulator
    pub(super) one: u32,
}

/// Scale of bytes.
const BYTE: u32 = 127;

/// Scales of weights that activations support, the usual one first.
const SCALES: [u32; 7] = [64, 128, 32, 16, 8, 4, 2];

/// Tolerance of a weight, in steps: floats have 24 bits.
const NEAR: f32 = 1e-3;

/// The parameters, if the graph rounds everything that layers read.
pub(super) fn whole(recognised: &Recognised) -> Option<Whole> {
    let pieces = &recognised.pieces;
    let (mut search, mut seen) = (
        Search {
            recognised,
            one: None,
            signs: false,
        },
        BTreeSet::new(),
    );
    let mut waiting: Vec<usize> = recognised
        .output
        .iter()
        .map(|segment| segment.piece)
        .collect();
    let (mut all, mut forced) = (true, false);
    while let Some(id) = waiting.pop() {
        if seen.insert(id) {
            all &= search.is_whole(id).is_some();
            forced |= has_no_floats(pieces, id);
            waiting.extend(pieces.operands(id).iter().map(|segment| segment.piece));
        }
    }
    let one = match search.one {
        _ if forced => Some(BYTE),
        None if search.signs && !recognised.rounded.is_empty() => Some(BYTE),
        one => one.filter(|_| all),
    };
    one.filter(|one| *one <= BYTE && (all || forced) && recognised.head == Head::Plain)
        .map(|one| Whole { one })
}

/// Whether a piece exists only in integers.
fn has_no_floats(pieces: &Pieces, id: PieceId) -> bool {
    match &pieces.0[id].piece {
        Piece::Activate {
            function: Function::Named(QUANTMOID4),
            ..
        } => true,
        Piece::Sign { x } => match pieces.of(*x) {
            Piece::Affine(sums) => !sums
                .x
                .iter()
                .all(|x| matches!(pieces.of(*x), Piece::Input(_))),
            other => !matches!(other, Piece::Turned { .. }),
        },
        _ => false,
    }
}

struct Search<'a> {
    recognised: &'a Recognised,
    /// scale of the accumulator
    one: Option<u32>,
    /// whether layers read signs
    signs: bool,
}

impl Search<'_> {
    /// Whether a piece may be part of an integer network.
    fn is_whole(&mut self, id: usize) -> Option<()> {
        let pieces = &self.recognised.pieces;
        let is_input = |x: &Segment| matches!(pieces.of(*x), Piece::Input(_));
        let is_sign = |x: &Segment| matches!(pieces.of(*x), Piece::Sign { .. });
        match &pieces.0[id].piece {
            Piece::Affine(affine) if affine.x.iter().all(is_input) => Some(()),
            Piece::Affine(affine) if affine.x.iter().all(is_sign) => {
                self.signs = true;
                Some(())
            }
            Piece::Affine(affine) => {
                steps_of(&affine.weight)?;
                affine.x.iter().try_for_each(|&x| self.is_byte(x))
            }
            Piece::Activate {
                x,
                function:
                    Function::Clamp {
                        low: 0.0,
                        high: 1.0,
                    },
            } => match *pieces.of(*x) {
                Piece::Sum { a, b } => [a, b].into_iter().try_for_each(|x| self.is_byte(x)),
                _ => Some(()),
            },
            Piece::Sum { a, b } | Piece::Larger { a, b } => {
                [*a, *b].into_iter().try_for_each(|x| self.is_byte(x))
            }
            Piece::Mean { x }
            | Piece::Runs {
                x,
                run: Run::Greatest | Run::Mean,
                ..
            } => self.is_byte(*x),
            Piece::Scale { x, .. } if matches!(pieces.of(*x), Piece::Sum { .. }) => Some(()),
            Piece::Input(_) | Piece::Chosen { .. } | Piece::Turned { .. } | Piece::Sign { .. } => {
                Some(())
            }
            _ => None,
        }
    }

    /// Whether a value consists of bytes: a rounded activation, or a pool of such.
    fn is_byte(&mut self, segment: Segment) -> Option<()> {
        let pieces = &self.recognised.pieces;
        let x = match *pieces.of(segment) {
            Piece::Activate { x, .. } => x,
            Piece::Sum { .. }
            | Piece::Larger { .. }
            | Piece::Mean { .. }
            | Piece::Runs { .. }
            | Piece::Scale { .. } => {
                return Some(());
            }
            _ => return None,
        };
        if matches!(pieces.of(x), Piece::Sum { .. }) {
            return Some(());
        }
        let number = in_steps(*self.recognised.rounded.get(&segment.piece)?)?;
        let is_input = |x: &Segment| matches!(pieces.of(*x), Piece::Input(_));
        let of_rows = match pieces.of(x) {
            Piece::Affine(sums) => sums.x.iter().all(is_input),
            other => matches!(other, Piece::Turned { .. }),
        };
        let expected = if of_rows {
            *self.one.get_or_insert(number)
        } else {
            BYTE
        };
        (number == expected).then_some(())
    }
}

/// `n` for a scale of `1 / n`.
fn in_steps(scale: f32) -> Option<u32> {
    let number = (1.0 / scale).round();
    ((1.0..=BYTE as f32).contains(&number) && (number * scale - 1.0).abs() < 1e-5)
        .then_some(number as u32)
}

/// The scale at which all weights are 8-bit integers.
pub(super) fn steps_of(weights: &[f32]) -> Option<u32> {
    let is_whole = |weight: f32, scale: u32| {
        let number = weight * scale as f32;
        (number - number.round()).abs() < NEAR && number.abs() <= BYTE as f32
    };
    SCALES
        .into_iter()
        .find(|&scale| weights.iter().all(|&weight| is_whole(weight, scale)))
}

/// `: i8 @ 32`, or nothing for the usual scale.
pub(super) fn weights_in_steps(scale: u32) -> String {
    if scale == SCALES[0] {
        String::new()
    } else {
        format!(": i8 @ {scale}")
    }
}

/// Half a step of bytes.
pub(super) const HALF_STEP: f32 = 0.5 / BYTE as f32;

/// Adds half a step to the biases of layers.
pub(super) fn raise(tensors: &mut [Weights], layers: &[String]) {
    for tensor in tensors {
        if layers
            .iter()
            .any(|layer| tensor.name == format!("{layer}_bias"))
        {
            tensor.values.iter_mut().for_each(|bias| *bias += HALF_STEP);
        }
    }
}
