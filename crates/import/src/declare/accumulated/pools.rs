//! Values made of activated values: pools of two and of neighbours, means, gated linear units.
//!
//! ```text
//!   h = layer(x);  Mul(h[..8], Sigmoid(h[8..]))       glu(h1)
//!   Add(a, crelu(layer(a)))                           add(a, crelu(h2)), a residual; in whole numbers, clipped at 1
//!   Mul(Add(a, b), 0.5)                               avg(a, b)
//! ```
//!
//! Each gets a name, so that shared values are written once. Factors of 1/2 that were folded into the weights
//! of a layer are taken out again.

use super::views::of_neighbours;
use super::writer::{MAX_LAYERS, Writer};
use crate::error::ImportError;
use crate::recognise::piece::{Function, Piece, PieceId, Run, Segment};

impl Writer<'_> {
    /// Whether layers compute in floats.
    pub(super) fn is_in_floats(&self) -> bool {
        self.psqt.is_none() && self.whole.is_none()
    }

    /// The name of a pooled value, if the piece is one.
    pub(super) fn value_of_values(
        &mut self,
        piece: PieceId,
    ) -> Result<Option<String>, ImportError> {
        if let Some(name) = self.values.get(&piece) {
            return Ok(Some(name.clone()));
        }
        let Some(made) = self.made_of(piece) else {
            return Ok(None);
        };
        self.named_value(piece, made).map(Some)
    }

    /// The operands of a sum that a layer of an integer network reads. The network computes their average
    /// instead, half as large.
    pub(super) fn average_in_whole_numbers(&self, segment: Segment) -> Option<[Segment; 2]> {
        match *self.pieces.of(segment) {
            Piece::Sum { a, b } if !self.is_in_floats() => Some([a, b]),
            _ => None,
        }
    }

    /// The average of [`Self::average_in_whole_numbers`], or a range of it.
    pub(super) fn average(&mut self, segment: Segment) -> Result<String, ImportError> {
        let name = match (
            self.averages.get(&segment.piece),
            self.average_in_whole_numbers(segment),
        ) {
            (Some(name), _) => name.clone(),
            (None, Some(both)) => {
                let name = self.named_value(
                    segment.piece,
                    Made {
                        word: "avg",
                        reads: both.into(),
                        options: String::new(),
                    },
                )?;
                self.values.remove(&segment.piece);
                self.averages.insert(segment.piece, name.clone());
                name
            }
            (None, None) => return Err(self.refuse(segment.piece, "it is no average")),
        };
        Ok(self.part_of(name, segment))
    }

    fn named_value(&mut self, piece: PieceId, made: Made) -> Result<String, ImportError> {
        if self.values.len() + self.averages.len() >= MAX_LAYERS || self.depth >= MAX_LAYERS {
            return Err(ImportError::Limit {
                what: "values that are made of others",
                most: MAX_LAYERS,
            });
        }
        self.depth += 1;
        let text = self.text_of(piece, made);
        self.depth -= 1;
        let text = text?;
        let name = format!("a{}", self.values.len() + self.averages.len() + 1);
        self.lines.push(format!("let {name} = {text};"));
        self.values.insert(piece, name.clone());
        Ok(name)
    }

    /// The text of a value, after its operands were written.
    fn text_of(&mut self, piece: PieceId, made: Made) -> Result<String, ImportError> {
        let mut texts = Vec::new();
        for x in made.reads {
            let is_layer = GATES.iter().any(|(gate, _)| *gate == made.word);
            let text = if is_layer {
                self.layer(x, false)
            } else {
                self.activated(piece, x)
            };
            texts.push(self.text_or_noted(x.piece, text)?);
        }
        Ok(format!(
            "{}({}{})",
            made.word,
            texts.join(", "),
            made.options
        ))
    }

    /// Recognises a pooled value.
    fn made_of(&self, piece: PieceId) -> Option<Made> {
        let floats = self.is_in_floats();
        let of = |word, reads: &[Segment]| {
            Some(Made {
                word,
                reads: reads.to_vec(),
                options: String::new(),
            })
        };
        match self.pieces.0[piece].piece {
            Piece::Sum { a, b } if floats => of("add", &[a, b]),
            // Sums of bytes are clipped at 1.0.
            Piece::Activate {
                x,
                function: Function::Clamp { low, high: 1.0 },
            } if low <= 0.0 && !floats => match *self.pieces.of(x) {
                Piece::Sum { a, b } if self.pieces.is_whole(x) => of("add", &[a, b]),
                _ => None,
            },
            Piece::Scale { x, .. } if self.pieces.is_whole(x) && self.is_half(piece) => {
                match *self.pieces.of(x) {
                    Piece::Sum { a, b } => of("avg", &[a, b]),
                    _ => None,
                }
            }
            Piece::Larger { a, b } => of("max", &[a, b]),
            Piece::Product { a, b } if floats => {
                match self.gated(a, b).or_else(|| self.gated(b, a)) {
                    Some((word, layer)) => of(word, &[layer]),
                    None => of("mul", &[a, b]),
                }
            }
            Piece::Mean { x } => of("mean", &[x]),
            Piece::Runs { x, size: 2, run } if floats || run != Run::Product => {
                of(of_neighbours(run), &[x])
            }
            Piece::Runs { x, size, run } if run != Run::Product => Some(Made {
                word: of_neighbours(run),
                reads: vec![x],
                options: format!(", {size}"),
            }),
            _ => None,
        }
    }

    /// Whether a piece multiplies its operand by 1/2.
    fn is_half(&self, piece: PieceId) -> bool {
        match &self.pieces.0[piece].piece {
            Piece::Scale { factor, shift, .. } => {
                factor.iter().all(|factor| *factor == 0.5)
                    && shift.iter().all(|shift| *shift == 0.0)
            }
            _ => false,
        }
    }

    /// Recognises `x * gate` as a gated linear unit of a layer: the lower half times a function of the upper
    /// half.
    fn gated(&self, x: Segment, gate: Segment) -> Option<(&'static str, Segment)> {
        let Piece::Activate { x: of, function } = *self.pieces.of(gate) else {
            return None;
        };
        let (word, _) = GATES.into_iter().find(|(_, known)| *known == function)?;
        let fits = of.piece == x.piece && of.start == 0 && self.is_layer(of) && 2 * x.len == of.len;
        (fits && x.start == 0 && gate.start == x.len && gate.len == x.len).then_some((word, of))
    }
}

/// Gated linear units by the function of the upper half.
const GATES: [(&str, Function); 4] = [
    ("glu", Function::Named("sigmoid")),
    ("swiglu", Function::Named("silu")),
    ("gated", Function::Named("hard_swish")),
    (
        "reglu",
        Function::Clamp {
            low: 0.0,
            high: f32::INFINITY,
        },
    ),
];

/// An operation of the language and its operands.
struct Made {
    word: &'static str,
    reads: Vec<Segment>,
    options: String,
}
