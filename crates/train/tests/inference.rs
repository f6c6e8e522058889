//! The trainer's quantised network gives the same values as the compiled one, which follows random games
//! incrementally at the level of this processor.

use cozy_chess::{Board, Move};
use fastrand::Rng;
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Architecture, Network};
use nnue_format::{Header, to_bytes};
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_train::features::{Features, Rows};
use nnue_train::initial::{Rule, draw};
use nnue_train::network::Parameters;
use nnue_train::optimizer::Limits;
use nnue_train::quantized::Quantized;
use nnue_train::search::position_of;

/// Declares networks for the compiler, and as text for the trainer.
macro_rules! declare {
    ($($tokens:tt)*) => {
        nnue::nnue! { $($tokens)* }

        const DECLARATIONS: &str = stringify!($($tokens)*);
    };
}

declare! {
    /// Squares of accumulators, weights of 16 bits.
    pub struct Squares = (768 -> 64)x2 @ 255 screlu -> 1x4: i16 @ 64 by material_count { format raw };

    /// The shape of the built-in network.
    pub struct Buckets = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 64x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;

    /// That of Stockfish's small network: two activations of one layer, and a neuron beside the last.
    pub struct Dual {
        acc = accumulate(HalfKAv2_hm[..], 64) x 2, psqt 8;
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(pairwise(acc), 16);
            let h2 = affine(concat(sqr_crelu(h1[..15]), crelu(h1[..15])), 32);
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        value psqt / 16 + positional / 16;
    }

    /// Clipped ReLU, a king on each square.
    pub struct Kings = HalfKP[..] -> 64x2 -> 32 -> 32 -> 1;

    /// Attacks and neighbouring pawns.
    pub struct Pairs = HalfKAv2_hm[..] + FullThreats[60720] + PawnPairs[..] -> 64x2 pairwise -> (16 -> 1)x8;

    /// Weights of its own for each perspective.
    pub struct Halves = (768 -> 64)x2 separate -> 16 -> 1 { format raw };

    /// Layers of floats.
    pub struct Floats = (768 -> 64)x2 @ 255 pairwise -> (16: f32 screlu -> 32: f32 screlu -> 1: f32)x8 { format raw };

    /// A layer of signs.
    pub struct Signs = (768 -> 64)x2 -> (32 binary -> 1)x2 { format raw };

    /// A layer of which inputs reach some blocks of outputs.
    pub struct Blocks = (768 -> 64)x2 -> (64 blocks 2 of 16 -> 1)x2 { format raw };
}

/// Initial parameters, spread out so that neurons clip at both ends.
fn parameters(graph: &Graph) -> Parameters<f32> {
    let mut parameters = draw(graph, Rule::Normal, 3);
    let mut random = Rng::with_seed(4);
    for numbers in &mut parameters.tensors {
        numbers
            .iter_mut()
            .for_each(|number| *number += 0.2 * (random.f32() - 0.4));
    }
    Limits::of(graph).apply(&mut parameters);
    parameters
}

/// Compares `positions` positions.
fn assert_equal<N: Architecture>(positions: usize) {
    let graphs = nnue_codegen::graph_text(DECLARATIONS).expect("it compiles");
    let graph = graphs
        .iter()
        .find(|graph| graph.name == N::SPEC.name)
        .expect("it is declared above");
    let plan = plan(graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let quantized = Quantized::new(&net, &parameters(graph)).expect("limits hold them");
    let bytes = to_bytes(&net, &Header::new(&net, []), &quantized.tensors().refs())
        .expect("no description");
    let network = Network::<N>::from_bytes(&bytes).expect("the compiler declares the same");
    let (features, mut rows) = (Features::new(&net).expect("sets of chess"), Rows::default());

    let mut random = Rng::with_seed(5);
    let (mut stack, mut board) = (AccumulatorStack::new(), Board::default());
    let mut values = Vec::with_capacity(positions);
    for number in 0..positions {
        let found = quantized
            .evaluate(features.see(&position_of(&board), &mut rows))
            .value;
        let expected = network.evaluate(&board, &mut stack).value;
        assert_eq!(
            found, expected,
            "{}, position {number}: {board}",
            graph.name
        );
        values.push(found);
        match random_move(&board, &mut random) {
            Some(played) if board.halfmove_clock() < 60 => {
                stack.push(change_of(&board, played));
                board.play_unchecked(played);
            }
            _ => {
                stack.reset();
                board = Board::default();
            }
        }
        if stack.depth() == 200 {
            stack.reset();
        }
    }
    values.sort_unstable();
    values.dedup();
    assert!(
        values.len() > positions.min(2000) / 20,
        "{}: only {} values",
        graph.name,
        values.len()
    );
}

fn random_move(board: &Board, random: &mut Rng) -> Option<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    random.choice(moves)
}

fn all(positions: usize) {
    assert_equal::<Squares>(positions);
    assert_equal::<Buckets>(positions);
    assert_equal::<Dual>(positions);
    assert_equal::<Kings>(positions);
    assert_equal::<Pairs>(positions);
    assert_equal::<Halves>(positions);
    assert_equal::<Floats>(positions);
    assert_equal::<Signs>(positions);
    assert_equal::<Blocks>(positions);
}

#[test]
fn the_quantised_network_of_the_trainer_is_the_compiled_one() {
    all(1000);
}

#[test]
#[ignore = "it takes a minute: docs/testing.md"]
fn the_same_in_100_000_positions() {
    all(100_000);
}
