//! How layers read accumulators: through an activation, a pool, or their signs.
//!
//! ```text
//!   Clip(0, 1), its square, quantmoid4                 crelu(acc), screlu(acc), quantmoid4(acc)
//!   two halves, or neighbours, of the clipped ones     pairwise, max_halves, avg_halves, max_neighbours, ..
//!   x > 0 ? 1 : -1                                     acc, by layers of signs
//! ```

use nnue_spec::Activation;

use super::writer::{View, Writer};
use crate::error::ImportError;
use crate::recognise::QUANTMOID4;
use crate::recognise::piece::{Function, Piece, PieceId, Run, Segment};

/// Half of the sum of both halves. The factor 1/2 is part of the weights of the layer that reads it.
pub(super) const AVERAGE: &str = "avg_halves";

/// Signs of accumulators, for binary layers.
pub(super) const SIGNS: &str = "sign";

impl Writer<'_> {
    /// The operation that computes a whole segment from accumulators: an activation, a pool, or [`SIGNS`].
    pub(super) fn accumulator(&self, segment: Segment) -> Option<(&'static str, PieceId)> {
        let whole = |segment: Segment| self.pieces.is_whole(segment).then_some(segment);
        let rows = |x: Segment| {
            whole(x)
                .filter(|x| self.is_accumulator(*x))
                .map(|x| x.piece)
        };
        let clamped = |segment: Segment| match *self.pieces.of(segment) {
            Piece::Activate {
                x,
                function:
                    Function::Clamp {
                        low: 0.0,
                        high: 1.0,
                    },
            } => rows(x),
            _ => None,
        };
        // Both halves of one value, in either order.
        let halves = |a: Segment, b: Segment| {
            let are =
                a.piece == b.piece && a.start.min(b.start) == 0 && a.start.max(b.start) == a.len;
            if are && 2 * a.len == self.pieces.0[a.piece].shape[0] {
                clamped(a)
            } else {
                None
            }
        };
        match *self.pieces.of(whole(segment)?) {
            Piece::Activate {
                x,
                function: Function::Square,
            } => Some(("screlu", clamped(whole(x)?)?)),
            Piece::Activate {
                x,
                function: Function::Named(QUANTMOID4),
            } => Some((QUANTMOID4, rows(x)?)),
            Piece::Product { a, b } => halves(a, b).map(|piece| ("pairwise", piece)),
            Piece::Larger { a, b } => halves(a, b).map(|piece| ("max_halves", piece)),
            Piece::Sum { a, b } => halves(a, b).map(|piece| (AVERAGE, piece)),
            Piece::Runs { x, size: 2, run } => Some((of_neighbours(run), clamped(whole(x)?)?)),
            Piece::Sign { x } => Some((SIGNS, rows(x)?)),
            _ => clamped(segment).map(|piece| ("crelu", piece)),
        }
    }

    /// Whether a segment is a sum of rows, or a choice between both sides by the side to move.
    pub(super) fn is_accumulator(&self, segment: Segment) -> bool {
        match self.pieces.of(segment) {
            Piece::Turned { a, b, .. } => [*a, *b].iter().all(|&one| self.rows_of(one).is_some()),
            _ => self.rows_of(segment).is_some(),
        }
    }

    /// The input with the rows that a segment sums.
    pub(super) fn rows_of(&self, segment: Segment) -> Option<usize> {
        let affine = self.pieces.affine(segment)?;
        match affine.x.as_slice() {
            &[x] if self.pieces.is_whole(x) => match *self.pieces.of(x) {
                Piece::Input(input) => Some(input),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an accumulator is the first or the second perspective. The one that is read first is the
    /// first.
    pub(super) fn perspective(
        &mut self,
        piece: PieceId,
        reader: PieceId,
    ) -> Result<usize, ImportError> {
        if let Some(found) = self
            .perspectives
            .iter()
            .position(|view| view.piece == piece)
        {
            return Ok(found);
        }
        let segment = Segment {
            piece,
            start: 0,
            len: self.pieces.0[piece].shape[0],
        };
        let inputs: Vec<usize> = match *self.pieces.of(segment) {
            Piece::Turned { us, a, b } => [a, b]
                .iter()
                .filter_map(|&one| self.rows_of(one))
                .chain([us])
                .collect(),
            _ => self.rows_of(segment).into_iter().collect(),
        };
        if self.perspectives.len() == 2 {
            return Err(self.refuse(
                reader,
                "a network has one accumulator, of one perspective or two",
            ));
        }
        let is_other = match (
            self.perspectives.first().map(|view| view.inputs.as_slice()),
            inputs.as_slice(),
        ) {
            (Some(&[white, black, us]), &[one, other, turn]) => {
                white != black && [one, other, turn] == [black, white, us]
            }
            (Some(first), second) => first.len() == second.len() && first != second,
            (None, _) => true,
        };
        if !is_other {
            return Err(self.refuse(
                reader,
                "the second perspective has the rows of the other side",
            ));
        }
        self.perspectives.push(View { piece, inputs });
        Ok(self.perspectives.len() - 1)
    }
}

pub(super) const fn of_neighbours(run: Run) -> &'static str {
    match run {
        Run::Greatest => "max_neighbours",
        Run::Mean => "avg_neighbours",
        Run::Product => "mul_neighbours",
    }
}

/// An operation on accumulators in the graph form: `max_halves(crelu(acc))`.
pub(super) fn of_accumulator(word: &str) -> String {
    let is_it = |known: &Activation| known.operation().is_some_and(|known| known.name == word);
    let known = Activation::ALL.into_iter().find(is_it);
    if known.is_some_and(Activation::reads_activated) {
        format!("{word}(crelu(acc))")
    } else {
        format!("{word}(acc)")
    }
}
