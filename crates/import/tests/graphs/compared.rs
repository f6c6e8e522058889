//! A graph and what is declared of it: the same words, and the same values in positions, before anything is rounded.

use std::path::Path;

use nnue_codegen::plan_text;
use nnue_import::Graph;
use nnue_import::declare::{self, Accumulated};
use nnue_import::evaluate::evaluate;
use nnue_import::fold::{self, Folded};
use nnue_spec::ValueDesc;
use nnue_spec::reference::{Board, evaluate_real};
use nnue_tools::quantize::{Arranged, FloatTensor, Recipe};

use crate::{graph, made};

/// How far sums in another order may be, in parts of the largest value.
pub(crate) const TOLERANCE: f64 = 1e-5;

pub(crate) fn imported(path: &Path, features: &str) -> (Folded, Accumulated) {
    let graph = graph(path);
    let folded = fold::fold(&graph).expect("it can be made simple");
    let imported = declare::accumulated(&graph, &folded, "Net", features);
    let imported = imported.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    (folded, imported)
}

/// Kings and some pieces: whether black, which kind, where.
pub(crate) fn boards() -> Vec<Board> {
    let kings = [(false, 5, 4), (true, 5, 60)];
    let pieces =
        |count: usize| (0..count).map(|at| (at % 2 == 1, at * 7 % 5, (at * 11 + 9) % 48 + 8));
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
pub(crate) fn compare(name: &str, features: &str, expected: &str) {
    compare_file(&made(name), features, expected);
}

pub(crate) fn compare_file(path: &Path, features: &str, expected: &str) {
    compare_graph(
        &path.display().to_string(),
        &graph(path),
        features,
        expected,
    );
}

pub(crate) fn compare_graph(name: &str, graph: &Graph, features: &str, expected: &str) {
    let folded = fold::fold(graph).expect("it can be made simple");
    let imported = declare::accumulated(graph, &folded, "Net", features);
    let imported = imported.unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(imported.declared.text, expected, "{name}");
    let (worst, largest) = difference(&folded, &imported);
    assert!(
        largest > 0.0 && worst <= TOLERANCE * largest,
        "{name}: {worst} of {largest}"
    );
}

/// The weights of a declaration as the quantiser takes them.
pub(crate) fn floats(imported: &Accumulated) -> Vec<FloatTensor> {
    let tensors = imported.declared.tensors.iter().map(|tensor| FloatTensor {
        name: tensor.name.clone(),
        shape: tensor.shape.clone(),
        values: tensor.values.clone(),
    });
    tensors.collect()
}

/// How far the values of a declaration are from those of its graph, and the largest of these.
pub(crate) fn difference(folded: &Folded, imported: &Accumulated) -> (f64, f64) {
    let plans = plan_text(&imported.declared.text).unwrap_or_else(|errors| panic!("{errors:?}"));
    let tables = plans[0].tables();
    let net = tables.descriptor();
    assert_eq!(net.features[0].rows, imported.rows);
    let recipe = Recipe::new(&net);
    let weights = Arranged::new(&net, floats(imported), &recipe)
        .expect("these are its tensors")
        .scaled;
    let (mut worst, mut largest, boards) = (0.0_f64, 0.0_f64, boards());
    for pair in boards.chunks_exact(folded.rows) {
        let inputs = imported
            .inputs_in(
                folded,
                &net,
                &pair.iter().map(|board| board as _).collect::<Vec<_>>(),
            )
            .expect("lists are filled up");
        let numbers = evaluate(&folded.unrounded().graph, &inputs).expect("lengths fit");
        let output = numbers[folded.graph.outputs[0]]
            .as_ref()
            .expect("it is made")
            .to_floats();
        for (board, output) in pair
            .iter()
            .zip(output.chunks_exact(output.len() / folded.rows))
        {
            let (expected, scale) = match (net.value, output) {
                (ValueDesc::Wdl { scale }, &[_, draw, win]) => {
                    (f64::from(win) + f64::from(draw) / 2.0, scale)
                }
                (ValueDesc::Float { scale }, &[value]) => (f64::from(value), scale.num as i32),
                (ValueDesc::Sigmoid { scale }, &[value]) => (f64::from(value), scale),
                (ValueDesc::Together { divide }, &[value]) => {
                    let last = format!("fc{}_bias", net.layers.len() - 1);
                    let of = |name: &str| net.tensors.iter().position(|tensor| tensor.name == name);
                    let psqt = of("ft_psqt")
                        .or_else(|| of(&last))
                        .expect("there is a layer");
                    let stretch = imported.stretch_of("ft_psqt");
                    (
                        f64::from(value) * recipe.factors[psqt] * stretch / f64::from(divide),
                        1,
                    )
                }
                other => panic!("{other:?}"),
            };
            let found = evaluate_real(&net, &weights, board) / f64::from(scale);
            worst = worst.max((found - expected).abs());
            largest = largest.max(expected.abs());
        }
    }
    (worst, largest)
}
