//! Writes layers, from the output backwards.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::declare::Weights;
use crate::declare::words::magnitudes;
use crate::error::{ImportError, Unsupported};
use crate::fold::Folded;
use crate::graph::ValueId;
use crate::recognise::piece::{Piece, PieceId, Pieces, Segment};
use crate::recognise::{Recognised, Selector};

use super::whole::{Whole, steps_of, weights_in_steps, whole};

pub(super) const MAX_LAYERS: usize = 64;

/// In integers, the product of two accumulators of 1.0 is 127 * 127 / 128, which the next layer takes for
/// 1.0. So that 1.0 of its sums is still 127 * 64, where they are clipped, the weights of that layer are
/// multiplied by this. If its neurons are added to the output, so are the weights of the output.
pub(super) const STRETCH_OF_PRODUCTS: f32 = 128.0 / 127.0;

/// The same factor for layers that read `quantmoid4`, whose 1.0 is 126.
pub(super) const STRETCH_OF_SIGMOIDS: f32 = 127.0 / 126.0;

/// How a perspective reads an accumulator.
pub(super) struct View {
    /// the accumulator, or the choice between both by the side to move
    pub(super) piece: PieceId,
    /// inputs of the graph: the rows; or White's and Black's rows and the side to move
    pub(super) inputs: Vec<usize>,
}

pub(super) struct Reads {
    pub(super) text: String,
    /// factor for the weights of the layer, if it is activated
    pub(super) stretch: f32,
    /// columns of averages where the graph has sums
    pub(super) averages: Vec<Range<usize>>,
}

#[derive(Debug)]
pub(super) struct Psqt {
    /// `[output][row]`; the output adds half of the side to move minus the other side
    pub(super) weight: Vec<f32>,
    pub(super) outputs: usize,
    /// inputs of the graph: rows of White or of the side to move, rows of the other side; `us`: the side to
    /// move
    pub(super) inputs: [usize; 2],
    pub(super) us: Option<usize>,
}

pub(super) struct Writer<'a> {
    pub(super) folded: &'a Folded,
    pub(super) recognised: &'a Recognised,
    pub(super) pieces: &'a Pieces,
    /// the views of the first and the second perspective
    pub(super) perspectives: Vec<View>,
    /// names of layers by the pieces of their sums
    pub(super) names: BTreeMap<PieceId, String>,
    /// names of pooled values by their pieces
    pub(super) values: BTreeMap<PieceId, String>,
    /// names of averages by the pieces of the sums, which are twice as large
    pub(super) averages: BTreeMap<PieceId, String>,
    pub(super) lines: Vec<String>,
    pub(super) tensors: Vec<Weights>,
    /// layers in the order of their tensors
    pub(super) written: Vec<PieceId>,
    pub(super) stacks: Option<(usize, Selector)>,
    /// the output is a sigmoid
    pub(super) sigmoid: bool,
    /// for graphs that round activations: an integer network
    pub(super) whole: Option<Whole>,
    /// PSQT outputs, which imply an integer network
    pub(super) psqt: Option<Psqt>,
    /// layers with a neuron that is added to the output
    pub(super) skips: Vec<PieceId>,
    /// factors of layers whose weights are not those of the graph
    pub(super) stretched: BTreeMap<PieceId, f32>,
    /// a layer without stacks
    pub(super) plain: Option<PieceId>,
    /// a layer that reads only one perspective
    pub(super) single: Option<PieceId>,
    /// number of nested layers that are being written
    pub(super) depth: usize,
    /// pieces without a counterpart so far, from the output backwards
    pub(super) refused: Vec<Unsupported>,
    /// pieces without a counterpart whose layers were written
    pub(super) explored: BTreeSet<PieceId>,
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
            values: BTreeMap::new(),
            averages: BTreeMap::new(),
            lines,
            tensors: Vec::new(),
            written: Vec::new(),
            stacks: None,
            sigmoid: false,
            whole: whole(recognised),
            psqt: None,
            skips: Vec::new(),
            stretched: BTreeMap::new(),
            plain: None,
            single: None,
            depth: 0,
            refused: Vec::new(),
            explored: BTreeSet::new(),
        }
    }

    /// Whether a segment is a whole layer.
    pub(super) fn is_layer(&self, segment: Segment) -> bool {
        self.pieces.is_whole(segment)
            && matches!(
                self.pieces.of(segment),
                Piece::Affine(_) | Piece::Chosen { .. }
            )
    }

    /// Records that a rule chooses a piece from a number of stacks.
    pub(super) fn choose(
        &mut self,
        piece: PieceId,
        stacks: usize,
        selector: ValueId,
    ) -> Result<(), ImportError> {
        let rule = self.recognised.selector(self.folded, selector, stacks)?;
        match *self.stacks.get_or_insert((stacks, rule.clone())) == (stacks, rule) {
            true => Ok(()),
            false => Err(self.refuse(piece, "all layers have as many stacks, chosen by one rule")),
        }
    }

    /// A layer: its name, or its value if it is written `inline`.
    pub(super) fn layer(&mut self, segment: Segment, inline: bool) -> Result<String, ImportError> {
        if let Some(name) = self.names.get(&segment.piece) {
            return Ok(name.clone());
        }
        let sums = match *self.pieces.of(segment) {
            Piece::Chosen {
                x,
                stacks,
                selector,
            } => {
                self.choose(segment.piece, stacks, selector)?;
                x
            }
            _ => {
                self.plain = Some(segment.piece);
                segment
            }
        };
        let Some(mut affine) = self
            .pieces
            .affine(sums)
            .filter(|affine| affine.windows.is_none() && !affine.input_scale)
            .cloned()
        else {
            return Err(self.refuse(
                segment.piece,
                "after the accumulator, networks have layers and activations of their sums",
            ));
        };
        if self.names.len() >= MAX_LAYERS || self.depth >= MAX_LAYERS {
            return Err(ImportError::Limit {
                what: "layers",
                most: MAX_LAYERS,
            });
        }
        self.depth += 1;
        let Reads {
            text: reads,
            stretch,
            averages,
        } = self.reads(segment.piece, &affine)?;
        self.depth -= 1;
        let inputs = affine.weight.len() / affine.bias.len();
        for row in affine.weight.chunks_exact_mut(inputs) {
            averages.iter().for_each(|columns| {
                row[columns.clone()]
                    .iter_mut()
                    .for_each(|weight| *weight *= 2.0)
            });
        }
        let stretch = if inline {
            self.stretch_of_skips()
        } else {
            stretch
        };
        if stretch != 1.0 {
            affine
                .weight
                .iter_mut()
                .chain(&mut affine.bias)
                .for_each(|number| *number *= stretch);
            self.stretched.insert(segment.piece, stretch);
        }
        let signs = self.reads_signs(&affine);
        if let (true, Err(why)) = (signs, magnitudes(&affine.weight, affine.bias.len())) {
            let refused = self.refuse(segment.piece, &why);
            self.noted(Err(refused), ())?;
        }
        let scale = steps_of(&affine.weight);
        let number = self.tensors.len() / 2;
        let outputs = affine.bias.len();
        let tensor = |what: &str, shape, values| Weights {
            name: format!("fc{number}_{what}"),
            shape,
            values,
        };
        self.written.push(segment.piece);
        self.tensors
            .push(tensor("weight", vec![outputs, inputs], affine.weight));
        self.tensors
            .push(tensor("bias", vec![outputs], affine.bias));
        let element = match (&self.psqt, &self.whole) {
            _ if signs => " binary".into(),
            (Some(_), _) => String::new(),
            (None, Some(_)) => weights_in_steps(scale.unwrap_or(64)),
            (None, None) => ": f32".into(),
        };
        let text = format!("affine({reads}, {}{element})", segment.len);
        if inline {
            return Ok(text);
        }
        let name = format!("h{}", number + 1);
        self.lines.push(format!("let {name} = {text};"));
        self.names.insert(segment.piece, name.clone());
        Ok(name)
    }

    /// The factor of the neurons that are added to the output.
    pub(super) fn stretch_of_skips(&self) -> f32 {
        self.skips
            .iter()
            .find_map(|skip| self.stretched.get(skip))
            .copied()
            .unwrap_or(1.0)
    }
}
