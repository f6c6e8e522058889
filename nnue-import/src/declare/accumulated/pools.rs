//! Values that are made of activated values, in networks of floats: pools of two, means, gated linear units.
//!
//! ```text
//!   h = layer(x);  Mul(h[..8], Sigmoid(h[8..]))       glu(h1)
//!   Add(a, crelu(layer(a)))                           add(a, crelu(h2)), a residual
//! ```
//!
//! Each has a name, so that what is read twice is written once.

use super::writer::{MAX_LAYERS, Writer};
use crate::error::ImportError;
use crate::recognise::piece::{Function, Piece, PieceId, Segment};

impl Writer<'_> {
    /// Whether layers read floats.
    pub(super) fn is_in_floats(&self) -> bool {
        self.psqt.is_none() && self.whole.is_none()
    }

    /// The name of a value that is made of others, if it is one.
    pub(super) fn value_of_values(&mut self, piece: PieceId) -> Result<Option<String>, ImportError> {
        if let Some(name) = self.values.get(&piece) {
            return Ok(Some(name.clone()));
        }
        let is_made = matches!(
            self.pieces.0[piece].piece,
            Piece::Sum { .. } | Piece::Larger { .. } | Piece::Product { .. } | Piece::Mean { .. }
        );
        if !is_made || !self.is_in_floats() {
            return Ok(None);
        }
        if self.values.len() >= MAX_LAYERS || self.depth >= MAX_LAYERS {
            return Err(ImportError::Limit { what: "values that are made of others", most: MAX_LAYERS });
        }
        self.depth += 1;
        let text = self.made_of(piece);
        self.depth -= 1;
        let Some(text) = text? else { return Ok(None) };
        let name = format!("a{}", self.values.len() + 1);
        self.lines.push(format!("let {name} = {text};"));
        self.values.insert(piece, name.clone());
        Ok(Some(name))
    }

    /// What a value is made of.
    fn made_of(&mut self, piece: PieceId) -> Result<Option<String>, ImportError> {
        let (word, operands) = match self.pieces.0[piece].piece {
            Piece::Sum { a, b } => ("add", vec![a, b]),
            Piece::Larger { a, b } => ("max", vec![a, b]),
            Piece::Product { a, b } => {
                if let Some((word, layer)) = self.gated(a, b).or_else(|| self.gated(b, a)) {
                    return Ok(Some(format!("{word}({})", self.layer(layer, false)?)));
                }
                ("mul", vec![a, b])
            }
            Piece::Mean { x } => ("mean", vec![x]),
            _ => return Ok(None),
        };
        let mut texts = Vec::new();
        for x in operands {
            let text = self.activated(piece, x);
            texts.push(self.text_or_noted(x.piece, text)?);
        }
        Ok(Some(format!("{word}({})", texts.join(", "))))
    }

    /// The gated linear unit that `x * gate` is, and its layer: the lower half times a function of the upper half.
    fn gated(&self, x: Segment, gate: Segment) -> Option<(&'static str, Segment)> {
        let Piece::Activate { x: of, function } = *self.pieces.of(gate) else { return None };
        let word = match function {
            Function::Named("sigmoid") => "glu",
            Function::Named("silu") => "swiglu",
            Function::Named("hard_swish") => "gated",
            Function::Clamp { low: 0.0, high: f32::INFINITY } => "reglu",
            _ => return None,
        };
        let fits = of.piece == x.piece && of.start == 0 && self.is_layer(of) && 2 * x.len == of.len;
        (fits && x.start == 0 && gate.start == x.len && gate.len == x.len).then_some((word, of))
    }
}
