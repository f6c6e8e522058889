//! The declarations of the repository with small accumulators and random parameters.

use std::path::Path;

use nnue_codegen::graph_text;
use nnue_spec::graph::{Element, Graph, Node, Op};
use nnue_spec::reference::{Board, active_features};
use nnue_spec::{Activation, FeatureSetId, NetDesc, PerspectiveOrder, TensorRole, ValueDesc};
use nnue_testkit::random::Random;
use nnue_train::network::{Network, Parameters, Position};

/// The declarations of a file, except those with code of the program.
pub(crate) fn graphs(file: &str) -> Vec<Graph> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    let text = std::fs::read_to_string(path).expect("the file is part of the repository");
    let graphs =
        graph_text(&narrow(&text)).unwrap_or_else(|errors| panic!("{file}: {}", errors[0].message));
    let is_known =
        |graph: &Graph| graph.custom.set.is_empty() && graph.custom.activations.is_empty();
    graphs.into_iter().filter(is_known).collect()
}

/// All Stockfish generations and all small test networks that only have a value.
pub(crate) fn all() -> impl Iterator<Item = Graph> {
    let files = [
        "src/stockfish.rs",
        "tests/behaviour/nets.rs",
        "tests/floats/heads.rs",
        "tests/floats/alexandria.rs",
    ];
    let more = [
        "tests/perspectives/halves.rs",
        "tests/perspectives/psqt_floats.rs",
        "tests/perspectives/separate.rs",
        "tests/perspectives/white_first.rs",
    ];
    let files = files
        .into_iter()
        .chain(more)
        .chain(["tests/behaviour/words.rs"]);
    // The biases of one network must be multiples of a number in its file; those of these tests are not.
    files
        .flat_map(graphs)
        .filter(|graph| graph.heads.is_empty() && graph.name != "WideBias")
}

/// The same declarations with wide accumulators narrowed to 64 neurons; the operations stay the same.
fn narrow(text: &str) -> String {
    let mut text = text.to_owned();
    for width in [
        "16384", "3072", "2560", "2048", "1536", "1024", "512", "384", "256",
    ] {
        for (before, after) in [
            (" ", "x2"),
            (" ", " @"),
            (", ", ")"),
            ("-> ", ")"),
            ("-> ", " pairwise"),
        ] {
            text = text.replace(
                &format!("{before}{width}{after}"),
                &format!("{before}64{after}"),
            );
        }
    }
    text
}

/// Random parameters that make some neurons clip, but most not.
pub(crate) fn random(graph: &Graph, network: &Network<f64>, seed: u64) -> Parameters<f64> {
    let mut random = Random::new(seed);
    let mut parameters = network.zeros();
    for (tensor, numbers) in graph.tensors.iter().zip(&mut parameters.tensors) {
        let (center, spread) = match tensor.role {
            TensorRole::TransformerBias | TensorRole::SecondBias => (0.4, 0.5),
            TensorRole::TransformerPsqt | TensorRole::ExtraPsqt(_) => (0.0, 0.5),
            role if role.is_of_layer() => (0.0, 1.6 / (tensor.cols as f64).sqrt()),
            _ => (0.0, 0.15),
        };
        for number in numbers {
            let uniform = random.below(1 << 30) as f64 / f64::from(1 << 29) - 1.0;
            *number = center + spread * uniform;
        }
    }
    parameters
}

/// Positions of opening, middle game and endgame, with either side to move.
pub(crate) fn boards() -> Vec<Board> {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r1bqk2r/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R b KQkq - 5 8",
        "8/5pk1/4p1p1/3pP1P1/1R1P1K2/8/r7/8 b - - 0 1",
        "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1",
    ];
    let board = |fen| {
        let board = nnue_testkit::board::Board::from_fen(fen);
        Board::new(board.iter(), board.black_to_move())
    };
    fens.map(board).into()
}

/// The active rows of both perspectives, and the stack.
pub(crate) struct Rows {
    rows: [Vec<i32>; 2],
    stack: usize,
}

impl Rows {
    pub(crate) fn of(net: &NetDesc<'_>, board: &Board) -> Self {
        let black_first = net.accumulator.order.begins_with_black(board.black_to_move);
        let rows = [black_first, !black_first].map(|black| {
            active_features(net, board, black)
                .into_iter()
                .map(|row| i32::try_from(row).expect("few rows"))
                .collect()
        });
        Self {
            rows,
            stack: net.stacks.select(board.pieces.len()),
        }
    }

    pub(crate) fn position(&self) -> Position<'_> {
        Position {
            rows: [&self.rows[0], &self.rows[1]],
            stack: self.stack,
            listed: &[],
        }
    }
}

#[test]
fn every_operation_and_generation_is_among_the_declarations() {
    let graphs: Vec<Graph> = all().collect();
    let generations = graphs
        .iter()
        .filter(|graph| graph.name.starts_with("Sfnn"))
        .count();
    assert!(
        generations == 19 && graphs.len() > 50,
        "{generations} {}",
        graphs.len()
    );
    for graph in &graphs {
        assert!(
            graph.accumulator.width <= 512,
            "{} is wide, and its test slow",
            graph.name
        );
    }
    let has = |of: &dyn Fn(&Graph) -> bool| assert!(graphs.iter().any(of));
    for activation in Activation::ALL {
        let uses = |op: &Op| matches!(op, Op::Activate { function, .. } if *function == activation);
        has(&|graph| graph.nodes.iter().any(|node| uses(&node.op)));
    }
    has(&|graph| graph.accumulator.separate);
    has(&|graph| graph.accumulator.separate && graph.features.len() > 1);
    has(&|graph| graph.accumulator.psqt_floats == 1);
    has(&|graph| graph.accumulator.psqt_floats == 3);
    has(&|graph| graph.accumulator.perspectives == 1);
    has(&|graph| graph.accumulator.order == PerspectiveOrder::WhiteFirst);
    has(&|graph| {
        graph
            .features
            .iter()
            .any(|feature| feature.set == FeatureSetId::PawnPairs)
    });
    has(&|graph| matches!(graph.value, ValueDesc::Wdl { .. }));
    has(&|graph| matches!(graph.value, ValueDesc::Sigmoid { .. }));
    has(&|graph| matches!(graph.value, ValueDesc::Scaled { .. }));
}

#[test]
fn every_activation_in_16_bits_is_among_the_declarations() {
    let graphs = graphs("tests/behaviour/words.rs");
    for wanted in [
        Activation::Crelu,
        Activation::Screlu,
        Activation::SqrCrelu,
        Activation::Pairwise,
    ] {
        let is_wanted = |node: &Node| {
            let is_function =
                matches!(node.op, Op::Activate { function, .. } if function == wanted);
            is_function && node.element == Element::Words
        };
        assert!(
            graphs.iter().any(|graph| graph.nodes.iter().any(is_wanted)),
            "{wanted:?}"
        );
    }
}
