//! The output: a sum of terms from layers and PSQT outputs.

use super::writer::{MAX_LAYERS, Psqt, Writer};
use crate::error::ImportError;
use crate::recognise::Head;
use crate::recognise::piece::{Function, Piece, Segment};

/// Factor of a neuron that is added to the output of an integer network: 1.0 is `127 * 64` in its layer and
/// `600 * 16` in the output, as in Stockfish.
const SKIP: &str = " * 9600 / 8128";

#[derive(Clone, Copy)]
struct Term {
    segment: Segment,
    factor: f32,
    /// multiplied by `us - 0.5` as well, for this input `us`
    side: Option<usize>,
}

impl Writer<'_> {
    /// The output: a sum of terms, or three neurons of one layer.
    pub(super) fn output(&mut self) -> Result<String, ImportError> {
        let parts = self.recognised.output.clone();
        let outputs: usize = parts.iter().map(|segment| segment.len).sum();
        let &[mut whole] = parts.as_slice() else {
            return Err(ImportError::Inputs(
                "the output is no layer: networks with an accumulator have one value".into(),
            ));
        };
        if let (
            1,
            Piece::Activate {
                x,
                function: Function::Named("sigmoid"),
            },
        ) = (outputs, self.pieces.of(whole))
        {
            if !self.pieces.is_whole(whole) {
                return Err(self.refuse(whole.piece, "the output is a part of an activation"));
            }
            self.sigmoid = true;
            whole = *x;
        }
        match (self.recognised.head, outputs) {
            (Head::Softmax, 3) => {
                let text = self.layer(whole, true);
                self.text_or_noted(whole.piece, text)
            }
            (Head::Plain, 1) => self.sum(whole),
            _ => Err(ImportError::Inputs(format!(
                "the graph gives {outputs} numbers: a value is one number, or three with a softmax (loss, draw, win)"
            ))),
        }
    }

    /// A sum of single-output layers, of neurons and of PSQT outputs.
    fn sum(&mut self, whole: Segment) -> Result<String, ImportError> {
        let (psqt, terms): (Vec<Term>, Vec<Term>) = self
            .terms(whole)?
            .into_iter()
            .partition(|term| self.rows_of_chosen(term.segment).is_some());
        if !psqt.is_empty() {
            let found = self.psqt(&psqt);
            self.noted(found, ())?;
        }
        for term in terms
            .iter()
            .filter(|term| term.factor != 1.0 || term.side.is_some())
        {
            let refused = self.refuse(
                term.segment.piece,
                "layers and neurons are added to the output as they are",
            );
            self.noted(Err(refused), ())?;
        }
        self.skips = terms
            .iter()
            .map(|term| term.segment)
            .filter(|x| !self.is_layer(*x))
            .map(|x| x.piece)
            .collect();
        let hidden: Vec<bool> = terms
            .iter()
            .map(|term| !self.is_layer(term.segment))
            .collect();
        let mut texts = vec![String::new(); terms.len()];
        // A neuron of a hidden layer comes last, after the layer has got its name.
        for last in [false, true] {
            for (at, term) in terms
                .iter()
                .enumerate()
                .filter(|(at, _)| hidden[*at] == last)
            {
                let text = if last {
                    self.neuron(term.segment)
                } else {
                    self.layer(term.segment, true)
                };
                texts[at] = self.text_or_noted(term.segment.piece, text)?;
            }
        }
        // Layers come first, then the neurons, which have a ratio.
        let (layers, neurons): (Vec<_>, Vec<_>) = texts
            .into_iter()
            .zip(hidden)
            .partition(|(_, hidden)| !hidden);
        Ok(layers
            .into_iter()
            .chain(neurons)
            .map(|(text, _)| text)
            .collect::<Vec<_>>()
            .join(" + "))
    }

    fn terms(&self, whole: Segment) -> Result<Vec<Term>, ImportError> {
        let (mut terms, mut waiting) = (
            Vec::new(),
            vec![Term {
                segment: whole,
                factor: 1.0,
                side: None,
            }],
        );
        while let Some(term) = waiting.pop() {
            let Term {
                segment,
                factor,
                side,
            } = term;
            let of = |x: Segment| Segment {
                start: x.start + segment.start,
                len: segment.len,
                ..x
            };
            match self.pieces.of(segment) {
                Piece::Sum { a, b } => waiting.extend([b, a].map(|&x| Term {
                    segment: of(x),
                    ..term
                })),
                Piece::Scale {
                    x,
                    factor: by,
                    shift,
                } if shift[segment.start] == 0.0 => {
                    waiting.push(Term {
                        segment: of(*x),
                        factor: factor * by[segment.start],
                        side,
                    });
                }
                Piece::Sided { us, x } if side.is_none() => {
                    waiting.push(Term {
                        segment: of(*x),
                        factor,
                        side: Some(*us),
                    });
                }
                _ if terms.len() >= MAX_LAYERS => {
                    return Err(ImportError::Limit {
                        what: "terms of its output",
                        most: MAX_LAYERS,
                    });
                }
                _ => terms.push(term),
            }
        }
        Ok(terms)
    }

    /// The input with the rows that a term sums, if it is one of several stacks of such sums.
    pub(super) fn rows_of_chosen(&self, segment: Segment) -> Option<usize> {
        match self.pieces.of(segment) {
            Piece::Chosen { x, .. } => self.rows_of(*x),
            _ => None,
        }
    }

    /// Half the difference of two sums of rows, from the point of view of the side to move.
    fn psqt(&mut self, terms: &[Term]) -> Result<(), ImportError> {
        const WHY: &str = "PSQT outputs are half of the difference of two sums of rows with the same weights: `(p - q) / 2` of the side to move and \
            the other, or `(p - q) * (us - 0.5)` of White and Black";
        let &[one, other] = terms else {
            return Err(self.refuse(terms[0].segment.piece, WHY));
        };
        let (plus, minus) = if one.factor > 0.0 {
            (one, other)
        } else {
            (other, one)
        };
        let mut sides = Vec::new();
        for term in [plus, minus] {
            if let Piece::Chosen {
                x,
                stacks,
                selector,
            } = *self.pieces.of(term.segment)
            {
                self.choose(term.segment.piece, stacks, selector)?;
                sides.extend(self.pieces.affine(x).zip(self.rows_of(x)));
            }
        }
        let &[(a, first), (b, second)] = sides.as_slice() else {
            return Err(self.refuse(plus.segment.piece, WHY));
        };
        let same = a.weight == b.weight
            && a.bias == b.bias
            && plus.factor == -minus.factor
            && plus.side == minus.side;
        if !same
            || self
                .stacks
                .as_ref()
                .is_none_or(|(stacks, _)| *stacks != a.bias.len())
        {
            return Err(self.refuse(plus.segment.piece, WHY));
        }
        let times = if plus.side.is_some() {
            plus.factor
        } else {
            2.0 * plus.factor
        };
        self.psqt = Some(Psqt {
            weight: a.weight.iter().map(|weight| weight * times).collect(),
            outputs: a.bias.len(),
            inputs: [first, second],
            us: plus.side,
        });
        Ok(())
    }

    /// A neuron of a named layer.
    fn neuron(&mut self, segment: Segment) -> Result<String, ImportError> {
        let whole = Segment {
            piece: segment.piece,
            start: 0,
            len: self.pieces.0[segment.piece].shape[0],
        };
        if !self.is_layer(whole) {
            return Err(self.refuse(
                segment.piece,
                "terms of the output are layers with one output, or neurons of layers",
            ));
        }
        let ratio = if self.psqt.is_some() { SKIP } else { "" };
        Ok(format!(
            "{}[{}]{ratio}",
            self.layer(whole, false)?,
            segment.start
        ))
    }
}
