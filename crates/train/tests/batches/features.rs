//! The rows of every feature set equal those of the reference.

use std::fs;

use nnue_data::{Outcome, Position, Record};
use nnue_spec::NetDesc;
use nnue_spec::reference::active_features;
use nnue_train::batch::Batch;
use nnue_train::features::{Features, FeaturesError, Rows};

use crate::{board, declared};

/// Every kind of set with every option.
const SETS: &str = "
    struct HalfKp = HalfKP[..] -> 32x2 -> 1;
    struct HalfKa = HalfKAv2[..] -> 32x2 -> 1;
    struct Mirrored = HalfKAv2_hm[..] -> 32x2 -> 1;
    struct Planes = Chess768[..] -> 32x2 -> 1;
    struct MirroredPlanes = Chess768[mirrored] -> 32x2 -> 1;
    struct FourBuckets = Chess768[3072, buckets: [0, 0, 1, 1, 2 x 4, 3 x 24], mirrored] -> 32x2 -> 1;
    struct Merged = Chess704[buckets: [0 x 32, 1 x 32]] -> 32x2 -> 1;
    struct Rotated = Chess768[rotated] -> 32x2 -> 1;
    struct RotatedBuckets = Chess768[buckets: [0 x 16, 1 x 48], rotated] -> 32x2 -> 1;
    struct Attacks = Chess768[3072, attacks] -> 32x2 -> 1;
    struct MirroredAttacks = Chess768[attacks, mirrored, buckets: [0, 0, 1, 1, 2 x 4, 3 x 24]] + PawnPairs[..] -> 32x2 -> 1;
    struct MergedAttacks = Chess704[buckets: [0 x 32, 1 x 32], attacks] -> 32x2 -> 1;
    struct OnePerspective = Chess768[..] -> 32 -> 1;
    struct WhiteFirst = HalfKAv2_hm[..] -> 32x2 white_first -> 1;
    struct WhiteAlone = 768 -> 32 white_first -> 1;
    struct Table = (768 -> 32)x2 -> 1x2 by [0 x 12, 1 x 21];
    struct Minor = HalfKAv2_hm[..] + Threats[..](P: NBRQ, N: RQ, B: RQ) -> 32x2 -> 1;
    struct Everything = HalfKP[..] + Threats[..](P: PNBRQK, N: PNBRQK, B: PNBRQK, R: PNBRQK, Q: PNBRQK, K: PNBRQK) -> 32x2 -> 1;
    struct Pushes = Chess768[..] + PawnPairs[..] + Threats[..](P: PN, pushes) -> 32x2 -> 1;
";

/// Positions of every kind, including impossible ones.
fn positions() -> Vec<String> {
    let suite = fs::read_to_string(nnue_testkit::positions_dir().join("suite.fen")).unwrap();
    let suite = suite
        .lines()
        .filter_map(|line| line.split('\t').next())
        .map(str::to_owned);
    let crowded = [
        // As many pawns, and as many attacks, as possible.
        "4k3/pppppppp/PPPPPPPP/pppppppp/PPPPPP2/8/8/4K3 w - - 0 1",
        "QQQ1k3/Q1Q5/QQQ5/3qqq2/3q1q2/3qqq2/nnnnnnn1/4K2n b - - 0 1",
        "8/8/8/3k4/8/3K4/8/8 b - - 0 1",
    ];
    suite
        .step_by(nnue_testkit::sample())
        .chain(crowded.map(str::to_owned))
        .collect()
}

/// Compares rows, stack and perspective of every position with the reference.
fn judge(net: &NetDesc<'_>) {
    let features = Features::new(net).unwrap();
    let (mut rows, mut batch) = (Rows::default(), Batch::new(features.perspectives()));
    let fens = positions();
    for fen in &fens {
        let position: Position = fen.parse().unwrap_or_else(|error| panic!("{fen}: {error}"));
        let record = Record {
            position,
            score: 100,
            outcome: Outcome::Win,
            ply: 7,
            mv: None,
        };
        features.push(&record, &mut rows, &mut batch);
    }
    assert_eq!(batch.len(), fens.len());
    for (index, fen) in fens.iter().enumerate() {
        let board = board(fen);
        let black_first = net.accumulator.order.begins_with_black(board.black_to_move);
        for (perspective, black) in [black_first, !black_first]
            .into_iter()
            .take(batch.perspectives())
            .enumerate()
        {
            let mut found: Vec<usize> = batch
                .rows(index, perspective)
                .iter()
                .map(|&row| row as usize)
                .collect();
            found.sort_unstable();
            assert_eq!(
                found,
                active_features(net, &board, black),
                "{}, perspective {perspective}: {fen}",
                net.name
            );
        }
        assert_eq!(
            usize::from(batch.stacks()[index]),
            net.stacks.select(board.pieces.len()),
            "{}: {fen}",
            net.name
        );
        let sign = if black_first == board.black_to_move {
            1.0
        } else {
            -1.0
        };
        assert_eq!(
            (batch.scores()[index], batch.results()[index]),
            (100.0 * sign, 0.5 + 0.5 * sign),
            "{fen}"
        );
    }
}

#[test]
fn every_set_is_that_of_the_reference() {
    for plan in declared(SETS) {
        judge(&plan.tables().descriptor());
    }
}

#[test]
fn every_generation_of_stockfish_is_that_of_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/stockfish.rs");
    let plans = declared(&fs::read_to_string(path).unwrap());
    assert_eq!(plans.len(), 19);
    for plan in plans {
        judge(&plan.tables().descriptor());
    }
}

#[test]
fn code_of_the_program_is_refused() {
    let refused = |text: &str| {
        let plan = declared(text).remove(0);
        Features::new(&plan.tables().descriptor()).unwrap_err()
    };
    assert_eq!(
        refused("struct Own = crate::Mine[100, active 20] -> 32x2 -> 1;"),
        FeaturesError::CustomSet("Mine".into())
    );
    assert_eq!(
        refused("struct Chosen = (768 -> 32)x2 -> 1x4 by my_function;"),
        FeaturesError::CustomStacks("Chosen".into())
    );
}

#[test]
fn positions_count_by_their_pieces() {
    let plans = declared("struct Planes = Chess768[..] -> 32x2 -> 1;");
    let tables = plans[0].tables();
    let features = Features::new(&tables.descriptor())
        .unwrap()
        .weighted_by_pieces(&[0.0, 1.0, 3.0]);
    let (mut batch, mut rows) = (Batch::new(2), Rows::default());
    let fens = [
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/pppppp2/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
        "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKB2 w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
    ];
    for fen in fens {
        let position: Position = fen.parse().unwrap();
        let record = Record {
            position,
            score: 0,
            outcome: Outcome::Draw,
            ply: 0,
            mv: None,
        };
        features.push(&record, &mut rows, &mut batch);
    }
    assert_eq!(batch.weights(), [0.125, 1.0, 1.875, 3.0]);
}
