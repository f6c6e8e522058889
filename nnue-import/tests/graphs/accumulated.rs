//! Networks over features, from files of PyTorch and ONNX to numbers: declared, read by the compiler of the language, and compared with the graph in
//! positions, before anything is rounded.

use nnue_codegen::plan_text;
use nnue_format::quantize::{Arranged, FloatTensor, Recipe};
use nnue_import::declare::{self, Accumulated};
use nnue_import::evaluate::evaluate;
use nnue_import::fold::{self, Folded};
use nnue_spec::ValueDesc;
use nnue_spec::reference::{Board, evaluate_real};

use crate::{graph, made};

/// How far sums in another order may be, in parts of the largest value.
const TOLERANCE: f64 = 1e-5;

fn imported(name: &str, features: &str) -> (Folded, Accumulated) {
    let graph = graph(&made(name));
    let folded = fold::fold(&graph).expect("it can be made simple");
    let imported = declare::accumulated(&graph, &folded, "Net", features);
    let imported = imported.unwrap_or_else(|error| panic!("{name}: {error}"));
    (folded, imported)
}

/// Kings and some pieces: whether black, which kind, where.
fn boards() -> Vec<Board> {
    let kings = [(false, 5, 4), (true, 5, 60)];
    let pieces = |count: usize| (0..count).map(|at| (at % 2 == 1, at * 7 % 5, (at * 11 + 9) % 48 + 8));
    let board = |count: usize| {
        let mut taken: Vec<(bool, usize, usize)> = kings.to_vec();
        for piece in pieces(count).filter(|piece| piece.2 != 60 && piece.2 != 4) {
            if taken.iter().all(|other| other.2 != piece.2) {
                taken.push(piece);
            }
        }
        Board::new(taken, count % 3 == 1)
    };
    (0..31).map(board).collect()
}

/// Asserts that a graph becomes this declaration, and that both have the same values.
fn compare(name: &str, features: &str, expected: &str) {
    let (folded, imported) = imported(name, features);
    assert_eq!(imported.declared.text, expected, "{name}");
    let plans = plan_text(&imported.declared.text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    assert_eq!(net.features[0].rows, imported.rows);
    let tensors = imported.declared.tensors.iter();
    let floats = tensors.map(|tensor| FloatTensor {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        values: tensor.values.clone(),
    });
    let weights = Arranged::new(&net, floats.collect(), &Recipe::new(&net)).expect("these are its tensors").scaled;
    let (mut worst, mut largest, boards) = (0.0_f64, 0.0_f64, boards());
    for pair in boards.chunks_exact(folded.rows) {
        let inputs = imported.inputs_in(&folded, &net, &pair.iter().collect::<Vec<_>>()).expect("lists are filled up");
        let numbers = evaluate(&folded.graph, &inputs).expect("lengths fit");
        let output = numbers[folded.graph.outputs[0]].as_ref().expect("it is made").to_floats();
        for (board, output) in pair.iter().zip(output.chunks_exact(output.len() / folded.rows)) {
            let (expected, scale) = match (net.value, output) {
                (ValueDesc::Wdl { scale }, &[_, draw, win]) => (f64::from(win) + f64::from(draw) / 2.0, scale),
                (ValueDesc::Float { scale } | ValueDesc::Sigmoid { scale }, &[value]) => (f64::from(value), scale),
                other => panic!("{other:?}"),
            };
            let found = evaluate_real(&net, &weights, board) / f64::from(scale);
            worst = worst.max((found - expected).abs());
            largest = largest.max(expected.abs());
        }
    }
    assert!(largest > 0.0 && worst <= TOLERANCE * largest, "{name}: {worst} of {largest}");
}

#[test]
fn layers_over_rows_are_accumulators() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(screlu(acc), 8: f32);
    output affine(crelu(h1), 1: f32);
    format raw
}
";
    compare("perspective.pt2", "768", expected);
    compare("perspective.onnx", "768", expected);
}

#[test]
fn weights_in_common_are_part_of_the_rows() {
    let expected = "\
pub struct Net {
    acc = accumulate(Chess768[buckets: [0 x 32, 1 x 32]], 32 @ 255) x 2;
    output affine(crelu(acc), 1: f32);
    format raw
}
";
    compare("kings.onnx", "Chess768[buckets: [0 x 32, 1 x 32]]", expected);
}

#[test]
fn products_and_probabilities_are_found() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    let h1 = affine(pairwise(acc), 16: f32);
    output affine(screlu(h1), 3: f32);
    value wdl * 1000;
    format raw
}
";
    compare("wdl.pt2", "768", expected);
    compare("wdl.onnx", "768", expected);
}

#[test]
fn stacks_are_found_by_what_their_formula_computes() {
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    stacks 8 by material_count {
        output affine(screlu(acc), 1: f32);
    }
    format raw
}
";
    compare("buckets.pt2", "768", expected);
    compare("buckets.onnx", "768", expected);
    let expected = "\
pub struct Net {
    acc = accumulate(768, 32 @ 255) x 2;
    stacks 4 {
        let h1 = affine(crelu(acc), 16: f32);
        output affine(concat(sqr_crelu(h1)[0..15], crelu(h1)[0..15]), 1: f32) + h1[15];
    }
    format raw
}
";
    compare("bags.pt2", "768", expected);
}

#[test]
fn what_a_graph_does_not_say_is_listed() {
    let (_, imported) = imported("bags.pt2", "768");
    let guesses = imported.guesses.join("; ");
    assert!(guesses.contains("that `us` is 1 where `white` has the rows of the side to move"), "{guesses}");
    let graph = graph(&made("buckets.pt2"));
    let folded = fold::fold(&graph).expect("it can be made simple");
    let error = declare::dense(&graph, &folded, "Net").expect_err("it has lists").to_string();
    assert!(error.starts_with("input `stm` has whole numbers"), "{error}");
}
