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

/// Most layers of a network.
pub(super) const MAX_LAYERS: usize = 64;

/// In whole numbers, 1.0 times 1.0 of accumulators is 127 * 127 / 128, which is 1.0 for the layer that reads such products. So that 1.0 of its sums
/// is 127 * 64, at which they are clipped, its numbers are so many times those of the graph; and the output's, to which its neurons are added.
pub(super) const STRETCH_OF_PRODUCTS: f32 = 128.0 / 127.0;

/// 1.0 of `quantmoid4` is 126: the same for layers that read it.
pub(super) const STRETCH_OF_SIGMOIDS: f32 = 127.0 / 126.0;

/// A way in which accumulators are read.
pub(super) struct View {
    /// the piece that is the accumulator, or both in turns
    pub(super) piece: PieceId,
    /// the inputs of the graph: that of the rows, or those of White's and Black's rows, and that which says who moves
    pub(super) inputs: Vec<usize>,
}

/// What a layer reads.
pub(super) struct Reads {
    pub(super) text: String,
    /// how many times those of the graph the numbers of the layer are, if it is activated
    pub(super) stretch: f32,
    /// columns of averages, of which the graph has the sums
    pub(super) averages: Vec<Range<usize>>,
}

/// PSQT outputs.
#[derive(Debug)]
pub(super) struct Psqt {
    /// `[output][row]`: of the side to move and the other, half of the difference is added to the output
    pub(super) weight: Vec<f32>,
    pub(super) outputs: usize,
    /// the inputs of the graph: that of the rows of White, or of the side to move, and that of the others; that which says who moves
    pub(super) inputs: [usize; 2],
    pub(super) us: Option<usize>,
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
    /// names of values that are made of two, or of many, by their pieces
    pub(super) values: BTreeMap<PieceId, String>,
    /// names of averages, by the pieces of the sums that are twice as much
    pub(super) averages: BTreeMap<PieceId, String>,
    /// clauses before the output
    pub(super) lines: Vec<String>,
    /// of the layers
    pub(super) tensors: Vec<Weights>,
    /// layers, in the order of their tensors
    pub(super) written: Vec<PieceId>,
    pub(super) stacks: Option<(usize, Selector)>,
    /// the output is the sigmoid of a number
    pub(super) sigmoid: bool,
    /// activations are rounded, so that it is a network in whole numbers
    pub(super) whole: Option<Whole>,
    /// PSQT outputs, which make it a network in whole numbers
    pub(super) psqt: Option<Psqt>,
    /// layers of which a neuron is added to the output
    pub(super) skips: Vec<PieceId>,
    /// layers whose numbers are so many times those of the graph
    pub(super) stretched: BTreeMap<PieceId, f32>,
    /// a layer without stacks
    pub(super) plain: Option<PieceId>,
    /// a layer that reads one perspective alone
    pub(super) single: Option<PieceId>,
    /// layers that are being written, each for the one before
    pub(super) depth: usize,
    /// what has no counterpart, so far, from the output backwards
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

    /// Whether a segment is the whole of a layer.
    pub(super) fn is_layer(&self, segment: Segment) -> bool {
        self.pieces.is_whole(segment)
            && matches!(
                self.pieces.of(segment),
                Piece::Affine(_) | Piece::Chosen { .. }
            )
    }

    /// Notes that a piece is one of so many stacks, which are chosen by a rule.
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

    /// A layer: its name, or what it is if it is written `inline`.
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

    /// How many times those of the graph the neurons are that are added to the output.
    pub(super) fn stretch_of_skips(&self) -> f32 {
        self.skips
            .iter()
            .find_map(|skip| self.stretched.get(skip))
            .copied()
            .unwrap_or(1.0)
    }
}
