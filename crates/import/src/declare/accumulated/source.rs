//! The rows of graphs that read lists of them: a network over `rows[..]` needs no feature set of the caller.

use crate::error::ImportError;
use crate::fold::Folded;
use crate::name::shown;
use crate::recognise::piece::Piece;
use crate::recognise::recognise;
use crate::tensor::Element;

/// The source `rows[N, active M]` of a graph whose inputs are lists of rows, integers that are looked up in a table of
/// N rows, M in each list. Nothing if it reads no such lists, or a number of pieces too.
///
/// # Errors
///
/// [`ImportError`]: nodes or outputs have no counterpart, or lists have different tables or lengths.
pub fn row_source(folded: &Folded) -> Result<Option<String>, ImportError> {
    let graph = &folded.graph;
    let is_list = |id: &usize| graph.values[*id].element == Some(Element::I64);
    if !graph.inputs.iter().any(is_list) {
        return Ok(None);
    }
    let recognised = recognise(folded, true)?;
    if !recognised.counts(folded).is_empty() {
        return Ok(None); // the number of pieces chooses stacks
    }
    let mut sizes: Option<(usize, usize)> = None;
    for known in &recognised.pieces.0 {
        let Piece::Input(input) = known.piece else {
            continue;
        };
        let id = graph.inputs[input];
        if !is_list(&id) {
            continue;
        }
        let rows = known.shape.iter().product();
        let listed: usize = folded.shapes[id][1..].iter().product();
        let found = (rows, listed.min(rows));
        if *sizes.get_or_insert(found) != found {
            return Err(ImportError::Inputs(format!(
                "`{}` lists rows of another table, or another number of them, than the other list",
                shown(&graph.values[id].name)
            )));
        }
    }
    Ok(sizes.map(|(rows, active)| format!("rows[{rows}, active {active}]")))
}
