//! A plain, slow interpreter of graphs. It verifies recognised networks and computes constants, and shares no
//! code with the kernels or the reference interpreter of declarations.
//!
//! Values are `f32`. Sums are accumulated in element order in `f64` and rounded once, so that the sum of
//! another engine, in whichever order, is close.

mod elements;
mod indices;
mod matrices;
mod reductions;
mod shapes;
mod windows;

use std::sync::Arc;

use crate::budget::Budget;
use crate::error::ImportError;
use crate::graph::{Graph, Node};
use crate::name::shown;
use crate::op::Op;
use crate::tensor::{Element, Tensor};

/// The elements of each value; `None` for values that no node makes.
pub type Numbers = Vec<Option<Arc<Tensor>>>;

/// The operands of a node; `None` for omitted ones.
type Operands<'a> = [Option<&'a Tensor>];

/// Evaluates a graph for inputs in the order of [`Graph::inputs`].
///
/// # Errors
///
/// [`ImportError`]: the number of inputs is wrong, an operation is unknown, shapes do not match, or values
/// are too large.
pub fn evaluate(graph: &Graph, inputs: &[Arc<Tensor>]) -> Result<Numbers, ImportError> {
    if inputs.len() != graph.inputs.len() {
        let (expected, found) = (graph.inputs.len(), inputs.len());
        return Err(ImportError::Inputs(format!(
            "the graph has {expected} inputs, {found} are given"
        )));
    }
    let mut numbers: Numbers = graph
        .values
        .iter()
        .map(|value| value.constant.clone())
        .collect();
    for (&id, input) in graph.inputs.iter().zip(inputs) {
        numbers[id] = Some(Arc::clone(input));
    }
    let mut budget = graph.budget.clone();
    for tensor in numbers.iter().flatten() {
        budget.take(tensor.len(), tensor.element())?;
    }
    for node in &graph.nodes {
        if let Some(same) = same(node, &numbers) {
            numbers[node.outputs[0]] = Some(same);
            continue;
        }
        for (&id, result) in node.outputs.iter().zip(run(node, &numbers, &mut budget)?) {
            budget.take(result.len(), result.element())?;
            numbers[id] = Some(Arc::new(result));
        }
    }
    Ok(numbers)
}

/// The operand of a node that returns it unchanged.
fn same(node: &Node, numbers: &Numbers) -> Option<Arc<Tensor>> {
    let (&[Some(input)], [_]) = (node.inputs.as_slice(), node.outputs.as_slice()) else {
        return None;
    };
    let input = numbers[input].as_ref()?;
    let stays = match node.op {
        Op::Identity => true,
        Op::Cast(element) => element == input.element(),
        _ => false,
    };
    stays.then(|| Arc::clone(input))
}

fn run(node: &Node, numbers: &Numbers, budget: &mut Budget) -> Result<Vec<Tensor>, ImportError> {
    let mut operands = Vec::new();
    for &id in &node.inputs {
        let operand = match id {
            Some(id) => Some(numbers[id].as_deref().ok_or_else(|| ImportError::Missing {
                reader: format!("node `{}`", shown(&node.name)),
                value: id.to_string(),
            })?),
            None => None,
        };
        operands.push(operand);
    }
    let named = |error: ImportError| match error {
        ImportError::Shape(message) => ImportError::Shape(format!(
            "node `{}` ({}): {message}",
            shown(&node.name),
            shown(&node.operation)
        )),
        other => other,
    };
    let reads = operands.iter().flatten().map(|operand| operand.len());
    budget.work(reads.sum())?;
    let results = results(node, &operands, budget).map_err(named)?;
    match results.len() == node.outputs.len() {
        true => Ok(results),
        false => Err(named(shape(format!(
            "it makes {} values, {} are named",
            results.len(),
            node.outputs.len()
        )))),
    }
}

fn results(
    node: &Node,
    operands: &Operands<'_>,
    budget: &mut Budget,
) -> Result<Vec<Tensor>, ImportError> {
    if let Op::Unknown(why) = &node.op {
        return Err(ImportError::Unsupported(vec![node.unsupported(why)]));
    }
    if let Op::Split { axis, lengths } = &node.op {
        return indices::split(
            required(operands, 0)?,
            *axis,
            lengths.as_deref(),
            operands,
            node.outputs.len(),
        );
    }
    let x = required(operands, 0)?;
    // Operations with larger results than operands check their size themselves.
    budget.fits(x.shape(), widest(&node.op, x))?;
    let result = match &node.op {
        Op::Identity => x.clone(),
        Op::Unary(unary) => elements::unary(*unary, x)?,
        Op::Binary(binary) => elements::binary(*binary, x, required(operands, 1)?, budget)?,
        Op::Clip => elements::clip(x, optional(operands, 1), optional(operands, 2), budget)?,
        Op::Where => elements::choose(x, required(operands, 1)?, required(operands, 2)?, budget)?,
        Op::Cast(element) => elements::cast(x, *element),
        Op::Quantize { steps, rounds } => elements::quantize(x, *steps, *rounds)?,
        Op::Dequantize(steps) => elements::dequantize(x, *steps)?,
        Op::MatMul => matrices::product(x, required(operands, 1)?, budget)?,
        Op::Linear => matrices::linear(x, required(operands, 1)?, optional(operands, 2), budget)?,
        Op::Conv2d(windows) => windows::convolution(
            x,
            required(operands, 1)?,
            optional(operands, 2),
            *windows,
            budget,
        )?,
        Op::BatchNorm { eps } => windows::batch_norm(x, operands, *eps)?,
        Op::MaxPool2d(windows) => windows::pool(x, *windows, true, budget)?,
        Op::AvgPool2d(windows) => windows::pool(x, *windows, false, budget)?,
        Op::Reduce { kind, axes, keep } => {
            reductions::reduce(*kind, x, axes.as_deref(), optional(operands, 1), *keep)?
        }
        Op::Softmax { axis } => reductions::softmax(x, *axis)?,
        Op::Reshape { zero_is_length } => {
            shapes::reshape(x, required(operands, 1)?, *zero_is_length)?
        }
        Op::Flatten { start, end } => shapes::flatten(x, *start, *end)?,
        Op::Transpose(order) => shapes::transpose(x, order)?,
        Op::Squeeze(axes) => shapes::squeeze(x, axes.as_deref(), optional(operands, 1))?,
        Op::Unsqueeze(axes) => shapes::unsqueeze(x, axes.as_deref(), optional(operands, 1))?,
        Op::Expand => shapes::expand(x, required(operands, 1)?, budget)?,
        Op::Repeat => shapes::repeat(x, required(operands, 1)?, budget)?,
        Op::Concat { axis } => indices::concat(operands, *axis, budget)?,
        Op::Slice => indices::slice(x, operands)?,
        Op::Gather { axis } => indices::gather(x, required(operands, 1)?, *axis, budget)?,
        Op::GatherElements { axis } => {
            indices::gather_elements(x, required(operands, 1)?, *axis, budget)?
        }
        Op::GatherNd => indices::gather_nd(x, required(operands, 1)?, budget)?,
        Op::Shape { start, end } => shapes::lengths(x, *start, *end),
        Op::Range => shapes::range(x, required(operands, 1)?, required(operands, 2)?, budget)?,
        Op::Fill(number, element) => shapes::fill(x, *number, *element, budget)?,
        Op::EmbeddingBag { mean, padding } => {
            reductions::embedding_bag(operands, *mean, *padding, budget)?
        }
        Op::Split { .. } | Op::Unknown(_) => unreachable!("both are above"),
    };
    Ok(vec![result])
}

/// The element type of the result, or a wider one.
fn widest(op: &Op, x: &Tensor) -> Element {
    match (op, x.element()) {
        (Op::Cast(element), _) => *element,
        (_, Element::Bool) => Element::F32,
        (_, element) => element,
    }
}

fn required<'a>(operands: &Operands<'a>, index: usize) -> Result<&'a Tensor, ImportError> {
    optional(operands, index).ok_or_else(|| shape(format!("input {} is missing", index + 1)))
}

fn optional<'a>(operands: &Operands<'a>, index: usize) -> Option<&'a Tensor> {
    operands.get(index).copied().flatten()
}

fn shape(message: impl Into<String>) -> ImportError {
    ImportError::Shape(message.into())
}

/// Resolves an axis, counted from the end if negative.
fn axis_of(axis: i64, rank: usize) -> Result<usize, ImportError> {
    let found = if axis < 0 {
        axis.checked_add(rank as i64)
    } else {
        Some(axis)
    };
    let found = found
        .and_then(|axis| usize::try_from(axis).ok())
        .filter(|&axis| axis < rank);
    found.ok_or_else(|| shape(format!("axis {axis} of a value with {rank} axes")))
}

fn floats(x: &Tensor) -> Result<&[f32], ImportError> {
    x.as_floats()
        .ok_or_else(|| shape(format!("expected floats, found {}", x.element().name())))
}

fn integers(x: &Tensor) -> Result<&[i64], ImportError> {
    x.as_integers().ok_or_else(|| {
        shape(format!(
            "expected whole numbers, found {}",
            x.element().name()
        ))
    })
}
