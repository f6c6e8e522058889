//! `quantmoid4`, a sigmoid of two parabolas.
//!
//! ```text
//!   q = (1 - min(|x|, 1))^2 * 16129 / 32256          Abs, Clip, Sub, Pow or Mul, Mul
//!   Where(x > 0, 1 - q, q)
//! ```
//!
//! 16129 / 32256 is 127 * 127 / 256 / 126: in integers, 1.0 of `x` is 127, the square is shifted by 8, and
//! 1.0 of the result is 126.

use super::piece::{Function, Parts, Piece, Segment, joined, pairs};
use super::walk::Walk;
use crate::graph::Node;

pub(crate) const NAME: &str = "quantmoid4";

const FACTOR: f32 = 127.0 * 127.0 / (256.0 * 126.0);

const WHY: &str = "the language chooses by signs alone: `where(x > 0, 1, -1)`, and `quantmoid4`, which is `where(x > 0, 1 - q, q)` with \
    `q = (1 - x.abs().clamp(max=1))**2 * (127 * 127 / (256 * 126))`";

/// Recognises `Where(x > 0, a, b)` as `quantmoid4` of `x`.
pub(super) fn chosen(walk: &mut Walk<'_>, node: &Node, x: &Parts) -> Result<Parts, String> {
    let (Some(above), Some(below)) = (walk.parts(node, 1), walk.parts(node, 2)) else {
        return Err(WHY.into());
    };
    let mut result = Parts::new();
    for (start, above, below) in pairs(&above, &below) {
        for (at, of, _) in pairs(x, x) {
            if at == start && of.len == above.len && is_quantmoid(walk, of, above, below) {
                result.extend(walk.build.activate(&[of], Function::Named(NAME)));
            }
        }
    }
    let whole = |parts: &Parts| parts.iter().map(|segment| segment.len).sum::<usize>();
    if whole(&result) == whole(x) {
        Ok(joined(result))
    } else {
        Err(WHY.into())
    }
}

/// Whether the two are `1 - q` and `q` of `x`.
fn is_quantmoid(walk: &Walk<'_>, x: Segment, above: Segment, below: Segment) -> bool {
    let q = scaled(walk, below, FACTOR, 0.0);
    let square = q
        .filter(|_| q == scaled(walk, above, -FACTOR, 1.0))
        .map(|square| walk.build.pieces.of(square));
    let Some(Piece::Activate {
        x: rest,
        function: Function::Square,
    }) = square
    else {
        return false;
    };
    rest_of(walk, *rest) == Some(x)
}

/// The `x` for which `segment` is `x * factor + shift`.
fn scaled(walk: &Walk<'_>, segment: Segment, factor: f32, shift: f32) -> Option<Segment> {
    let near = |found: &f32, expected: f32| (found - expected).abs() <= 1e-6;
    match walk.build.pieces.of(segment) {
        Piece::Scale {
            x,
            factor: by,
            shift: add,
        } if walk.build.pieces.is_whole(segment) => {
            let is_it =
                by.iter().all(|by| near(by, factor)) && add.iter().all(|add| near(add, shift));
            is_it.then_some(*x)
        }
        _ => None,
    }
}

/// The `x` for which `segment` is `1 - min(|x|, 1)`, also written as `max(1 - |x|, 0)`.
fn rest_of(walk: &Walk<'_>, segment: Segment) -> Option<Segment> {
    let pieces = &walk.build.pieces;
    let of = |outer: Segment, x: Segment| Segment {
        piece: x.piece,
        start: x.start + outer.start,
        len: outer.len,
    };
    let clamped = |segment: Segment| match *pieces.of(segment) {
        Piece::Activate {
            x,
            function: Function::Clamp { low, high },
        } => Some((of(segment, x), low, high)),
        _ => None,
    };
    let magnitude = |segment: Segment| match *pieces.of(segment) {
        Piece::Activate {
            x,
            function: Function::Magnitude,
        } => Some(of(segment, x)),
        _ => None,
    };
    if let Some(inner) = scaled(walk, segment, -1.0, 1.0) {
        let (size, low, high) = clamped(inner)?;
        return magnitude(size).filter(|_| low <= 0.0 && high == 1.0);
    }
    let (rest, low, high) = clamped(segment)?;
    magnitude(scaled(walk, rest, -1.0, 1.0)?).filter(|_| low == 0.0 && high >= 1.0)
}
