//! Statistics of a few records that can be counted by hand.

use nnue_data::{Move, NO_SCORE, Outcome, Position, Record, Stats};

fn record(fen: &str, uci: &str, score: i16, outcome: Outcome, ply: u32) -> Record {
    let position: Position = fen.parse().unwrap();
    Record {
        position,
        score,
        outcome,
        ply,
        mv: Move::from_uci(uci, &position).ok(),
    }
}

#[test]
fn what_is_counted() {
    let records = [
        record(
            "4k3/P7/8/8/8/8/4P3/4K3 w - - 0 1",
            "a7a8q",
            800,
            Outcome::Win,
            60,
        ),
        record(
            "Q3k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
            "e8e7",
            -1000,
            Outcome::Loss,
            61,
        ),
        record(
            "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1",
            "e1e2",
            49,
            Outcome::Draw,
            8,
        ),
        record(
            "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1",
            "",
            NO_SCORE,
            Outcome::Draw,
            8,
        ),
    ];
    let mut stats = Stats::default();
    records.iter().for_each(|record| stats.add(record));
    assert_eq!(
        (stats.records, stats.games, stats.no_score, stats.no_move),
        (4, 3, 1, 1)
    );
    assert_eq!((stats.outcomes, stats.white_to_move), ([1, 2, 1], 3));
    assert_eq!((stats.checks, stats.captures, stats.promotions), (1, 1, 1));
    assert_eq!(
        (stats.scores, stats.plies),
        (Some((-1000, 800)), Some((8, 61)))
    );
    assert_eq!(stats.score_sizes, [1, 0, 0, 0, 0, 2, 0, 0, 0, 0]);
    assert_eq!(stats.pieces.0[3..5], [2, 2]);
    let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-9;
    assert!(
        close(stats.mean_score(), -151.0 / 3.0),
        "{:?}",
        stats.mean_score()
    );
    assert!(
        close(stats.mean_score_size(), 1849.0 / 3.0),
        "{:?}",
        stats.mean_score_size()
    );
    let deviation = ((640_000.0 + 1_000_000.0 + 2401.0) / 3.0 - (151.0f64 / 3.0).powi(2)).sqrt();
    assert!(
        close(stats.score_deviation(), deviation),
        "{:?}",
        stats.score_deviation()
    );
    assert!(
        close(stats.mean_ply(), 137.0 / 4.0)
            && close(stats.mean_outcome(), 0.5)
            && close(stats.mean_pieces(), 3.5)
    );
}

#[test]
fn nothing_has_no_means() {
    let stats = Stats::default();
    assert_eq!(
        (
            stats.mean_score(),
            stats.score_deviation(),
            stats.mean_outcome(),
            stats.scores
        ),
        (None, None, None, None)
    );
}
