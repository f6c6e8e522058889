//! Networks that are declared in text, evaluated without compiling them, along games: every level against the reference interpreter, which computes
//! each position from nothing.
//!
//! Networks of every kind, position by position, are compared in `tests/behaviour` of the facade, beside the compiled ones. Here accumulators follow
//! moves, in every feature set.

use nnue_codegen::plan_text;
use nnue_runtime::board::shakmaty::change_of;
use nnue_runtime::dynamic::{Batch, Network, OpenError, Stack, Sums, Unsupported};
use nnue_runtime::{Change, Evaluation, Level, Position as _};
use nnue_spec::reference::{Board, evaluate};
use nnue_spec::{NetDesc, TensorRef};
use nnue_testkit::games::{position, random_game, suite_fens, vector_games};
use nnue_testkit::random::Random;
use shakmaty::{Chess, Position};

/// Feature sets, perspectives and kinds of weights of accumulators; layers of the usual shapes.
const NETWORKS: &str = "
    pub struct KingPieces = HalfKP[..] -> 32x2 -> 32 -> 1;
    pub struct Kings = HalfKAv2[45056] -> 64x2, psqt 8 -> (16 -> 32 -> 1)x8;
    pub struct Half = HalfKAv2_hm[..] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;
    pub struct Plain = (768 -> 64)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };
    pub struct Buckets = (Chess768[buckets: [0 x 3, 1 x 5, 2 x 24], mirrored] -> 96)x2 @ 255 screlu -> (1: i16)x8 { format raw };
    pub struct Rotated = Chess768[buckets: [0 x 3, 1 x 5, 2 x 56], rotated] -> 32x2 -> 1;
    pub struct Attacks = Chess704[buckets: [0 x 8, 1 x 24], mirrored, attacks] -> 32x2, psqt 2 -> (8 -> 1)x2;
    pub struct OneSided = 768 -> 64 -> 1;
    pub struct WhiteFirst = (768 -> 32)x2 @ 255 white_first -> 1: i16 { format raw };
    pub struct Separate = (768 -> 64)x2 @ 255 screlu separate -> 1: i16 { format raw };
    pub struct Bytes = HalfKAv2_hm[..] as i8 + PawnPairs[..] -> 160x2, psqt 2 -> (8 -> 1)x2 { format raw };
    pub struct Threats = HalfKAv2_hm[..] + FullThreats[79856] -> 64x2 @ 255 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128_joint_psqt }
    };
    pub struct Pairs = Chess768[..] + Threats[..](N: PQK, P: NK, K: PNB) + PawnPairs[..] -> 96x2 @ 255 pairwise -> 8 -> 1;
    pub struct Outputs {
        acc = accumulate(HalfKAv2_hm[..], 96) x 2, psqt 4;
        stacks 4 {
            let h1 = affine(pairwise(acc), 24);
            output affine(concat(sqr_crelu(h1), crelu(h1)), 1) + h1[3];
            output wdl = wdl(affine(crelu(h1), 3));
            output moves_left = affine(crelu(h1), 1);
        }
    }
";

/// Floats of features, whose sums depend on the order of the additions: one and three, of one perspective and of two, beside pairs.
const FLOATS: &str = "
    pub struct Points = Chess768[mirrored] as i8 + FullThreats[79856] -> 64 @ 128 pairwise as i16, psqt 3: f32
        -> 16: i16 @ 1024 screlu -> 24: f32 screlu -> 3: f32 { value wdl * 1000; format raw };
    pub struct Halves = (HalfKAv2_hm[..] -> 32)x2 @ 255 pairwise, psqt 1: f32 -> (16 screlu -> 1: f32)x4 { format raw };
    pub struct WhitePoints {
        inputs = Chess768[attacks] + Threats[..](N: PQ, Q: NB) + PawnPairs[..];
        acc = accumulate(inputs, 32 @ 255) x 2, separate, white_first, psqt 1: f32;
        let h1 = affine(pairwise(acc), 16);
        output value = affine(screlu(h1), 1: f32) + h1[3];
        value sigmoid(output) * 10000;
        format raw { ft_psqt: [output][input] }
    }
";

/// Declared networks with random weights.
fn declared(text: &str) -> Vec<Network> {
    let plans = plan_text(text).unwrap_or_else(|errors| panic!("{errors:?}"));
    plans
        .into_iter()
        .map(|plan| Network::random(plan.leak(), 7).expect("no code of a program"))
        .collect()
}

/// Those without floats of features.
fn networks() -> Vec<Network> {
    declared(NETWORKS)
}

fn expected(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], position: &Chess) -> Evaluation {
    let pieces = nnue_testkit::board::Board::from_position(position);
    let trace = evaluate(
        net,
        tensors,
        &Board::new(pieces.iter(), position.turn().is_black()),
    );
    let (psqt, positional) = (trace.used_psqt(), trace.used_positional());
    Evaluation {
        psqt,
        positional,
        bucket: trace.bucket,
        value: trace.value,
    }
}

/// A game as a search goes through it: some plies are evaluated, lines are taken back, siblings are evaluated together.
fn follow(network: &Network, random: &mut Random, start: &Chess, stack: &mut Stack) {
    let (net, tensors) = (network.spec(), network.tensors());
    let what = |position: &Chess| format!("{} at {}: {position:?}", net.name, network.level());
    let game = random_game(random, start, 60);
    let positions = game.positions();
    stack.reset();
    let gap = 1 + random.below(4);
    let mut ply = 0;
    while ply < game.moves.len() {
        if random.below(gap) == 0 {
            let position = &positions[ply];
            assert_eq!(
                network.evaluate(position, stack),
                expected(net, &tensors, position),
                "{}",
                what(position)
            );
        }
        if ply > 0 && random.below(5) == 0 {
            ply -= 1 + random.below(ply.min(3));
            let mut copy = stack.clone();
            stack.truncate(ply);
            copy.truncate(ply);
            assert_eq!(
                network.evaluate(&positions[ply], &mut copy),
                expected(net, &tensors, &positions[ply]),
                "{}",
                what(&positions[ply])
            );
        } else {
            stack.push(change_of(&positions[ply], &game.moves[ply]));
            ply += 1;
        }
    }
    let (last, mut evaluations) = (&positions[ply], Vec::new());
    let moves = last.legal_moves();
    let changes: Vec<Change> = moves.iter().map(|m| change_of(last, m)).collect();
    network.evaluate_children(last, &changes, stack, &mut evaluations);
    for (m, evaluation) in moves.iter().zip(evaluations).take(8) {
        let child = last.clone().play(*m).expect("a legal move");
        assert_eq!(
            evaluation,
            expected(net, &tensors, &child),
            "{}",
            what(&child)
        );
    }
}

#[test]
fn games_agree_with_the_reference_on_every_level() {
    let chess960 = position("nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1");
    // One stack for all networks: it forgets what another one computed.
    let mut stack = Stack::new();
    for mut network in networks().into_iter().chain(declared(FLOATS)) {
        for level in Level::available() {
            network = network.with_level(level);
            let mut random = Random::new(3);
            for start in [&Chess::default(), &chess960] {
                follow(&network, &mut random, start, &mut stack);
            }
        }
    }
}

#[test]
fn batches_give_the_values_of_their_positions() {
    let positions: Vec<Chess> = suite_fens().iter().map(|fen| position(fen)).collect();
    let (mut batch, mut stack) = (Batch::new(), Stack::new());
    for network in networks().into_iter().chain(declared(FLOATS)) {
        let mut values = vec![Evaluation::default(); positions.len()];
        network.evaluate_batch(&positions, &mut values, &mut batch);
        for (position, value) in positions.iter().zip(&values) {
            stack.reset();
            assert_eq!(
                *value,
                network.evaluate(position, &mut stack),
                "{} {position:?}",
                network.spec().name
            );
        }
        let mut together = vec![Evaluation::default(); positions.len()];
        network.evaluate_on_threads(&positions, &mut together, &mut [Batch::new(), Batch::new()]);
        assert_eq!(together, values);
    }
}

#[test]
fn kernels_have_the_sums_of_the_reference_on_every_level() {
    for mut network in networks() {
        let (net, mut stack) = (network.spec(), Stack::new());
        for level in Level::available() {
            network = network.with_level(level);
            for fen in suite_fens().iter().step_by(97) {
                let position = position(fen);
                stack.reset();
                let found = network.computed(&position, &mut stack);
                assert_eq!(
                    found.evaluation.evaluation,
                    expected(net, &network.tensors(), &position),
                    "{} {fen}",
                    net.name
                );
                let pieces = nnue_testkit::board::Board::from_position(&position);
                let board = Board::new(pieces.iter(), position.turn().is_black());
                let trace = evaluate(net, &network.tensors(), &board);
                let read = &trace.accumulators[..net.accumulator.perspectives];
                assert_eq!(found.accumulators, read, "{} {level} {fen}", net.name);
                let sums = &trace.stacks[trace.bucket].sums;
                let whole: Vec<Sums> = sums.iter().cloned().map(Sums::Whole).collect();
                assert_eq!(found.layers, whole, "{} {level} {fen}", net.name);
            }
        }
    }
}

#[test]
fn floats_of_features_are_added_in_the_order_of_their_rows() {
    for mut network in declared(FLOATS) {
        let (net, mut stack) = (network.spec(), Stack::new());
        for level in Level::available() {
            network = network.with_level(level);
            for fen in suite_fens().iter().step_by(31) {
                let position = position(fen);
                let pieces = nnue_testkit::board::Board::from_position(&position);
                let board = Board::new(pieces.iter(), position.turn().is_black());
                let trace = evaluate(net, &network.tensors(), &board);
                let layers = &trace.stacks[trace.bucket];
                stack.reset();
                let what = format!("{} {level} {fen}", net.name);
                assert_eq!(
                    network.output(&position, &mut stack),
                    layers.output(net),
                    "{what}"
                );
                let accumulators = network.accumulate(&position);
                assert_eq!(
                    network.intermediate(&accumulators, trace.bucket),
                    *layers,
                    "{what}"
                );
                assert_eq!(
                    network.forward(&accumulators, &mut stack).value,
                    trace.value,
                    "{what}"
                );
            }
        }
    }
}

#[test]
fn the_side_to_move_passes() {
    let mut stack = Stack::new();
    let network = &networks()[2];
    let game = &vector_games()[0];
    for position in game.positions().into_iter().step_by(9) {
        let Ok(passed) = position.clone().swap_turn() else {
            continue;
        };
        stack.reset();
        network.update(&position, &mut stack);
        stack.push_null();
        assert_eq!(
            network.evaluate(&passed, &mut stack),
            network.evaluate_fresh(&passed)
        );
        assert_eq!(passed.occupied(), position.occupied());
    }
}

#[test]
fn files_are_read_and_written_again() {
    for network in networks().into_iter().chain(declared(FLOATS)) {
        let bytes = network.to_bytes().expect("a short description");
        let again =
            Network::from_bytes(network.spec(), &bytes).expect("a file of this declaration");
        assert_eq!(
            (again.tensors(), again.to_bytes().ok()),
            (network.tensors(), Some(bytes.clone()))
        );
        let cut = Network::from_bytes(network.spec(), &bytes[..bytes.len() - 1]);
        assert!(
            matches!(cut, Err(OpenError::Load(_))),
            "{}",
            network.spec().name
        );
    }
}

#[test]
fn golden_values_are_compared() {
    let text = |value: i32| {
        format!(
            "pub struct Tiny = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 {{
                format raw; golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = {value};
            }};"
        )
    };
    let plan = |value| {
        plan_text(&text(value))
            .unwrap_or_else(|errors| panic!("{errors:?}"))
            .remove(0)
            .leak()
    };
    let network = Network::random(plan(0), 5).expect("no code of a program");
    let value = network.evaluate_fresh(&Chess::default()).value;
    let bytes = network.to_bytes().expect("no description");
    assert!(Network::from_bytes(plan(value), &bytes).is_ok());
    let wrong = Network::from_bytes(plan(value + 1), &bytes).expect_err("another value");
    assert!(wrong.to_string().contains("golden"), "{wrong}");
}

#[test]
fn code_of_programs_is_said_to_be_in_the_way() {
    let texts = [
        (
            "pub struct N = Chess768[..] -> 32x2 self::mine -> 1;",
            "the activation `self::mine`",
        ),
        (
            "pub struct N = self::Mine[100] -> 32x2 -> 1;",
            "the feature set",
        ),
    ];
    for (text, what) in texts {
        let mut plans = plan_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
        let refused = Network::random(plans.remove(0).leak(), 1).expect_err("code of a program");
        assert!(
            matches!(&refused, Unsupported::Code(code) if code.contains(what)),
            "{refused}"
        );
    }
}
