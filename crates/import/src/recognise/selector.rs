//! The stack that a graph chooses for each number of pieces. It is computed rather than read from the
//! operations, so that any formula works.

use std::sync::Arc;

use crate::error::ImportError;
use crate::evaluate::evaluate;
use crate::fold::{Folded, zeros};
use crate::graph::{Graph, ValueId};
use crate::tensor::{Data, Tensor};

/// How stacks are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Selector {
    /// the default rule of the language, as computed
    Usual,
    /// the graph reads the stack index itself, so its rule is not in the graph
    Given,
    /// `by` and a rule
    By(String),
}

/// Most pieces on a board.
const MOST: usize = 32;

/// The rule by which the value `selector` chooses one of `stacks`.
///
/// # Errors
///
/// [`ImportError::Inputs`]: the value does not depend on one integer input, or chooses stacks that do not
/// exist.
pub(super) fn rule(
    folded: &Folded,
    is_count: impl Fn(ValueId) -> bool,
    selector: ValueId,
    stacks: usize,
) -> Result<Selector, ImportError> {
    let mut graph: Graph = folded.graph.clone();
    graph
        .nodes
        .retain(|node| node.outputs.iter().all(|&id| is_count(id)));
    let mut counts = Vec::new();
    let inputs: Vec<ValueId> = graph
        .inputs
        .iter()
        .copied()
        .filter(|&id| is_count(id))
        .collect();
    let &[input] = inputs.as_slice() else {
        return Err(ImportError::Inputs(
            "stacks are chosen by one input of whole numbers".into(),
        ));
    };
    let zeros = graph
        .inputs
        .iter()
        .map(|&id| zeros(&graph, id, folded.rows))
        .collect::<Result<Vec<_>, _>>()?;
    for pieces in 0..=MOST {
        let mut inputs = zeros.clone();
        let place = graph
            .inputs
            .iter()
            .position(|&id| id == input)
            .expect("it is an input");
        let shape = folded.shapes[input].clone();
        let numbers = vec![pieces as i64; shape.iter().product()];
        inputs[place] = Arc::new(Tensor::new(shape, Data::I64(numbers))?);
        let values = evaluate(&graph, &inputs)?;
        let chosen = values[selector]
            .as_ref()
            .and_then(|tensor| tensor.as_integers()?.last().copied());
        counts.push(
            chosen.ok_or_else(|| {
                ImportError::Inputs("stacks are chosen by no whole number".into())
            })?,
        );
    }
    let exists = |chosen: i64| (0..stacks as i64).contains(&chosen);
    if counts
        .iter()
        .enumerate()
        .all(|(pieces, &chosen)| chosen == pieces as i64)
    {
        return Ok(Selector::Given);
    }
    if let Some(pieces) = (2..=MOST).find(|&pieces| !exists(counts[pieces])) {
        let chosen = counts[pieces];
        return Err(ImportError::Inputs(format!(
            "of {stacks} stacks, {pieces} pieces choose number {chosen}, which does not exist"
        )));
    }
    let table: Vec<usize> = counts
        .into_iter()
        .map(|chosen| chosen.clamp(0, stacks as i64 - 1) as usize)
        .collect();
    let follows =
        |rule: &dyn Fn(usize) -> usize| (2..=MOST).all(|pieces| table[pieces] == rule(pieces));
    let usual = MOST / stacks.max(1);
    if usual > 0 && follows(&|pieces| (pieces - 1) / usual) {
        return Ok(Selector::Usual);
    }
    if follows(&|pieces| (pieces - 2) / MOST.div_ceil(stacks)) {
        return Ok(Selector::By("material_count".into()));
    }
    for divide in 1..=MOST {
        for minus in 0..=2 {
            if follows(&|pieces| (pieces - minus) / divide) {
                let pieces = if minus == 0 {
                    "piece_count".to_owned()
                } else {
                    format!("(piece_count - {minus})")
                };
                return Ok(Selector::By(format!("{pieces} / {divide}")));
            }
        }
    }
    let runs = table
        .chunk_by(|one, other| one == other)
        .map(|run| match run.len() {
            1 => run[0].to_string(),
            length => format!("{} x {length}", run[0]),
        });
    Ok(Selector::By(format!(
        "[{}]",
        runs.collect::<Vec<_>>().join(", ")
    )))
}
