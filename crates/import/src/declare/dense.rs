//! Declares networks over a dense input.
//!
//! ```text
//!   input[256] -> affine(64 binary, one_scale, input_scale) batch_norm relu -> 10                       a chain, where each value is read once
//!   x = input[64];  let a1 = relu(affine(x, 32));  output affine(add(a1, relu(affine(a1, 32))), 10);     a graph otherwise
//! ```

use std::collections::{BTreeMap, BTreeSet};

use super::report::report;
use super::words::{Word, word};
use super::{Declared, Weights};
use crate::error::{ImportError, Unsupported};
use crate::fold::Folded;
use crate::graph::{Graph, Origin};
use crate::name::shown;
use crate::recognise::piece::{Piece, PieceId, Segment};
use crate::recognise::{Head, Recognised, recognise};
use crate::tensor::Element;

/// Most operations of a network.
const MAX_WORDS: usize = 1 << 12;

const WIDTH: usize = 110;

/// Declares a graph as a network over a dense input. `folded` is `graph` after folding.
///
/// # Errors
///
/// [`ImportError`]: nodes (all are listed), inputs or outputs have no counterpart.
pub fn declare(graph: &Graph, folded: &Folded, name: &str) -> Result<Declared, ImportError> {
    let recognised = recognise(folded, false)?;
    if recognised.unsupported.is_empty() {
        refuse_features(folded, &recognised)?;
    }
    let words = words(folded, &recognised)?;
    let input = words
        .keys()
        .copied()
        .find(|&id| matches!(recognised.pieces.0[id].piece, Piece::Input(_)));
    let Some(input) = input else {
        return Err(ImportError::Inputs("the output depends on no input".into()));
    };
    let mut writer = Writer {
        words: &words,
        uses: BTreeMap::new(),
        names: BTreeMap::new(),
        counts: BTreeMap::new(),
        tensors: Vec::new(),
        layers: Vec::new(),
        made: BTreeMap::new(),
        operations: 1, // the input
    };
    writer.count(&recognised.output);
    let source = recognised.pieces.0[input]
        .shape
        .iter()
        .map(ToString::to_string)
        .collect::<Vec<_>>()
        .join(", ");
    let Origin { bits, fused, .. } = graph.origin;
    let source = format!("{}[{source}]", if bits { "planes" } else { "input" });
    let text = match writer.chain(&recognised.output, input) {
        Some(links) if links.is_empty() => {
            let message =
                "the output of the graph is its input: a network has one operation or more";
            return Err(ImportError::Inputs(message.into()));
        }
        Some(links) => chain(
            name,
            &source,
            &links,
            if fused {
                " { floats fused; };\n"
            } else {
                ";\n"
            },
        ),
        None => writer.graph(
            name,
            &source,
            input,
            &recognised.output,
            if fused { "    floats fused;\n" } else { "" },
        ),
    };
    let clauses = report(graph, folded, &recognised, |id| words.get(&id).map(short));
    let value = |(name, id): &(String, PieceId)| Some((name.clone(), recognised.value_of(*id)?));
    let named = writer
        .names
        .iter()
        .filter(|(id, _)| **id != input)
        .map(|(&id, name)| (name.clone(), id));
    let named: Vec<(String, PieceId)> = named.collect();
    let operation = |(name, id): &(String, PieceId)| Some((name.clone(), *writer.made.get(id)?));
    let output = ("output".to_owned(), writer.operations - 1);
    let operations = named.iter().filter_map(operation).chain([output]).collect();
    let layers = writer
        .layers
        .iter()
        .chain(&named)
        .filter_map(value)
        .collect();
    Ok(Declared {
        text,
        tensors: writer.tensors,
        clauses,
        layers,
        operations,
    })
}

/// Refuses unsupported operations in a part of a graph.
pub(super) fn check(folded: &Folded, recognised: &Recognised) -> Result<(), ImportError> {
    words(folded, recognised).map(drop)
}

/// Refuses operations that only networks with an accumulator have.
fn refuse_features(folded: &Folded, recognised: &Recognised) -> Result<(), ImportError> {
    let graph = &folded.graph;
    if let Some(&id) = graph
        .inputs
        .iter()
        .find(|&&id| graph.values[id].element == Some(Element::I64))
    {
        let name = shown(&graph.values[id].name);
        let message = format!(
            "input `{name}` has whole numbers: for lists of rows, name the set of features with `--features`"
        );
        return Err(ImportError::Inputs(message));
    }
    let why = match recognised.head {
        Head::Softmax => {
            "the outputs of such networks are the numbers before the softmax: leave it out of the export"
        }
        Head::Plain => return Ok(()),
    };
    let node = graph
        .nodes
        .iter()
        .find(|node| node.outputs.contains(&graph.outputs[0]));
    Err(ImportError::Unsupported(
        node.map(|node| node.unsupported(why)).into_iter().collect(),
    ))
}

/// An operation without its operands.
fn short(word: &Word) -> String {
    if word.options.is_empty() {
        word.name.to_owned()
    } else {
        format!("{}({})", word.name, word.options)
    }
}

/// The operations that the output needs, or all that have no counterpart.
fn words(folded: &Folded, recognised: &Recognised) -> Result<BTreeMap<PieceId, Word>, ImportError> {
    let pieces = &recognised.pieces;
    let (mut words, mut wrong): (_, Vec<Unsupported>) =
        (BTreeMap::new(), recognised.unsupported.clone());
    wrong.reverse();
    let mut refuse = |id: PieceId, why: &str| match folded.graph.nodes.get(pieces.0[id].node) {
        Some(node) => wrong.push(node.unsupported(why)),
        None => {
            let Piece::Input(input) = pieces.0[id].piece else {
                return;
            };
            let node = folded.graph.values[folded.graph.inputs[input]].name.clone();
            wrong.push(Unsupported {
                node,
                operation: "input".into(),
                line: None,
                why: why.into(),
            });
        }
    };
    let mut waiting: BTreeSet<PieceId> = recognised
        .output
        .iter()
        .map(|segment| segment.piece)
        .collect();
    waiting.extend(layers_below(recognised));
    let mut inputs = BTreeSet::new();
    while let Some(id) = waiting.pop_last() {
        let found = word(pieces, id);
        // Operands of unsupported operations are visited too, to report all at once.
        let reads = found
            .as_ref()
            .map_or_else(|_| pieces.operands(id), |word| word.reads.clone());
        match found {
            Ok(word) => {
                if reads.iter().any(|&segment| !pieces.is_whole(segment)) {
                    refuse(
                        id,
                        "it reads a part of a value, which networks over a dense input do not",
                    );
                }
                words.insert(id, word);
            }
            Err(why) => refuse(id, &why),
        }
        waiting.extend(reads.iter().map(|segment| segment.piece));
        if matches!(pieces.0[id].piece, Piece::Input(_)) {
            inputs.insert(id);
        }
        if words.len() > MAX_WORDS {
            return Err(ImportError::Limit {
                what: "operations",
                most: MAX_WORDS,
            });
        }
    }
    if let Some(&segment) = recognised
        .output
        .iter()
        .find(|&&segment| !pieces.is_whole(segment))
    {
        refuse(
            segment.piece,
            "the output is a part of it, which networks over a dense input do not have",
        );
    }
    if inputs.len() > 1 && wrong.is_empty() {
        let message = "the input is read in several shapes, or there are several inputs: networks over a dense input have one";
        return Err(ImportError::Inputs(message.into()));
    }
    wrong.reverse();
    if wrong.is_empty() {
        Ok(words)
    } else {
        Err(ImportError::Unsupported(wrong))
    }
}

/// The nearest layers below nodes without a counterpart. What lies between may be part of an operation.
fn layers_below(recognised: &Recognised) -> BTreeSet<PieceId> {
    let (mut waiting, mut seen) = (recognised.read_by_unsupported.clone(), BTreeSet::new());
    let mut layers = BTreeSet::new();
    while let Some(id) = waiting.pop_last() {
        match recognised.pieces.0[id].piece {
            _ if !seen.insert(id) => {}
            Piece::Affine(_) | Piece::Norm { .. } => drop(layers.insert(id)),
            _ => waiting.extend(
                recognised
                    .pieces
                    .operands(id)
                    .iter()
                    .map(|segment| segment.piece),
            ),
        }
    }
    layers
}

/// Writes operations and collects their tensors in the order of the text.
struct Writer<'a> {
    words: &'a BTreeMap<PieceId, Word>,
    /// number of reads of each value
    uses: BTreeMap<PieceId, usize>,
    names: BTreeMap<PieceId, String>,
    /// number of tensors of each kind
    counts: BTreeMap<&'static str, usize>,
    tensors: Vec<Weights>,
    /// tensor name prefix of each piece
    layers: Vec<(String, PieceId)>,
    /// in graph form: index of the operation that makes each piece
    made: BTreeMap<PieceId, usize>,
    /// number of operations so far
    operations: usize,
}

impl Writer<'_> {
    fn count(&mut self, output: &[Segment]) {
        let reads = self
            .words
            .values()
            .flat_map(|word| &word.reads)
            .chain(output);
        for segment in reads {
            *self.uses.entry(segment.piece).or_default() += 1;
        }
    }

    /// Collects the tensors of an operation.
    fn take(&mut self, id: PieceId, word: &Word) {
        let Some((kind, tensors)) = &word.tensors else {
            return;
        };
        let count = self.counts.entry(kind).or_default();
        let named = |tensor: &Weights| Weights {
            name: format!("{kind}{count}_{}", tensor.name),
            ..tensor.clone()
        };
        self.tensors.extend(tensors.iter().map(named));
        self.layers.push((format!("{kind}{count}"), id));
        *count += 1;
    }

    /// The operations as a chain, if each reads only the one before it.
    fn chain(&mut self, output: &[Segment], input: PieceId) -> Option<Vec<String>> {
        let linear = output.len() == 1
            && self.uses.values().all(|&uses| uses == 1)
            && self
                .words
                .iter()
                .all(|(id, word)| word.reads.len() == usize::from(*id != input));
        if !linear {
            return None;
        }
        let words = self.words;
        let mut links: Vec<String> = Vec::new();
        for (&id, word) in words.iter().filter(|(id, _)| **id != input) {
            self.take(id, word);
            let text = match (word.name, word.options.contains(',')) {
                ("affine", false) => word.options.clone(),
                _ => short(word),
            };
            match links.last_mut() {
                Some(last)
                    if !matches!(
                        word.name,
                        "affine" | "conv2d" | "max_pool2d" | "avg_pool2d" | "flatten"
                    ) =>
                {
                    *last += " ";
                    *last += &text;
                }
                _ => links.push(text),
            }
        }
        Some(links)
    }

    /// A declaration in graph form, with names for values that are read twice and for operands of layers.
    fn graph(
        &mut self,
        name: &str,
        source: &str,
        input: PieceId,
        output: &[Segment],
        clause: &str,
    ) -> String {
        let words = self.words;
        self.names.insert(input, "x".into());
        let is_boundary = |id: PieceId| {
            matches!(
                words[&id].name,
                "affine" | "conv2d" | "add" | "max_pool2d" | "avg_pool2d" | "flatten"
            )
        };
        let read_by_layer: BTreeSet<PieceId> = (words.iter().filter(|(id, _)| is_boundary(**id)))
            .flat_map(|(_, word)| word.reads.iter().map(|segment| segment.piece))
            .collect();
        let mut text = format!("pub struct {name} {{\n    x = {source};\n");
        for &id in words.keys().filter(|&&id| id != input) {
            let is_inner = matches!(words[&id].name, "max_pool2d" | "avg_pool2d" | "flatten");
            let is_output = matches!(output, [only] if only.piece == id);
            if self.uses[&id] > 1 || read_by_layer.contains(&id) && !is_inner && !is_output {
                let value = self.value(id);
                let name = format!("a{}", self.names.len());
                text += &format!("    let {name} = {value};\n");
                self.names.insert(id, name);
            }
        }
        let value = self.joined(output);
        text += &format!("    output {value};\n{clause}}}\n");
        text
    }

    /// A value with its unnamed operands inline.
    fn value(&mut self, id: PieceId) -> String {
        if let Some(name) = self.names.get(&id) {
            return name.clone();
        }
        let word = &self.words[&id];
        let read = match word.joined {
            true => self.joined(&word.reads),
            false => word
                .reads
                .iter()
                .map(|segment| self.value(segment.piece))
                .collect::<Vec<_>>()
                .join(", "),
        };
        self.take(id, word);
        self.made.insert(id, self.operations);
        self.operations += 1;
        let options = if word.options.is_empty() {
            String::new()
        } else {
            format!(", {}", word.options)
        };
        format!("{}({read}{options})", word.name)
    }

    fn joined(&mut self, parts: &[Segment]) -> String {
        let values: Vec<String> = parts
            .iter()
            .map(|segment| self.value(segment.piece))
            .collect();
        self.operations += values.len().saturating_sub(1);
        if values.len() == 1 {
            values.concat()
        } else {
            format!("concat({})", values.join(", "))
        }
    }
}

/// A chain, broken into lines.
fn chain(name: &str, source: &str, links: &[String], end: &str) -> String {
    let mut text = format!("pub struct {name} = {source}");
    let mut column = text.len();
    for link in links {
        let added = format!(" -> {link}");
        if column + added.len() > WIDTH {
            text += "\n   ";
            column = 3;
        }
        column += added.len();
        text += &added;
    }
    text + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_chains_have_several_lines() {
        let links: Vec<String> = (0..12).map(|_| "conv2d(16, kernel 3)".into()).collect();
        let text = chain("N", "input[1, 99, 99]", &links, ";\n");
        assert!(
            text.lines().count() > 1 && text.lines().all(|line| line.len() <= WIDTH),
            "{text}"
        );
        assert!(
            text.lines()
                .nth(1)
                .is_some_and(|line| line.starts_with("    -> conv2d")),
            "{text}"
        );
    }
}
