//! Values in terms of the language: pieces, and lists of their parts.
//!
//! ```text
//!   Concat(Clip(a), Clip(b)) ─► Slice[8..]         is the parts    clamp(a)[8..16]  clamp(b)[..16]
//! ```
//!
//! So a concatenation or a slice is not a piece, and an operation on a concatenation applies to each part.

use crate::error::ImportError;
use crate::graph::ValueId;
use crate::op::Windows;
use crate::tensor::MAX_ELEMENTS;

/// Limits of a graph. A layer is copied when a constant is folded into it, hence the second one.
const MAX_PIECES: usize = 1 << 14;
const MAX_WEIGHTS: usize = 4 * MAX_ELEMENTS;

pub(crate) type PieceId = usize;

/// A range of channels of a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Segment {
    pub(crate) piece: PieceId,
    pub(crate) start: usize,
    pub(crate) len: usize,
}

/// Concatenated segments.
pub(crate) type Parts = Vec<Segment>;

/// An operation of the language, or a step towards one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Piece {
    /// the input of this index
    Input(usize),
    /// weighted sums
    Affine(Affine),
    /// `(x - mean) / sqrt(variance + eps) * weight + bias`, in this order
    Norm {
        x: Segment,
        tensors: [Vec<f32>; 4],
        eps: f64,
    },
    /// `x * factor + shift`, by channel
    Scale {
        x: Segment,
        factor: Vec<f32>,
        shift: Vec<f32>,
    },
    /// an element-wise function
    Activate { x: Segment, function: Function },
    /// the maximum or the mean of each window
    Pool {
        x: Segment,
        greatest: bool,
        windows: Windows,
    },
    /// planes as a vector
    Flatten { x: Segment },
    /// `a + b`
    Sum { a: Segment, b: Segment },
    /// `a * b`
    Product { a: Segment, b: Segment },
    /// `max(a, b)`
    Larger { a: Segment, b: Segment },
    /// the mean of a vector
    Mean { x: Segment },
    /// one number for each `size` neighbours
    Runs { x: Segment, size: usize, run: Run },
    /// `x > 0 ? 1 : -1`
    Sign { x: Segment },
    /// `a` where the input `us` is 1, `b` where it is 0
    Turned { us: usize, a: Segment, b: Segment },
    /// `x * (us - 0.5)`, where the input `us` is 1 or 0
    Sided { us: usize, x: Segment },
    /// one of the stacks that `x` concatenates, chosen by the value `selector` of the graph
    Chosen {
        x: Segment,
        stacks: usize,
        selector: ValueId,
    },
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Affine {
    pub(crate) x: Parts,
    /// `Some` for a convolution
    pub(crate) windows: Option<Windows>,
    /// `[output][input]`, or `[output][channel][row][column]`
    pub(crate) weight: Vec<f32>,
    /// one per output
    pub(crate) bias: Vec<f32>,
    /// the sums are multiplied by the mean magnitude of the operand of the signs `x`, before the bias is
    /// added
    pub(crate) input_scale: bool,
}

/// Reduction of neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Run {
    /// the maximum
    Greatest,
    Mean,
    /// the product of two
    Product,
}

/// An element-wise function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Function {
    /// `min(max(x, low), high)`
    Clamp { low: f32, high: f32 },
    /// `x * x`
    Square,
    /// `|x|`
    Magnitude,
    /// a function of the language with this name
    Named(&'static str),
}

#[derive(Clone, Debug)]
pub(crate) struct Known {
    pub(crate) piece: Piece,
    /// channels, or channels, rows and columns
    pub(crate) shape: Vec<usize>,
    /// the node that made it
    pub(crate) node: usize,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Pieces(pub(crate) Vec<Known>);

impl Pieces {
    /// Refuses graphs that exceed [`MAX_PIECES`] or [`MAX_WEIGHTS`].
    pub(crate) fn check_size(&self) -> Result<(), ImportError> {
        let weights = |known: &Known| {
            if let Piece::Affine(affine) = &known.piece {
                affine.weight.len()
            } else {
                0
            }
        };
        if self.0.len() > MAX_PIECES {
            return Err(ImportError::Limit {
                what: "operations",
                most: MAX_PIECES,
            });
        }
        match self.0.iter().map(weights).sum::<usize>() > MAX_WEIGHTS {
            true => Err(ImportError::Limit {
                what: "weights, counted again after each operation with constants,",
                most: MAX_WEIGHTS,
            }),
            false => Ok(()),
        }
    }

    /// Adds a piece, or returns an equal one.
    pub(crate) fn add(&mut self, piece: Piece, shape: Vec<usize>, node: usize) -> Segment {
        let same = |known: &Known| known.shape == shape && known.piece == piece;
        // Layers are not compared: exporters write the same layer of the same value as one node.
        let found = if matches!(piece, Piece::Affine(_)) {
            None
        } else {
            self.0.iter().position(same)
        };
        let len = shape[0];
        let piece = found.unwrap_or_else(|| {
            self.0.push(Known { piece, shape, node });
            self.0.len() - 1
        });
        Segment {
            piece,
            start: 0,
            len,
        }
    }

    pub(crate) fn of(&self, segment: Segment) -> &Piece {
        &self.0[segment.piece].piece
    }

    /// Whether a segment is a whole piece.
    pub(crate) fn is_whole(&self, segment: Segment) -> bool {
        segment.start == 0 && segment.len == self.0[segment.piece].shape[0]
    }

    pub(crate) fn shape(&self, segment: Segment) -> Vec<usize> {
        let mut shape = self.0[segment.piece].shape.clone();
        shape[0] = segment.len;
        shape
    }

    /// The layer, if the segment is a whole one.
    pub(crate) fn affine(&self, segment: Segment) -> Option<&Affine> {
        match self.of(segment) {
            Piece::Affine(affine) if self.is_whole(segment) => Some(affine),
            _ => None,
        }
    }

    /// The range of an activation, or of up to `pools` nested pools of one, where it follows from the
    /// functions alone.
    pub(crate) fn range(&self, segment: Segment, pools: usize) -> Option<[f32; 2]> {
        let below = |segment: Segment| self.range(segment, pools.checked_sub(1)?);
        let both = |a: Segment, b: Segment| Some([below(a)?, below(b)?]);
        match self.of(segment) {
            Piece::Sum { a, b } => {
                both(*a, *b).map(|[[low, high], [least, most]]| [low + least, high + most])
            }
            Piece::Larger { a, b } => {
                both(*a, *b).map(|[[low, high], [least, most]]| [low.max(least), high.max(most)])
            }
            Piece::Mean { x }
            | Piece::Runs {
                x,
                run: Run::Greatest | Run::Mean,
                ..
            } => below(*x),
            Piece::Scale { x, factor, shift } => {
                let [low, high] = below(*x)?;
                let ends = factor
                    .iter()
                    .zip(shift)
                    .map(|(factor, shift)| [low, high].map(|end| end * factor + shift));
                let ends: Vec<f32> = ends.flatten().collect();
                let least = ends.iter().copied().reduce(f32::min)?;
                Some([least, ends.iter().copied().reduce(f32::max)?])
            }
            _ => self.range_of_activation(segment),
        }
    }

    fn range_of_activation(&self, segment: Segment) -> Option<[f32; 2]> {
        let unit = |segment: Segment| match *self.of(segment) {
            Piece::Activate {
                function: Function::Clamp { low, high },
                ..
            } => Some([low, high]),
            _ => None,
        };
        match *self.of(segment) {
            Piece::Activate {
                x,
                function: Function::Square,
            } => unit(x)
                .filter(|[low, _]| *low >= 0.0)
                .map(|[low, high]| [low * low, high * high]),
            Piece::Product { a, b } => match [unit(a)?, unit(b)?] {
                [[least, most], [low, high]] if least >= 0.0 && low >= 0.0 => {
                    Some([least * low, most * high])
                }
                _ => None,
            },
            Piece::Activate {
                function: Function::Named("sigmoid" | "quantmoid4"),
                ..
            } => Some([0.0, 1.0]),
            _ => unit(segment),
        }
    }

    /// The values that a piece reads.
    pub(crate) fn operands(&self, piece: PieceId) -> Vec<Segment> {
        match &self.0[piece].piece {
            Piece::Input(_) => Vec::new(),
            Piece::Affine(affine) => affine.x.clone(),
            Piece::Norm { x, .. }
            | Piece::Scale { x, .. }
            | Piece::Activate { x, .. }
            | Piece::Pool { x, .. }
            | Piece::Flatten { x }
            | Piece::Mean { x }
            | Piece::Runs { x, .. }
            | Piece::Sign { x } => vec![*x],
            Piece::Chosen { x, .. } | Piece::Sided { x, .. } => vec![*x],
            Piece::Sum { a, b }
            | Piece::Product { a, b }
            | Piece::Larger { a, b }
            | Piece::Turned { a, b, .. } => {
                vec![*a, *b]
            }
        }
    }
}

pub(crate) fn channels(parts: &[Segment]) -> usize {
    parts.iter().map(|segment| segment.len).sum()
}

/// The `len` channels from `start` on.
pub(crate) fn part(parts: &[Segment], start: usize, len: usize) -> Parts {
    let (mut result, mut at) = (Parts::new(), 0);
    for &segment in parts {
        let (first, last) = (start.max(at), (start + len).min(at + segment.len));
        if first < last {
            result.push(Segment {
                start: segment.start + first - at,
                len: last - first,
                ..segment
            });
        }
        at += segment.len;
    }
    joined(result)
}

/// Merges adjacent segments.
pub(crate) fn joined(parts: Parts) -> Parts {
    let mut result = Parts::new();
    for segment in parts {
        match result.last_mut() {
            Some(last) if last.piece == segment.piece && last.start + last.len == segment.start => {
                last.len += segment.len
            }
            _ => result.push(segment),
        }
    }
    result
}

/// Cuts two values of equal length at the ends of each other's segments: the pairs, each with its first
/// channel.
pub(crate) fn pairs(a: &[Segment], b: &[Segment]) -> Vec<(usize, Segment, Segment)> {
    let (mut result, mut start) = (Vec::new(), 0);
    let ends = |parts: &[Segment]| -> Vec<usize> {
        parts
            .iter()
            .scan(0, |end, segment| {
                *end += segment.len;
                Some(*end)
            })
            .collect()
    };
    let mut cuts = [ends(a), ends(b)].concat();
    cuts.sort_unstable();
    cuts.dedup();
    for end in cuts {
        if let (&[a], &[b]) = (
            part(a, start, end - start).as_slice(),
            part(b, start, end - start).as_slice(),
        ) {
            result.push((start, a, b));
        }
        start = end;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segment(piece: PieceId, start: usize, len: usize) -> Segment {
        Segment { piece, start, len }
    }

    #[test]
    fn parts_are_cut_and_joined() {
        let parts = [segment(0, 0, 8), segment(1, 4, 4)];
        assert_eq!(part(&parts, 6, 4), [segment(0, 6, 2), segment(1, 4, 2)]);
        assert_eq!(
            joined(vec![segment(0, 0, 4), segment(0, 4, 4), segment(0, 0, 1)]),
            [segment(0, 0, 8), segment(0, 0, 1)]
        );
        let other = [segment(2, 0, 12)];
        assert_eq!(
            pairs(&parts, &other),
            [
                (0, segment(0, 0, 8), segment(2, 0, 8)),
                (8, segment(1, 4, 4), segment(2, 8, 4))
            ]
        );
    }
}
