//! Networks with an accumulator: layers over rows of features, which the user names, because a graph does not say what its input 0 means.
//!
//! ```text
//!   Linear(stm), Linear(nstm) with the same weights ─► Concat ─► Clip ─► ..      acc = accumulate(768, 32 @ 255) x 2;   crelu(acc) ..
//! ```

use std::collections::BTreeMap;

use super::report::report;
use super::words::activation;
use super::{Declared, Weights};
use crate::error::{ImportError, Unsupported};
use crate::fold::Folded;
use crate::graph::Graph;
use crate::name::shown;
use crate::recognise::piece::{Affine, Function, Piece, PieceId, Pieces, Segment};
use crate::recognise::{Head, Recognised, Selector, recognise};

/// Most layers of a network.
const MAX_LAYERS: usize = 64;

/// How an input of the graph follows from a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Given {
    /// the active rows of the side to move, or of the other side
    Rows {
        /// of the side that does not move
        second: bool,
    },
    /// the active rows of White, or of Black
    Color {
        /// of Black
        black: bool,
    },
    /// 1 if White moves, 0 if Black does
    WhiteMoves,
    /// the number of pieces
    Pieces,
    /// the number of the stack
    Stack,
    /// nothing that the output depends on
    Nothing,
}

/// A declared network with an accumulator.
#[derive(Clone, Debug)]
pub struct Accumulated {
    /// the declaration, its tensors, and what became of each node
    pub declared: Declared,
    /// the rows of the feature set that the graph has
    pub rows: usize,
    /// what each input of the graph is
    pub inputs: Vec<Given>,
    /// the entry of a list that is no row; nothing where all entries are
    pub padding: Option<i64>,
    /// what the graph does not say, and was filled in
    pub guesses: Vec<String>,
}

/// The declaration of a graph as a network with an accumulator of `features`.
///
/// # Errors
///
/// [`ImportError`]: nodes have no counterpart; inputs or outputs have none; perspectives differ in their weights.
pub fn declare(graph: &Graph, folded: &Folded, name: &str, features: &str) -> Result<Accumulated, ImportError> {
    let recognised = recognise(folded)?;
    let mut writer = Writer::new(folded, &recognised);
    let output = writer.output()?;
    if let (Some(piece), Some(_)) = (writer.plain, &writer.stacks) {
        return Err(writer.refuse(piece, "all layers have stacks, or none"));
    }
    let transformer = writer.transformer()?;
    let two = if writer.perspectives.len() == 2 { " x 2" } else { "" };
    let mut text =
        format!("pub struct {name} {{\n    acc = accumulate({features}, {} @ 255){two};\n", transformer.bias.len());
    let body = std::mem::take(&mut writer.lines).into_iter().chain([format!("output {output};")]);
    match &writer.stacks {
        None => body.for_each(|line| text += &format!("    {line}\n")),
        Some((stacks, by)) => {
            let by = if let Selector::By(by) = by { format!(" by {by}") } else { String::new() };
            text += &format!("    stacks {stacks}{by} {{\n");
            body.for_each(|line| text += &format!("        {line}\n"));
            text += "    }\n";
        }
    }
    let guesses = writer.guesses();
    text += match recognised.head {
        Head::Softmax => "    value wdl * 1000;\n",
        Head::Plain if writer.sigmoid => "    value sigmoid(output) * 1000;\n",
        Head::Plain => "",
    };
    text += "    format raw\n}\n";
    let rows = transformer.weight.len() / transformer.bias.len();
    let ft = [
        Weights {
            name: "ft_weight".into(),
            shape: vec![transformer.bias.len(), rows],
            values: transformer.weight.clone(),
        },
        Weights { name: "ft_bias".into(), shape: vec![transformer.bias.len()], values: transformer.bias.clone() },
    ];
    let inputs = writer.inputs();
    let tensors = ft.into_iter().chain(std::mem::take(&mut writer.tensors)).collect();
    let clauses = report(graph, folded, &recognised, |id| writer.clause(id));
    Ok(Accumulated {
        declared: Declared { text, tensors, clauses, layers: Vec::new() },
        rows,
        inputs,
        padding: recognised.padding,
        guesses,
    })
}

/// A way in which accumulators are read.
struct View {
    /// the piece that is the accumulator, or both in turns
    piece: PieceId,
    /// the inputs of the graph: that of the rows, or those of White's and Black's rows, and that which says who moves
    inputs: Vec<usize>,
}

struct Writer<'a> {
    folded: &'a Folded,
    recognised: &'a Recognised,
    pieces: &'a Pieces,
    /// the first perspective, and the second
    perspectives: Vec<View>,
    /// names of layers, by the pieces of their sums
    names: BTreeMap<PieceId, String>,
    lines: Vec<String>,
    tensors: Vec<Weights>,
    stacks: Option<(usize, Selector)>,
    /// the output is the sigmoid of a number
    sigmoid: bool,
    /// a layer without stacks
    plain: Option<PieceId>,
    /// layers that are being written, each for the one before
    depth: usize,
}

impl<'a> Writer<'a> {
    fn new(folded: &'a Folded, recognised: &'a Recognised) -> Self {
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
            stacks: None,
            sigmoid: false,
            plain: None,
            depth: 0,
        }
    }

    /// That a piece has no counterpart.
    fn refuse(&self, piece: PieceId, why: &str) -> ImportError {
        let unsupported = match self.folded.graph.nodes.get(self.pieces.0[piece].node) {
            Some(node) => node.unsupported(why),
            None => Unsupported { node: "input".into(), operation: "input".into(), line: None, why: why.into() },
        };
        ImportError::Unsupported(vec![unsupported])
    }

    /// The output: a sum of neurons, or three of one layer.
    fn output(&mut self) -> Result<String, ImportError> {
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
    fn is_layer(&self, segment: Segment) -> bool {
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
    fn layer(&mut self, segment: Segment, inline: bool) -> Result<String, ImportError> {
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

    /// What a layer reads: activations of accumulators and of layers.
    fn reads(&mut self, layer: PieceId, affine: &Affine) -> Result<String, ImportError> {
        let (mut values, mut parts) = (Vec::new(), affine.x.as_slice());
        while let [first, rest @ ..] = parts {
            parts = rest;
            let Some((word, view)) = self.accumulator(*first) else {
                values.push(self.activated(layer, *first)?);
                continue;
            };
            let first = self.perspective(view, layer)?;
            let other = rest.split_first().and_then(|(other, rest)| Some((self.accumulator(*other)?, rest)));
            let two = match other {
                Some(((same, view), rest)) if same == word && first == 0 => {
                    parts = rest;
                    self.perspective(view, layer)? == 1
                }
                _ => false,
            };
            if !two && (first != 0 || self.perspectives.len() == 2) {
                return Err(self.refuse(layer, "a layer reads the activation of both perspectives, the side to move first, or of one in a network of one"));
            }
            values.push(format!("{word}(acc)"));
        }
        Ok(if values.len() == 1 { values.concat() } else { format!("concat({})", values.join(", ")) })
    }

    /// The activation of an accumulator that a segment is the whole of.
    fn accumulator(&self, segment: Segment) -> Option<(&'static str, PieceId)> {
        let whole = |segment: Segment| self.pieces.is_whole(segment).then_some(segment);
        let clamped = |segment: Segment| match *self.pieces.of(segment) {
            Piece::Activate { x, function: Function::Clamp { low: 0.0, high: 1.0 } } => {
                whole(x).filter(|x| self.is_accumulator(*x)).map(|x| x.piece)
            }
            _ => None,
        };
        match *self.pieces.of(whole(segment)?) {
            Piece::Activate { x, function: Function::Square } => Some(("screlu", clamped(whole(x)?)?)),
            Piece::Product { a, b }
                if a.piece == b.piece && a.start.min(b.start) == 0 && a.start.max(b.start) == a.len =>
            {
                let is_half = 2 * a.len == self.pieces.0[a.piece].shape[0];
                clamped(a).filter(|_| is_half).map(|piece| ("pairwise", piece))
            }
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
    fn rows_of(&self, segment: Segment) -> Option<usize> {
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

    /// An activation of a layer, or a part of it.
    fn activated(&mut self, reader: PieceId, segment: Segment) -> Result<String, ImportError> {
        let word = match *self.pieces.of(segment) {
            Piece::Activate { x, function } => activation(self.pieces, x, function),
            Piece::Product { .. } => {
                Err("layers read no products of their sums, but by `silu` and `hard_swish`".into())
            }
            _ => Err("a layer reads activations: `crelu`, `screlu`, .. of accumulators or of other layers".into()),
        };
        let word = word.map_err(|why| self.refuse(segment.piece, &why))?;
        let &[x] = word.reads.as_slice() else { return Err(self.refuse(reader, "an activation reads one layer")) };
        let whole = Segment { piece: x.piece, start: 0, len: self.pieces.0[x.piece].shape[0] };
        if !self.is_layer(whole) || !self.pieces.is_whole(x) {
            return Err(self.refuse(
                segment.piece,
                "an activation reads a layer, or an accumulator with `crelu`, `screlu` or `pairwise`",
            ));
        }
        let layer = self.layer(whole, false)?;
        let part = match self.pieces.is_whole(segment) {
            true => String::new(),
            false => format!("[{}..{}]", segment.start, segment.start + segment.len),
        };
        Ok(format!("{}({layer}){part}", word.name))
    }

    /// The weights of the rows, which all perspectives have in common.
    fn transformer(&self) -> Result<&'a Affine, ImportError> {
        let mut found: Option<&Affine> = None;
        for view in &self.perspectives {
            let whole = |piece: PieceId| Segment { piece, start: 0, len: self.pieces.0[piece].shape[0] };
            let sides = match *self.pieces.of(whole(view.piece)) {
                Piece::Turned { a, b, .. } => vec![a, b],
                _ => vec![whole(view.piece)],
            };
            for affine in sides.into_iter().filter_map(|side| self.pieces.affine(side)) {
                let first = *found.get_or_insert(affine);
                if first.weight != affine.weight || first.bias != affine.bias {
                    return Err(self.refuse(view.piece, "both perspectives have the same weights"));
                }
            }
        }
        found.ok_or_else(|| {
            ImportError::Inputs("no layer reads rows of features: without --features, the input is a dense one".into())
        })
    }

    /// What each input of the graph is.
    fn inputs(&self) -> Vec<Given> {
        let mut inputs = vec![Given::Nothing; self.folded.graph.inputs.len()];
        for (at, view) in self.perspectives.iter().enumerate() {
            match *view.inputs.as_slice() {
                [rows] => inputs[rows] = Given::Rows { second: at == 1 },
                [white, black, us] if at == 0 => {
                    inputs[white] = Given::Color { black: false };
                    inputs[black] = Given::Color { black: true };
                    inputs[us] = Given::WhiteMoves;
                }
                _ => {}
            }
        }
        if let Some((_, by)) = &self.stacks {
            let given = if *by == Selector::Given { Given::Stack } else { Given::Pieces };
            self.recognised.counts(self.folded).iter().for_each(|&input| inputs[input] = given.clone());
        }
        inputs
    }

    /// What the graph does not say.
    fn guesses(&self) -> Vec<String> {
        let mut guesses =
            vec!["what the rows of the input mean: compare a value with one of the trainer (`nnue golden`)".to_owned()];
        let name = |input: usize| shown(&self.folded.graph.values[self.folded.graph.inputs[input]].name);
        match self.perspectives.as_slice() {
            [first, second] if first.inputs.len() == 1 => guesses.push(format!(
                "that `{}` has the rows of the side to move, and `{}` those of the other side",
                name(first.inputs[0]),
                name(second.inputs[0])
            )),
            [first, ..] if first.inputs.len() == 3 => guesses.push(format!(
                "that `{}` is 1 where `{}` has the rows of the side to move",
                name(first.inputs[2]),
                name(first.inputs[0])
            )),
            _ => {}
        }
        if self.stacks.as_ref().is_some_and(|(_, by)| *by == Selector::Given) {
            guesses.push("how stacks are chosen: the graph reads their number".to_owned());
        }
        match self.recognised.head {
            Head::Plain if self.sigmoid => guesses.push("`value sigmoid(output) * 1000`".into()),
            Head::Plain => guesses.push("`value output * 400`".into()),
            Head::Softmax => {
                guesses.push("that the outputs are loss, draw and win, in this order, and `value wdl * 1000`".into())
            }
        }
        guesses.push("the scale of the accumulator, `@ 255`".into());
        guesses
    }

    /// What a piece is in the declaration.
    fn clause(&self, id: PieceId) -> Option<String> {
        if self.perspectives.iter().any(|view| view.piece == id) {
            return Some("acc".into());
        }
        if let Some(name) = self.names.get(&id) {
            return Some(name.clone());
        }
        let shape = &self.pieces.0[id].shape;
        let (word, view) = self.accumulator(Segment { piece: id, start: 0, len: shape[0] })?;
        self.perspectives.iter().any(|known| known.piece == view).then(|| format!("{word}(acc)"))
    }
}
