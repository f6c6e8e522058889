//! Golden clauses of a declaration.

use nnue_spec::reference::{Board, evaluate, evaluate_head};
use nnue_spec::{HeadKind, NetDesc, RowSets, TensorRef};

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
    let position = format!("\"{fen}\"");
    let value = evaluate(net, tensors, board).value;
    let numbers = |head, listed: &[usize]| evaluate_head(net, tensors, board, head, listed);
    clauses(net, &position, value, rows, &numbers)
}

/// The `golden` clauses of a position that is lists of rows, as [`golden_clauses`]:
///
/// ```text
/// golden rows[3, 17 | 8, 9] = 60;
/// ```
///
/// White is to move in it, whatever `position` says: a declaration says no side to move.
///
/// # Panics
///
/// As [`golden_clauses`], or if the position is one of another network.
pub fn golden_clauses_of_rows(
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    position: &RowSets,
    rows: &[usize],
) -> Vec<String> {
    let mut position = position.clone();
    position.set_black_to_move(false);
    let list = |list: &str| list.split_whitespace().collect::<Vec<_>>().join(", ");
    let text = position.to_string();
    let lists: Vec<String> = text.split('|').map(list).collect();
    let value = evaluate(net, tensors, &position).value;
    let numbers = |head, listed: &[usize]| evaluate_head(net, tensors, &position, head, listed);
    let text = format!("rows[{}]", lists.join(" | "));
    clauses(net, &text, value, rows, &numbers)
}

/// The clauses of a position with this value; `numbers` evaluates an output, and the listed rows of it.
fn clauses(
    net: &NetDesc<'_>,
    position: &str,
    value: i32,
    rows: &[usize],
    numbers: &dyn Fn(usize, &[usize]) -> Vec<f32>,
) -> Vec<String> {
    let value = format!("golden {position} = {value};");
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
        let numbers: Vec<String> = numbers(index, listed)
            .iter()
            .map(|number| format!("{number:.6}"))
            .collect();
        let listed = if listed.is_empty() {
            String::new()
        } else {
            format!("{listed:?}")
        };
        format!(
            "golden {position} {}{listed} = [{}];",
            head.name,
            numbers.join(", ")
        )
    });
    [value].into_iter().chain(of_head).collect()
}
