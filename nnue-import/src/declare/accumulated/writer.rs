//! Writes layers, from the output backwards.

use std::collections::BTreeMap;

use crate::declare::Weights;
use crate::error::{ImportError, Unsupported};
use crate::fold::Folded;
use crate::recognise::piece::{Function, Piece, PieceId, Pieces, Segment};
use crate::recognise::{Head, Recognised, Selector};

/// Most layers of a network.
const MAX_LAYERS: usize = 64;

/// A way in which accumulators are read.
pub(super) struct View {
    /// the piece that is the accumulator, or both in turns
    pub(super) piece: PieceId,
    /// the inputs of the graph: that of the rows, or those of White's and Black's rows, and that which says who moves
    pub(super) inputs: Vec<usize>,
}

/// A declaration that is being written.
pub(super) struct Writer<'a> {
    pub(super) folded: &'a Folded,
    pub(super) recognised: &'a Recognised,
    pub(super) pieces: &'a Pieces,
    /// the first perspective, and the second
    pub(super) perspectives: Vec<View>,
    /// names of layers, by the pieces of their sums
    pub(super) names: BTreeMap<PieceId, String>,
    /// clauses before the output
    pub(super) lines: Vec<String>,
    /// of the layers
    pub(super) tensors: Vec<Weights>,
    /// layers, in the order of their tensors
    pub(super) written: Vec<PieceId>,
    pub(super) stacks: Option<(usize, Selector)>,
    /// the output is the sigmoid of a number
    pub(super) sigmoid: bool,
    /// a layer without stacks
    pub(super) plain: Option<PieceId>,
    /// layers that are being written, each for the one before
    pub(super) depth: usize,
}

impl<'a> Writer<'a> {
    pub(super) fn new(folded: &'a Folded, recognised: &'a Recognised) -> Self {
        let pieces = &recognised.pieces;
        let (names, lines) = (BTreeMap::new(), Vec::new());
        Self {
            folded,
            recognised,
            pieces,
            perspectives: Vec::new(),
            names,
            lines,
            tensors: Vec::new(),
            written: Vec::new(),
            stacks: None,
            sigmoid: false,
            plain: None,
            depth: 0,
        }
    }

    /// That a piece has no counterpart.
    pub(super) fn refuse(&self, piece: PieceId, why: &str) -> ImportError {
        let unsupported = match self.folded.graph.nodes.get(self.pieces.0[piece].node) {
            Some(node) => node.unsupported(why),
            None => Unsupported { node: "input".into(), operation: "input".into(), line: None, why: why.into() },
        };
        ImportError::Unsupported(vec![unsupported])
    }

    /// The output: a sum of neurons, or three of one layer.
    pub(super) fn output(&mut self) -> Result<String, ImportError> {
        let parts = self.recognised.output.clone();
        let outputs: usize = parts.iter().map(|segment| segment.len).sum();
        let &[mut whole] = parts.as_slice() else {
            return Err(ImportError::Inputs(
                "the output is no layer: networks with an accumulator have one value".into(),
            ));
        };
        if let (1, Piece::Activate { x, function: Function::Named("sigmoid") }) = (outputs, self.pieces.of(whole)) {
            if !self.pieces.is_whole(whole) {
                return Err(self.refuse(whole.piece, "the output is a part of an activation"));
            }
            self.sigmoid = true;
            whole = *x;
        }
        match (self.recognised.head, outputs) {
            (Head::Softmax, 3) => self.layer(whole, true),
            (Head::Plain, 1) => {
                let mut terms = Vec::new();
                let mut waiting = vec![whole];
                while let Some(segment) = waiting.pop() {
                    match *self.pieces.of(segment) {
                        Piece::Sum { a, b } => waiting.extend([b, a]),
                        _ if terms.len() >= MAX_LAYERS => {
                            return Err(ImportError::Limit { what: "terms of its output", most: MAX_LAYERS });
                        }
                        _ => terms.push(segment),
                    }
                }
                let hidden: Vec<bool> = terms.iter().map(|&term| !self.is_layer(term)).collect();
                let mut texts = vec![String::new(); terms.len()];
                // A neuron of a hidden layer needs the name that the layer gets where it is read.
                for last in [false, true] {
                    for (at, &term) in terms.iter().enumerate().filter(|(at, _)| hidden[*at] == last) {
                        texts[at] = if last { self.neuron(term)? } else { self.layer(term, true)? };
                    }
                }
                Ok(texts.join(" + "))
            }
            _ => Err(ImportError::Inputs(format!(
                "the graph gives {outputs} numbers: a value is one number, or three with a softmax (loss, draw, win)"
            ))),
        }
    }

    /// Whether a segment is the whole of a layer.
    pub(super) fn is_layer(&self, segment: Segment) -> bool {
        self.pieces.is_whole(segment) && matches!(self.pieces.of(segment), Piece::Affine(_) | Piece::Chosen { .. })
    }

    /// One neuron of a layer that has a name.
    fn neuron(&mut self, segment: Segment) -> Result<String, ImportError> {
        let whole = Segment { piece: segment.piece, start: 0, len: self.pieces.0[segment.piece].shape[0] };
        if !self.is_layer(whole) {
            return Err(
                self.refuse(segment.piece, "terms of the output are layers with one output, or neurons of layers")
            );
        }
        Ok(format!("{}[{}]", self.layer(whole, false)?, segment.start))
    }

    /// A layer: its name, or what it is if it is written `inline`.
    pub(super) fn layer(&mut self, segment: Segment, inline: bool) -> Result<String, ImportError> {
        if let Some(name) = self.names.get(&segment.piece) {
            return Ok(name.clone());
        }
        let sums = match *self.pieces.of(segment) {
            Piece::Chosen { x, stacks, selector } => {
                let rule = self.recognised.selector(self.folded, selector, stacks)?;
                if *self.stacks.get_or_insert((stacks, rule.clone())) != (stacks, rule) {
                    return Err(self.refuse(segment.piece, "all layers have as many stacks, chosen by one rule"));
                }
                x
            }
            _ => {
                self.plain = Some(segment.piece);
                segment
            }
        };
        let Some(affine) =
            self.pieces.affine(sums).filter(|affine| affine.windows.is_none() && !affine.input_scale).cloned()
        else {
            return Err(
                self.refuse(segment.piece, "after the accumulator, networks have layers and activations of their sums")
            );
        };
        if self.names.len() >= MAX_LAYERS || self.depth >= MAX_LAYERS {
            return Err(ImportError::Limit { what: "layers", most: MAX_LAYERS });
        }
        self.depth += 1;
        let reads = self.reads(segment.piece, &affine)?;
        self.depth -= 1;
        let number = self.tensors.len() / 2;
        let (outputs, inputs) = (affine.bias.len(), affine.weight.len() / affine.bias.len());
        let tensor = |what: &str, shape, values| Weights { name: format!("fc{number}_{what}"), shape, values };
        self.written.push(segment.piece);
        self.tensors.push(tensor("weight", vec![outputs, inputs], affine.weight));
        self.tensors.push(tensor("bias", vec![outputs], affine.bias));
        let text = format!("affine({reads}, {}: f32)", segment.len);
        if inline {
            return Ok(text);
        }
        let name = format!("h{}", number + 1);
        self.lines.push(format!("let {name} = {text};"));
        self.names.insert(segment.piece, name.clone());
        Ok(name)
    }
}
