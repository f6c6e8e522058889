//! Golden clauses of a declaration.

use nnue_spec::reference::{Board, evaluate, evaluate_head};
use nnue_spec::{HeadKind, NetDesc, TensorRef};

/// The `golden` clauses of a position, one for its value and one for each other output, computed by the
/// reference interpreter:
///
/// ```text
/// golden "FEN" = 60;
/// golden "FEN" wdl = [0.091000, 0.244700, 0.664300];
/// golden "FEN" policy[7, 340] = [-0.750000, 1.500000];
/// ```
///
/// `tensors` are the weights, in the order of `net.tensors`; `board` is the position of `fen`. Outputs of
/// rows list the rows in `rows`, and have no clause if there are none.
///
/// # Panics
///
/// If a tensor is missing or has a wrong type, or an output of rows lacks one of `rows`.
pub fn golden_clauses(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    fen: &str,
    board: &Board,
    rows: &[usize],
) -> Vec<String> {
    let value = format!(
        "golden \"{fen}\" = {};",
        evaluate(net, tensors, board).value
    );
    let said = net
        .heads
        .iter()
        .enumerate()
        .filter(|(_, head)| head.kind != HeadKind::Rows || !rows.is_empty());
    let of_head = said.map(|(index, head)| {
        let listed = if head.kind == HeadKind::Rows {
            rows
        } else {
            &[]
        };
        let numbers = evaluate_head(net, tensors, board, index, listed);
        let numbers: Vec<String> = numbers
            .iter()
            .map(|number| format!("{number:.6}"))
            .collect();
        let listed = if listed.is_empty() {
            String::new()
        } else {
            format!("{listed:?}")
        };
        format!(
            "golden \"{fen}\" {}{listed} = [{}];",
            head.name,
            numbers.join(", ")
        )
    });
    [value].into_iter().chain(of_head).collect()
}
