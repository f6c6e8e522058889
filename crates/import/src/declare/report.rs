//! The clause of each node.

use super::Clause;
use crate::fold::Folded;
use crate::graph::Graph;
use crate::name::shown;
use crate::recognise::Recognised;
use crate::recognise::piece::PieceId;

/// A clause for each node of the graph, in order. `clause` names the part of a piece in the declaration.
pub(crate) fn report(
    graph: &Graph,
    folded: &Folded,
    recognised: &Recognised,
    clause: impl Fn(PieceId) -> Option<String>,
) -> Vec<Clause> {
    let describe = |output: usize| {
        if folded.graph.values[output].constant.is_some() {
            return "computed: it depends on no input".to_owned();
        }
        if folded.original(output) != output {
            return "passed on as it is".to_owned();
        }
        let Some(parts) = recognised.made.get(&output) else {
            return "part of an operation".to_owned();
        };
        let clauses: Vec<String> = parts
            .iter()
            .filter_map(|segment| clause(segment.piece))
            .collect();
        match (clauses.as_slice(), parts.len()) {
            ([], _) => "part of an operation".into(),
            ([one], 1) => one.clone(),
            (several, _) => format!("one after the other: {}", several.join(", ")),
        }
    };
    let alive = |output: &usize| folded.is_alive(*output);
    let line = |node: &crate::graph::Node| Clause {
        node: shown(&node.name),
        operation: shown(&node.operation),
        line: node.line.clone(),
        clause: match node.outputs.iter().find(|output| alive(output)) {
            Some(&output) => describe(output),
            None => "left out: no output needs it".into(),
        },
    };
    graph.nodes.iter().map(line).collect()
}
