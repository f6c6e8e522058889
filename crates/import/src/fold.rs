//! Simplifies a graph: fixes the number of rows, computes everything that depends on no input, and removes
//! nodes that no output needs.
//!
//! ```text
//!   Shape(x)[0] ─► Range(0, n) ─► Concat ─► GatherND             becomes    GatherND with a list of constants
//!   Abs(w) ─► ReduceMean ─► Mul                                  becomes    Mul with a constant
//! ```
//!
//! Shapes are those of an actual evaluation, so they cannot differ from the computed values.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::error::ImportError;
use crate::evaluate::evaluate;
use crate::graph::{Dim, Graph, ValueId};
use crate::name::shown;
use crate::op::Op;
use crate::tensor::{Data, Element, Tensor, elements};

/// Rows at a time where the graph leaves it open. Not 1, to tell an axis of rows from one that is broadcast.
const ROWS: usize = 2;

/// A simplified graph.
#[derive(Clone, Debug)]
pub struct Folded {
    /// the graph: all nodes depend on inputs and are needed; the other values are constants
    pub graph: Graph,
    /// the shape of each value
    pub shapes: Vec<Vec<usize>>,
    /// rows at a time: the first axis of its inputs
    pub rows: usize,
    /// values that are copies of another, and the original
    aliases: BTreeMap<ValueId, ValueId>,
    /// values that an output needs
    alive: Vec<bool>,
}

impl Folded {
    /// Whether an output needs the value.
    pub fn is_alive(&self, id: ValueId) -> bool {
        self.alive[id]
    }

    /// The same graph without rounding, to compare networks before it.
    pub fn unrounded(&self) -> Self {
        let mut folded = self.clone();
        for node in &mut folded.graph.nodes {
            if let Op::Quantize { rounds, .. } = &mut node.op {
                *rounds = false;
            }
        }
        folded
    }

    /// The original of a copy, or the value itself.
    pub fn original(&self, id: ValueId) -> ValueId {
        self.aliases.get(&id).copied().unwrap_or(id)
    }
}

/// Rows at a time: as the inputs say, or 2 where they leave it open.
///
/// # Errors
///
/// [`ImportError::Inputs`]: inputs disagree, or leave another axis than the first open.
pub fn rows(graph: &Graph) -> Result<usize, ImportError> {
    let mut fixed = None;
    for &id in &graph.inputs {
        let value = &graph.values[id];
        let shape = value.shape.as_deref().unwrap_or_default();
        for (axis, dim) in shape.iter().enumerate() {
            match dim {
                Dim::Free(name) if axis > 0 => {
                    return Err(ImportError::Inputs(format!(
                        "input `{}` leaves axis {axis} (`{}`) open: only the first axis, the rows, may be; export it with a fixed length",
                        shown(&value.name),
                        shown(name)
                    )));
                }
                Dim::Fixed(rows) if axis == 0 && *fixed.get_or_insert(*rows) != *rows => {
                    return Err(ImportError::Inputs(format!(
                        "the inputs have {} and {rows} rows: export them with as many",
                        fixed.unwrap_or_default()
                    )));
                }
                _ => {}
            }
        }
    }
    Ok(fixed.unwrap_or(ROWS))
}

/// Simplifies a graph.
///
/// # Errors
///
/// [`ImportError`]: operations are unknown (all are listed), inputs leave more than their rows open, shapes
/// do not match, or values are too large.
pub fn fold(graph: &Graph) -> Result<Folded, ImportError> {
    let live = live(graph);
    let mut simple = graph.clone();
    let mut keep = live.into_iter();
    simple.nodes.retain(|_| keep.next().unwrap_or(false));
    let unknown = simple.unknown();
    if !unknown.is_empty() {
        return Err(ImportError::Unsupported(unknown));
    }
    let rows = rows(&simple)?;
    let inputs = simple
        .inputs
        .iter()
        .map(|&id| zeros(&simple, id, rows))
        .collect::<Result<Vec<_>, _>>()?;
    let numbers = evaluate(&simple, &inputs)?;
    let depends = dependent(&simple);
    for (id, number) in numbers.iter().enumerate() {
        if !depends[id] && simple.values[id].constant.is_none() {
            simple.values[id].constant.clone_from(number);
        }
    }
    let shapes = numbers.iter().map(|number| {
        number
            .as_ref()
            .map_or(Vec::new(), |number| number.shape().to_vec())
    });
    let shapes: Vec<Vec<usize>> = shapes.collect();
    simple
        .nodes
        .retain(|node| node.outputs.iter().any(|&id| depends[id]));
    let aliases = aliases(&simple, &shapes);
    simple
        .nodes
        .retain(|node| !node.outputs.iter().all(|id| aliases.contains_key(id)));
    let renamed = |id: &mut ValueId| *id = aliases.get(id).copied().unwrap_or(*id);
    simple
        .nodes
        .iter_mut()
        .for_each(|node| node.inputs.iter_mut().flatten().for_each(renamed));
    simple.outputs.iter_mut().for_each(renamed);
    let alive = numbers.iter().map(Option::is_some).collect();
    Ok(Folded {
        graph: simple,
        shapes,
        rows,
        aliases,
        alive,
    })
}

/// The part of a graph that depends on no unknown operation. Its outputs are the values that the rest reads.
pub(crate) fn known_part(graph: &Graph) -> Graph {
    let mut part = graph.clone();
    let mut unknown = vec![false; graph.values.len()];
    part.nodes.retain(|node| {
        let is_known = !matches!(node.op, Op::Unknown(_))
            && !node.inputs.iter().flatten().any(|&id| unknown[id]);
        node.outputs.iter().for_each(|&id| unknown[id] |= !is_known);
        is_known
    });
    let rest = graph
        .nodes
        .iter()
        .filter(|node| node.outputs.iter().any(|&id| unknown[id]));
    let read = rest
        .flat_map(|node| node.inputs.iter().flatten())
        .chain(&graph.outputs);
    let made = |id: &&ValueId| !unknown[**id] && graph.values[**id].constant.is_none();
    part.outputs = read
        .filter(made)
        .copied()
        .collect::<BTreeSet<_>>()
        .into_iter()
        .collect();
    part
}

/// Checks that all weights (float tensors of more than one element) are used by an output. Integers are
/// exempt: exporters leave counts of batches and shapes behind.
///
/// # Errors
///
/// [`ImportError::Unread`] names the unused ones.
pub fn all_is_read(graph: &Graph) -> Result<(), ImportError> {
    let live = live(graph);
    let mut read = vec![false; graph.values.len()];
    graph.outputs.iter().for_each(|&id| read[id] = true);
    for (node, _) in graph.nodes.iter().zip(live).filter(|(_, live)| *live) {
        node.inputs.iter().flatten().for_each(|&id| read[id] = true);
    }
    let left = graph.values.iter().zip(read).filter_map(|(value, read)| {
        let tensor = value.constant.as_ref().filter(|_| !read)?;
        let is_weight = tensor.element() == Element::F32 && tensor.len() > 1;
        is_weight.then(|| format!("`{}` {:?}", shown(&value.name), tensor.shape()))
    });
    let unread: Vec<String> = left
        .chain(graph.unread.iter().map(|name| format!("`{}`", shown(name))))
        .collect();
    match unread.is_empty() {
        true => Ok(()),
        false => Err(ImportError::Unread(unread)),
    }
}

/// Nodes that an output needs.
fn live(graph: &Graph) -> Vec<bool> {
    let mut needed = vec![false; graph.values.len()];
    graph.outputs.iter().for_each(|&id| needed[id] = true);
    let mut live = vec![false; graph.nodes.len()];
    for (index, node) in graph.nodes.iter().enumerate().rev() {
        if node.outputs.iter().any(|&id| needed[id]) {
            live[index] = true;
            node.inputs
                .iter()
                .flatten()
                .for_each(|&id| needed[id] = true);
        }
    }
    live
}

/// Values that depend on the contents of inputs, not only on their shapes.
fn dependent(graph: &Graph) -> Vec<bool> {
    let mut depends = vec![false; graph.values.len()];
    graph.inputs.iter().for_each(|&id| depends[id] = true);
    for node in &graph.nodes {
        let reads = !matches!(node.op, Op::Shape { .. })
            && node.inputs.iter().flatten().any(|&id| depends[id]);
        node.outputs.iter().for_each(|&id| depends[id] = reads);
    }
    depends
}

/// Nodes that return their operand: identities, casts to the same type, reshapes to the same shape.
fn aliases(graph: &Graph, shapes: &[Vec<usize>]) -> BTreeMap<ValueId, ValueId> {
    let mut aliases = BTreeMap::new();
    for node in &graph.nodes {
        let (Some(&Some(input)), &[output]) = (node.inputs.first(), node.outputs.as_slice()) else {
            continue;
        };
        let stays = match &node.op {
            Op::Identity => true,
            Op::Reshape { .. }
            | Op::Flatten { .. }
            | Op::Squeeze(_)
            | Op::Unsqueeze(_)
            | Op::Expand => shapes[input] == shapes[output],
            Op::Concat { .. } => node.inputs.len() == 1,
            _ => false,
        };
        if stays {
            aliases.insert(output, aliases.get(&input).copied().unwrap_or(input));
        }
    }
    aliases
}

/// A zero tensor for an input.
pub(crate) fn zeros(graph: &Graph, id: ValueId, rows: usize) -> Result<Arc<Tensor>, ImportError> {
    let value = &graph.values[id];
    let dims = value.shape.as_deref().unwrap_or_default().iter();
    let shape: Vec<usize> = dims
        .map(|dim| {
            if let Dim::Fixed(length) = dim {
                *length
            } else {
                rows
            }
        })
        .collect();
    let count = elements(&shape)?;
    let data = match value.element.unwrap_or(Element::F32) {
        Element::Bool => Data::Bool(vec![false; count]),
        Element::I64 => Data::I64(vec![0; count]),
        Element::F32 => Data::F32(vec![0.0; count]),
    };
    Ok(Arc::new(Tensor::new(shape, data)?))
}
