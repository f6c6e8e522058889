//! The order of rows, which no graph says, by values that are known.

use std::path::Path;

use nnue_codegen::plan_text;
use nnue_import::declare::{Golden, Order};
use nnue_spec::reference::Board;

use crate::compared::{boards, imported};
use crate::{folder, made};

/// Asserts that golden values tell an order of rows from all others, and that it is that of the weights.
fn tells(path: &Path, features: &str, words: &str, positions: usize) {
    let (folded, imported) = imported(path, features);
    let plans = plan_text(&imported.declared.text).expect("it compiles");
    let tables = plans[0].tables();
    let net = tables.descriptor();
    let theirs = Order::all(&net)
        .into_iter()
        .find(|order| order.words() == words)
        .expect("it is tried");
    let golden = |board: Board| {
        let value = imported
            .output_in(&folded, &net, &board, theirs)
            .expect("it is evaluated");
        Golden {
            board,
            value,
            within: 1e-6,
        }
    };
    let goldens: Vec<Golden> = boards()
        .into_iter()
        .skip(12)
        .step_by(5)
        .take(positions)
        .map(golden)
        .collect();
    let fits = |goldens: &[Golden]| {
        let fits = |order: &Order| {
            imported
                .fits(&folded, &net, goldens, *order)
                .expect("it is evaluated")
        };
        Order::all(&net)
            .into_iter()
            .filter(fits)
            .collect::<Vec<_>>()
    };
    assert_eq!(fits(&goldens), [theirs], "{words}");
    let wrong: Vec<Golden> = goldens
        .iter()
        .map(|golden| Golden {
            value: golden.value + 0.5,
            ..golden.clone()
        })
        .collect();
    assert_eq!(fits(&wrong), [], "{words}");
    let weights = imported.declared.tensors[0].clone();
    let ordered = imported.ordered(theirs);
    assert!(
        !ordered
            .guesses
            .iter()
            .any(|guess| guess.contains("--golden")),
        "{:?}",
        ordered.guesses
    );
    for row in [0, 1, 64, 400, 767] {
        assert_eq!(
            ordered.declared.tensors[0].values[row],
            weights.values[theirs.of(row)]
        );
    }
}

#[test]
fn golden_values_tell_the_order_of_rows() {
    tells(
        &made("perspective.pt2"),
        "768",
        "by kind, colour, square; own pieces first; P N B R Q K; squares from a8",
        4,
    );
    tells(
        &made("kings.pt2"),
        "Chess768[buckets: [0 x 3, 1 x 2, 0 x 59]]",
        "by square, colour, kind; their pieces first; K Q R B N P; squares from h1; piece before own king; king buckets from the last to the first",
        4,
    );
    let Some(folder) = folder() else { return };
    let theirs = "by colour, kind, square; own pieces first; P N B R Q; both kings first; squares from a8; piece before own king; \
        own kings by files, ranks from the other end";
    tells(&folder.join("stacked.pt2"), "HalfKAv2_hm", theirs, 2);
}
