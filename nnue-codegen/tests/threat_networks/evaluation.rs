//! What the reference computes is what the engines computed: every layer of some positions, all buckets of the suite, plies
//! of games.

use nnue_format::Tensors;
use nnue_spec::reference::{Board, Trace, evaluate};
use nnue_spec::{NetDesc, TensorRef};
use nnue_testkit::games::vector_games;
use nnue_testkit::layers::{self, LayerCase};
use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_testkit::{board, vectors};
use shakmaty::Position;

use crate::plan;

/// Network in the vectors, declaration.
const NETS: [(&str, &str); 9] = [
    ("v10", "Sfnnv10"),
    ("v11", "Sfnnv11"),
    ("v12", "Sfnnv12"),
    ("v13", "Sfnnv13"),
    ("v14", "Sfnnv14"),
    ("v14.1", "Sfnnv14_1"),
    ("v15", "Sfnnv15"),
    ("v16", "Sfnnv16"),
    ("v14s", "SfnnSmall255"),
];

/// Every how many plies a game is evaluated: the reference takes its time.
const GAME_STEP: usize = 13;

fn reference_board(board: &board::Board) -> Board {
    Board::new(board.iter(), board.black_to_move())
}

fn with_net(file: &str, name: &str, profile: Profile, test: impl FnOnce(&NetDesc<'_>, &[TensorRef<'_>])) {
    let plan = plan(name);
    let tables = plan.tables();
    let net = tables.descriptor();
    let bytes = Synthetic::new(file, profile).bytes();
    let (_, tensors) = Tensors::read(&net, &bytes[..]).unwrap_or_else(|error| panic!("{file}: {error}"));
    test(&net, &tensors.refs());
}

#[test]
fn every_layer_of_some_positions() {
    for (file, name) in NETS {
        with_net(file, name, Profile::Normal, |net, tensors| {
            for case in layers::cases(&format!("syn-{file}")) {
                let trace = evaluate(net, tensors, &reference_board(&board::Board::from_fen(&case.fen)));
                compare_layers(net, &trace, &case);
            }
        });
    }
}

fn compare_layers(net: &NetDesc<'_>, trace: &Trace, case: &LayerCase) {
    let context = format!("{} on {}", net.name, case.fen);
    let rows = |base: &[usize], threats: &[usize], pawns: &[usize]| -> Vec<usize> {
        let first = |set: usize| net.features[..set].iter().map(|feature| feature.rows).sum::<usize>();
        let of_set = |set: usize, rows: &[usize]| rows.iter().map(|row| first(set) + row).collect::<Vec<_>>();
        [of_set(0, base), of_set(1, threats), of_set(2.min(net.features.len()), pawns)].concat()
    };
    assert_eq!(trace.features[0], rows(&case.features_own, &case.threats_own, &case.pawn_pairs_own), "{context}");
    assert_eq!(trace.features[1], rows(&case.features_opp, &case.threats_opp, &case.pawn_pairs_opp), "{context}");
    let widened = |values: &[i16]| values.iter().map(|&value| i32::from(value)).collect::<Vec<_>>();
    assert_eq!(widened(&trace.accumulators[0]), case.own, "{context}");
    assert_eq!(widened(&trace.accumulators[1]), case.opp, "{context}");
    for (stack, layers) in trace.stacks.iter().enumerate() {
        assert_eq!(layers.sums, [&*case.fc0[stack], &case.fc1[stack], &case.fc2[stack]], "{context}, stack {stack}");
    }
    assert_eq!(trace.psqt_diff, case.psqt_diff, "{context}");
    assert_eq!((&trace.psqt, &trace.positional), (&case.psqt, &case.positional), "{context}");
}

#[test]
fn suite_in_all_buckets() {
    for (file, name) in NETS {
        with_net(file, name, Profile::Normal, |net, tensors| compare_suite(net, tensors, &format!("syn-{file}"), 1));
    }
}

#[test]
fn stress_networks() {
    for (file, name) in NETS {
        with_net(file, name, Profile::Stress, |net, tensors| compare_suite(net, tensors, &format!("stress-{file}"), 5));
    }
}

fn compare_suite(net: &NetDesc<'_>, tensors: &[TensorRef<'_>], vectors: &str, step: usize) {
    for row in vectors::suite(vectors).into_iter().step_by(step) {
        let trace = evaluate(net, tensors, &reference_board(&board::Board::from_fen(&row.fen)));
        let found = (&trace.psqt_diff, &trace.psqt, &trace.positional, trace.bucket);
        assert_eq!(
            found,
            (&row.all_psqt_diff, &row.all_psqt, &row.all_positional, row.bucket),
            "{vectors}: {}",
            row.fen
        );
    }
}

#[test]
fn plies_of_games() {
    for (file, name) in NETS {
        let expected = vectors::games(&format!("syn-{file}"));
        with_net(file, name, Profile::Normal, |net, tensors| {
            for game in vector_games() {
                let mut now = game.start.clone();
                for ply in 0..=game.moves.len() {
                    if (ply + game.id).is_multiple_of(GAME_STEP) {
                        let row = expected.iter().find(|row| (row.game, row.ply) == (game.id, ply));
                        let row = row.expect("every ply has a row");
                        let trace = evaluate(net, tensors, &reference_board(&board::Board::from_position(&now)));
                        let found = (trace.used_psqt(), trace.used_positional());
                        assert_eq!(found, (row.psqt, row.positional), "{name}: game {}, ply {ply}", game.id);
                    }
                    if let Some(&m) = game.moves.get(ply) {
                        now.play_unchecked(m);
                    }
                }
            }
        });
    }
}
