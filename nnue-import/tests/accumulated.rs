//! Networks over features, from files of PyTorch and ONNX to numbers: declared, read by the compiler of the language, and compared with the graph in
//! positions, before anything is rounded.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use nnue_codegen::plan_text;
use nnue_format::quantize::{Arranged, FloatTensor, Recipe};
use nnue_import::declare::{self, Accumulated, Given};
use nnue_import::evaluate::evaluate;
use nnue_import::fold::{self, Folded};
use nnue_import::{Data, Element, Graph, Tensor, onnx, torch};
use nnue_spec::reference::{Board, active_features, evaluate_real};
use nnue_spec::{NetDesc, ValueDesc};

/// How far sums in another order may be, in parts of the largest value.
const TOLERANCE: f64 = 1e-5;

fn made(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/import").join(name)
}

fn graph(path: &Path) -> Graph {
    let file = std::fs::read(path).expect("the file is there");
    let is_torch = path.extension().is_some_and(|end| end == "pt2");
    let graph = if is_torch { torch::read(&file) } else { onnx::read(file, path.parent()) };
    graph.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

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

/// What an input of the graph is in a position.
fn given(
    net: &NetDesc<'_>,
    imported: &Accumulated,
    given: &Given,
    board: &Board,
    is_list: bool,
    size: usize,
) -> Vec<i64> {
    let rows = |black: bool| {
        let rows = active_features(net, board, black);
        if is_list {
            let mut list: Vec<i64> = rows.into_iter().map(|row| row as i64).collect();
            list.resize(size, imported.padding.expect("lists are filled up"));
            return list;
        }
        let mut ones = vec![0; size];
        rows.into_iter().for_each(|row| ones[row] = 1);
        ones
    };
    match given {
        Given::Rows { second } => rows(board.black_to_move != *second),
        Given::Color { black } => rows(*black),
        Given::WhiteMoves => vec![i64::from(!board.black_to_move)],
        Given::Pieces => vec![board.pieces.len() as i64],
        Given::Stack => vec![net.stacks.select(board.pieces.len()) as i64],
        Given::Nothing => vec![0; size],
    }
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
        let inputs = folded.graph.inputs.iter().zip(&imported.inputs).map(|(&id, kind)| {
            let shape = folded.shapes[id].clone();
            let is_list = folded.graph.values[id].element == Some(Element::I64);
            let numbers =
                pair.iter().flat_map(|board| given(&net, &imported, kind, board, is_list, shape[1..].iter().product()));
            let data = match is_list {
                true => Data::I64(numbers.collect()),
                false => Data::F32(numbers.map(|number| number as f32).collect()),
            };
            Arc::new(Tensor::new(shape, data).expect("it has the shape"))
        });
        let numbers = evaluate(&folded.graph, &inputs.collect::<Vec<_>>()).expect("lengths fit");
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
