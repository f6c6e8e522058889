//! What layers read: activations of accumulators and of other layers.

use super::writer::{Reads, View, Writer};
use crate::declare::words::activation;
use crate::error::ImportError;
use crate::recognise::piece::{Affine, Function, Piece, PieceId, Segment, channels};

/// What half of the sum of both halves is: the half is part of the weights of the layer that reads it.
const AVERAGE: &str = "avg_halves";

impl Writer<'_> {
    /// What a layer reads: activations of accumulators and of layers.
    pub(super) fn reads(&mut self, layer: PieceId, affine: &Affine) -> Result<Reads, ImportError> {
        let (mut values, mut products, mut parts) = (Vec::new(), false, affine.x.as_slice());
        let (inputs, mut averages) = (channels(parts), Vec::new());
        while let [first, rest @ ..] = parts {
            let start = inputs - channels(parts);
            parts = rest;
            match self.accumulator(*first) {
                Some((word, view)) => {
                    let left = self.perspectives_of(layer, (word, view), rest);
                    parts = self.noted(left, rest)?;
                    values.push(format!("{word}(acc)"));
                    products |= word == "pairwise";
                    if word == AVERAGE {
                        averages.push(start..inputs - channels(parts));
                    }
                }
                None => {
                    let text = self.activated(layer, *first);
                    values.push(self.text_or_noted(first.piece, text)?);
                }
            }
        }
        let text = if values.len() == 1 { values.concat() } else { format!("concat({})", values.join(", ")) };
        Ok(Reads { text, products, averages })
    }

    /// What is left to read after the activation of both perspectives, or of one in a network of one.
    fn perspectives_of<'p>(
        &mut self,
        layer: PieceId,
        (word, view): (&str, PieceId),
        rest: &'p [Segment],
    ) -> Result<&'p [Segment], ImportError> {
        let first = self.perspective(view, layer)?;
        let other = rest.split_first().and_then(|(other, rest)| Some((self.accumulator(*other)?, rest)));
        let (mut left, mut two) = (rest, false);
        if let Some(((same, view), rest)) = other
            && same == word
            && first == 0
        {
            left = rest;
            two = self.perspective(view, layer)? == 1;
        }
        if !two && (first != 0 || self.perspectives.len() == 2) {
            return Err(self.refuse(layer, "a layer reads the activation of both perspectives, the side to move first, or of one in a network of one"));
        }
        Ok(left)
    }

    /// The activation of an accumulator that a segment is the whole of.
    pub(super) fn accumulator(&self, segment: Segment) -> Option<(&'static str, PieceId)> {
        let whole = |segment: Segment| self.pieces.is_whole(segment).then_some(segment);
        let clamped = |segment: Segment| match *self.pieces.of(segment) {
            Piece::Activate { x, function: Function::Clamp { low: 0.0, high: 1.0 } } => {
                whole(x).filter(|x| self.is_accumulator(*x)).map(|x| x.piece)
            }
            _ => None,
        };
        // Both halves of one value, in any order.
        let halves = |a: Segment, b: Segment| {
            let are = a.piece == b.piece && a.start.min(b.start) == 0 && a.start.max(b.start) == a.len;
            if are && 2 * a.len == self.pieces.0[a.piece].shape[0] { clamped(a) } else { None }
        };
        match *self.pieces.of(whole(segment)?) {
            Piece::Activate { x, function: Function::Square } => Some(("screlu", clamped(whole(x)?)?)),
            Piece::Product { a, b } => halves(a, b).map(|piece| ("pairwise", piece)),
            Piece::Larger { a, b } if self.is_in_floats() => halves(a, b).map(|piece| ("max_halves", piece)),
            Piece::Sum { a, b } if self.is_in_floats() => halves(a, b).map(|piece| (AVERAGE, piece)),
            _ => clamped(segment).map(|piece| ("crelu", piece)),
        }
    }

    /// Whether a segment is sums of rows, or those of both sides in turns.
    fn is_accumulator(&self, segment: Segment) -> bool {
        match self.pieces.of(segment) {
            Piece::Turned { a, b, .. } => [*a, *b].iter().all(|&one| self.rows_of(one).is_some()),
            _ => self.rows_of(segment).is_some(),
        }
    }

    /// The input whose rows a segment sums.
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

    /// Whether an accumulator is the first or the second perspective: the one that is read first is the first.
    fn perspective(&mut self, piece: PieceId, reader: PieceId) -> Result<usize, ImportError> {
        if let Some(found) = self.perspectives.iter().position(|view| view.piece == piece) {
            return Ok(found);
        }
        let segment = Segment { piece, start: 0, len: self.pieces.0[piece].shape[0] };
        let inputs = match *self.pieces.of(segment) {
            Piece::Turned { us, a, b } => [a, b].iter().filter_map(|&one| self.rows_of(one)).chain([us]).collect(),
            _ => self.rows_of(segment).into_iter().collect(),
        };
        if self.perspectives.len() == 2 {
            return Err(self.refuse(reader, "a network has one accumulator, of one perspective or two"));
        }
        self.perspectives.push(View { piece, inputs });
        Ok(self.perspectives.len() - 1)
    }

    /// An activation of a layer, or a value that is made of such ones, or a part of it.
    pub(super) fn activated(&mut self, reader: PieceId, segment: Segment) -> Result<String, ImportError> {
        if let Some(name) = self.value_of_values(segment.piece)? {
            return Ok(self.part_of(name, segment));
        }
        let (word, x, start) = match self.square_in_whole_numbers(segment) {
            Some(x) => ("sqr_crelu", x, x.start + segment.start),
            None => {
                let (word, x) = self.activation_of(reader, segment)?;
                (word, x, segment.start)
            }
        };
        let whole = Segment { piece: x.piece, start: 0, len: self.pieces.0[x.piece].shape[0] };
        if !self.is_layer(whole) || self.is_accumulator(whole) || word != "sqr_crelu" && x != whole {
            return Err(self.refuse(
                segment.piece,
                "an activation reads a layer, or an accumulator with `crelu`, `screlu` or `pairwise`",
            ));
        }
        let layer = self.layer(whole, false)?;
        Ok(self.part_of(format!("{word}({layer})"), Segment { piece: whole.piece, start, len: segment.len }))
    }

    /// A part of the value that a piece is.
    fn part_of(&self, value: String, Segment { piece, start, len }: Segment) -> String {
        if len == self.pieces.0[piece].shape[0] { value } else { format!("{value}[{start}..{}]", start + len) }
    }

    /// The word for an activation, and what it reads.
    fn activation_of(&self, reader: PieceId, segment: Segment) -> Result<(&'static str, Segment), ImportError> {
        let word = match *self.pieces.of(segment) {
            Piece::Activate { x, function } => activation(self.pieces, x, function),
            Piece::Product { .. } | Piece::Sum { .. } | Piece::Larger { .. } | Piece::Mean { .. } => {
                Err("networks in whole numbers are not read from such a graph: their pools round".into())
            }
            _ => Err("a layer reads activations: `crelu`, `screlu`, .. of accumulators or of other layers".into()),
        };
        let word = word.map_err(|why| self.refuse(segment.piece, &why))?;
        match *word.reads.as_slice() {
            [x] => Ok((word.name, x)),
            _ => Err(self.refuse(reader, "an activation reads one layer")),
        }
    }

    /// What `clamp(x * x * 127 / 128, 0, 1)` is the square of, in a network in whole numbers.
    fn square_in_whole_numbers(&self, segment: Segment) -> Option<Segment> {
        let Piece::Activate { x: scaled, function: Function::Clamp { low, high: 1.0 } } = *self.pieces.of(segment)
        else {
            return None;
        };
        let Piece::Scale { x: square, factor, shift } = self.pieces.of(scaled) else { return None };
        let is_quirk = factor.iter().all(|factor| *factor == 127.0 / 128.0) && shift.iter().all(|shift| *shift == 0.0);
        let Piece::Activate { x, function: Function::Square } = *self.pieces.of(*square) else { return None };
        let fits = self.psqt.is_some() && low <= 0.0 && is_quirk && self.pieces.is_whole(scaled) && x.start == 0;
        fits.then_some(Segment { start: square.start, ..x })
    }
}
