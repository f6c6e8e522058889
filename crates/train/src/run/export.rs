//! The declaration of a trained network with golden values of all outputs.

use nnue_codegen::graph_text;
use nnue_spec::graph::Graph;
use nnue_spec::reference::Board;
use nnue_spec::rows::{RowSets, RowsShape};
use nnue_spec::{Fen, HeadKind, NetDesc, TensorRef};
use nnue_tools::{golden_clauses, golden_clauses_of_rows};

use super::validation::HeldOut;

/// Golden positions: both sides to move, few and many pieces.
const POSITIONS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "2kr3r/ppp2ppp/2n1bn2/2b1p3/4P3/2NP1N2/PPP1BPPP/R1B2RK1 b - - 0 9",
    "8/5pk1/6p1/7p/R6P/5PP1/1r6/1K6 w - - 0 40",
];

/// Adds golden values of these weights to a declaration, for lists of rows those of held-out positions. If the
/// text declares several networks, they become comments above it.
pub(crate) fn declaration(
    text: &str,
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
    held_out: &HeldOut,
) -> String {
    let goldens: Vec<String> = match net.rows_shape() {
        Some(shape) => of_rows(held_out, &shape, net, tensors),
        None => POSITIONS
            .iter()
            .flat_map(|fen| clauses(fen, net, tensors))
            .collect(),
    };
    let with_goldens = insert(text, &goldens).unwrap_or_else(|| {
        let comments: String = goldens
            .iter()
            .map(|golden| format!("// {golden}\n"))
            .collect();
        comments + text
    });
    in_macro(&with_goldens)
}

/// Wraps declarations in the macro, unless they are already.
pub(crate) fn in_macro(text: &str) -> String {
    let inside = text.trim();
    if inside.contains("nnue!") {
        format!("{inside}\n")
    } else {
        format!("nnue::nnue! {{\n{inside}\n}}\n")
    }
}

/// Clauses with the value and the other outputs of a position; of policies the first, the middle and the last
/// row.
fn clauses(fen: &str, net: &NetDesc<'_>, tensors: &[TensorRef<'_>]) -> Vec<String> {
    let position = Fen::parse(fen).expect("it is written above");
    let board = Board::new(position.pieces, position.black_to_move);
    let rows = net
        .heads
        .iter()
        .filter(|head| head.kind == HeadKind::Rows)
        .map(|head| head.len)
        .min();
    let mut rows = rows.map_or_else(Vec::new, |rows| vec![0, rows / 2, rows - 1]);
    rows.dedup();
    golden_clauses(net, tensors, fen, &board, &rows)
}

/// Clauses of a few held-out positions that differ. The side to move is called White: the network sees no
/// difference.
fn of_rows(
    held_out: &HeldOut,
    shape: &RowsShape<'_>,
    net: &NetDesc<'_>,
    tensors: &[TensorRef<'_>],
) -> Vec<String> {
    let mut sets = RowSets::new(shape);
    let mut found = Vec::new();
    for rows in held_out.some_rows(POSITIONS.len()) {
        let lists = rows.map(|rows| rows.iter().map(|&row| row as u32).collect::<Vec<_>>());
        let set = match shape.lists {
            1 => sets.set(&lists[0]),
            _ => sets.set(&lists),
        };
        if set.is_ok() {
            found.push(golden_clauses_of_rows(net, tensors, &sets, &[]));
        }
    }
    found.dedup();
    found.concat()
}

/// Inserts clauses at the end of the only network in a text: before its closing brace, or in braces of their
/// own. Compiling tells which place is right.
fn insert(text: &str, goldens: &[String]) -> Option<String> {
    let clauses: String = goldens
        .iter()
        .map(|golden| format!("    {golden}\n"))
        .collect();
    let places = text
        .char_indices()
        .rev()
        .filter(|(_, character)| matches!(character, '}' | ';'));
    let mut candidates = places.map(|(at, character)| {
        let (before, after) = text.split_at(at);
        let before = before.trim_end();
        match character {
            '}' if before.ends_with(['{', ';']) => format!("{before}\n{clauses}{after}"),
            '}' => format!("{before};\n{clauses}{after}"),
            _ => format!("{before} {{\n{clauses}}}{after}"),
        }
    });
    let has_all = |graphs: &[Graph]| match graphs {
        [graph] => graph.goldens.len() + graph.head_goldens.len() == goldens.len(),
        _ => false,
    };
    candidates.find(|text| graph_text(text).is_ok_and(|graphs| has_all(&graphs)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_find_their_place() {
        let golden = ["golden \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\" = 5;".to_owned()];
        let chain = "struct A = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64";
        for text in [
            format!("{chain};"),
            format!("{chain} {{ format raw }};"),
            format!(
                "use nnue::nnue;\n\nnnue! {{\n    pub {chain} {{ format raw; }};\n}}\n\nfn main() {{}}\n"
            ),
        ] {
            let with = insert(&text, &golden).unwrap_or_else(|| panic!("{text}"));
            let graphs = graph_text(&with).unwrap_or_else(|errors| panic!("{with}: {}", errors[0]));
            assert_eq!(graphs[0].goldens[0].value, 5);
        }
        let two = format!("{chain}; {}", chain.replace('A', "B") + ";");
        assert!(insert(&two, &golden).is_none());
    }
}
