//! Operands of layers: activations of accumulators and of other layers, pooled values, signs.

use super::views::{AVERAGE, SIGNS, of_accumulator};
use super::writer::{Reads, STRETCH_OF_PRODUCTS, STRETCH_OF_SIGMOIDS, Writer};
use crate::declare::words::activation;
use crate::error::ImportError;
use crate::recognise::QUANTMOID4;
use crate::recognise::piece::{Affine, Function, Piece, PieceId, Segment, channels};

/// Error for a layer that reads accumulators in an unsupported way.
pub(super) const BOTH: &str = "a layer reads the activation of both perspectives, the side to move first, or of one in a network of one";

impl Writer<'_> {
    /// The operands of a layer: activations of accumulators and of layers, or only signs.
    pub(super) fn reads(&mut self, layer: PieceId, affine: &Affine) -> Result<Reads, ImportError> {
        let (mut values, mut stretch, mut parts) = (Vec::new(), 1.0, affine.x.as_slice());
        let (inputs, mut averages) = (channels(parts), Vec::new());
        let signs = self.reads_signs(affine);
        while let [first, rest @ ..] = parts {
            let start = inputs - channels(parts);
            parts = rest;
            match self
                .accumulator(*first)
                .filter(|(word, _)| (*word == SIGNS) == signs)
            {
                Some((word, view)) => {
                    let left = self.perspectives_of(layer, (word, view), rest);
                    parts = self.noted(left, rest)?;
                    values.push(if signs {
                        "acc".to_owned()
                    } else {
                        of_accumulator(word)
                    });
                    if self.is_too_wide(word) {
                        let refused = self.refuse(
                            first.piece,
                            "networks in whole numbers read accumulators by `crelu`, `quantmoid4`, maxima and averages",
                        );
                        self.noted(Err(refused), ())?;
                    }
                    stretch = match word {
                        "pairwise" | "mul_neighbours" if self.psqt.is_some() => STRETCH_OF_PRODUCTS,
                        QUANTMOID4 => STRETCH_OF_SIGMOIDS,
                        _ => stretch,
                    };
                    if word == AVERAGE {
                        averages.push(start..inputs - channels(parts));
                    }
                }
                None => {
                    let average = if signs {
                        None
                    } else {
                        self.average_in_whole_numbers(*first)
                    };
                    let text = match average {
                        Some(_) => self.average(*first),
                        None if signs => self.signs(layer, *first),
                        None => self.activated(layer, *first),
                    };
                    if matches!(
                        self.pieces.of(*first),
                        Piece::Activate {
                            function: Function::Named(QUANTMOID4),
                            ..
                        }
                    ) {
                        stretch = STRETCH_OF_SIGMOIDS;
                    }
                    averages.extend(average.map(|_| start..start + first.len));
                    values.push(self.text_or_noted(first.piece, text)?);
                }
            }
        }
        let text = if values.len() == 1 {
            values.concat()
        } else {
            format!("concat({})", values.join(", "))
        };
        Ok(Reads {
            text,
            stretch,
            averages,
        })
    }

    /// Whether a layer reads only signs.
    pub(super) fn reads_signs(&self, affine: &Affine) -> bool {
        affine
            .x
            .iter()
            .all(|segment| matches!(self.pieces.of(*segment), Piece::Sign { .. }))
    }

    /// In an integer network without PSQT outputs: whether the operation on accumulators does not fit in
    /// bytes, or has another scale.
    fn is_too_wide(&self, word: &str) -> bool {
        self.whole.is_some()
            && self.psqt.is_none()
            && matches!(word, "screlu" | "pairwise" | "mul_neighbours")
    }

    /// The operands after the activation of both perspectives, or of one in a network with one.
    fn perspectives_of<'p>(
        &mut self,
        layer: PieceId,
        (word, view): (&str, PieceId),
        rest: &'p [Segment],
    ) -> Result<&'p [Segment], ImportError> {
        let first = self.perspective(view, layer)?;
        if let (0, Some((other, left))) = (first, rest.split_first())
            && let Some((same, view)) = self.accumulator(*other)
            && same == word
            && self.perspective(view, layer)? == 1
        {
            return Ok(left);
        }
        if first != 0 || self.perspectives.len() == 2 {
            return Err(self.refuse(layer, BOTH));
        }
        self.single = Some(layer);
        Ok(rest)
    }

    /// The operand of signs: sums of a layer, or activated values.
    fn signs(&mut self, reader: PieceId, segment: Segment) -> Result<String, ImportError> {
        let Piece::Sign { x } = *self.pieces.of(segment) else {
            return Err(self.refuse(reader, "a layer reads signs alone, or activations alone"));
        };
        let of = Segment {
            piece: x.piece,
            start: x.start + segment.start,
            len: segment.len,
        };
        let whole = Segment {
            piece: x.piece,
            start: 0,
            len: self.pieces.0[x.piece].shape[0],
        };
        if self.is_layer(whole) && !self.is_accumulator(whole) {
            let layer = self.layer(whole, false)?;
            return Ok(self.part_of(layer, of));
        }
        self.activated(reader, of)
    }

    /// An activation of a layer, or a value pooled from such, or a range of one.
    pub(super) fn activated(
        &mut self,
        reader: PieceId,
        segment: Segment,
    ) -> Result<String, ImportError> {
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
        let whole = Segment {
            piece: x.piece,
            start: 0,
            len: self.pieces.0[x.piece].shape[0],
        };
        if !self.is_layer(whole) || self.is_accumulator(whole) || word != "sqr_crelu" && x != whole
        {
            return Err(self.refuse(
                segment.piece,
                "an activation reads a layer, or an accumulator with `crelu`, `screlu`, `pairwise`, `quantmoid4` or a pool of two",
            ));
        }
        let layer = self.layer(whole, false)?;
        Ok(self.part_of(
            format!("{word}({layer})"),
            Segment {
                piece: whole.piece,
                start,
                len: segment.len,
            },
        ))
    }

    /// A range of the value of a piece.
    pub(super) fn part_of(&self, value: String, Segment { piece, start, len }: Segment) -> String {
        if len == self.pieces.0[piece].shape[0] {
            value
        } else {
            format!("{value}[{start}..{}]", start + len)
        }
    }

    /// The activation and its operand.
    fn activation_of(
        &self,
        reader: PieceId,
        segment: Segment,
    ) -> Result<(&'static str, Segment), ImportError> {
        let word = match *self.pieces.of(segment) {
            Piece::Activate { x, function } => activation(self.pieces, x, function),
            Piece::Product { .. } | Piece::Runs { .. } => {
                Err("products in networks in whole numbers are 127 / 128 of these: only those of accumulators are read".into())
            }
            Piece::Sum { .. } => Err(
                "in whole numbers a sum is clipped, `clamp(a + b, 0, 1)`, or a layer reads half of it, which is `avg(a, b)`".into(),
            ),
            Piece::Sign { .. } => Err("a layer reads signs alone, or activations alone".into()),
            _ => Err("a layer reads activations: `crelu`, `screlu`, .. of accumulators or of other layers".into()),
        };
        let word = word.map_err(|why| self.refuse(segment.piece, &why))?;
        if !self.is_in_floats() && !matches!(word.name, "crelu" | "sqr_crelu" | QUANTMOID4) {
            return Err(self.refuse(
                segment.piece,
                "networks in whole numbers have the activations `crelu`, `sqr_crelu` and `quantmoid4`",
            ));
        }
        match *word.reads.as_slice() {
            [x] => Ok((word.name, x)),
            _ => Err(self.refuse(reader, "an activation reads one layer")),
        }
    }

    /// The `x` of `clamp(x * x * 127 / 128, 0, 1)`, which is a square in an integer network.
    fn square_in_whole_numbers(&self, segment: Segment) -> Option<Segment> {
        let Piece::Activate {
            x: scaled,
            function: Function::Clamp { low, high: 1.0 },
        } = *self.pieces.of(segment)
        else {
            return None;
        };
        let Piece::Scale {
            x: square,
            factor,
            shift,
        } = self.pieces.of(scaled)
        else {
            return None;
        };
        let is_quirk = factor.iter().all(|factor| *factor == 127.0 / 128.0)
            && shift.iter().all(|shift| *shift == 0.0);
        let Piece::Activate {
            x,
            function: Function::Square,
        } = *self.pieces.of(*square)
        else {
            return None;
        };
        let fits = self.psqt.is_some()
            && low <= 0.0
            && is_quirk
            && self.pieces.is_whole(scaled)
            && x.start == 0;
        fits.then_some(Segment {
            start: square.start,
            ..x
        })
    }
}
