//! Statistics of a few records that can be counted by hand.

use nnue_data::stats::Doubt;
use nnue_data::{Color, Move, NO_SCORE, Outcome, Position, Record, Stats};

use crate::games::games;

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

/// Records whose scores agree with their outcomes, most of the time; all positions differ.
fn agreeing() -> Vec<Record> {
    let mut random = fastrand::Rng::with_seed(81);
    let mut records = games(81, 60);
    for record in &mut records {
        let sign = record.outcome as i16 - 1;
        record.score = 200 * sign + random.i16(-250..250);
    }
    records
}

fn stats(records: &[Record]) -> Stats {
    let mut stats = Stats::default();
    records.iter().for_each(|record| stats.add(record));
    stats
}

#[test]
fn scores_that_agree_with_outcomes_correlate() {
    let found = stats(&agreeing());
    for side in Color::ALL {
        assert!(found.agreement.of_side(side).unwrap() > 0.5, "{side}");
    }
    assert!(found.agreement.correlation().unwrap() > 0.5);
    assert_eq!(found.doubts(), []);
    assert_eq!(stats(&[]).agreement.correlation(), None);
}

#[test]
fn correlations_are_those_of_pearson() {
    let mut records = agreeing();
    records.truncate(120);
    let pairs: Vec<[f64; 2]> = records
        .iter()
        .map(|record| {
            let side = record.position.side_to_move();
            let score = f64::from(record.white_score().unwrap());
            let outcome =
                if side == Color::White { 1.0 } else { -1.0 } * (record.outcome as i32 - 1) as f64;
            [(score / 400.0).tanh(), outcome]
        })
        .collect();
    let mean = |at: usize| pairs.iter().map(|pair| pair[at]).sum::<f64>() / pairs.len() as f64;
    let means = [mean(0), mean(1)];
    let together = |a: usize, b: usize| -> f64 {
        let of = |pair: &[f64; 2]| (pair[a] - means[a]) * (pair[b] - means[b]);
        pairs.iter().map(of).sum()
    };
    let expected = together(0, 1) / (together(0, 0) * together(1, 1)).sqrt();
    let found = stats(&records).agreement.correlation().unwrap();
    assert!((found - expected).abs() < 1e-6, "{found}, not {expected}");
}

/// The faults of beginners: scores by the side to move where White's are expected, negated scores.
#[test]
fn wrong_points_of_view_are_doubted() {
    let mut records = agreeing();
    for record in &mut records {
        if record.position.side_to_move() == Color::Black {
            record.score = -record.score;
        }
    }
    let doubts = stats(&records).doubts();
    let [Doubt::PointOfView { white, black }] = doubts[..] else {
        panic!("{doubts:?}");
    };
    assert!(white > 0.5 && black < -0.5, "{white}, {black}");
    assert_eq!(
        doubts[0].to_string(),
        format!(
            "scores or outcomes seem to be from another point of view than the format says: their correlation is {white:.3} with White to move, and \
             {black:.3} with Black to move"
        )
    );

    let mut records = agreeing();
    records
        .iter_mut()
        .for_each(|record| record.score = -record.score);
    assert!(matches!(stats(&records).doubts()[..], [Doubt::Contradiction(by)] if by < -0.5));

    let mut random = fastrand::Rng::with_seed(82);
    let mut records = agreeing();
    assert!(records.len() > 4000);
    records
        .iter_mut()
        .for_each(|record| record.score = random.i16(-300..300));
    assert!(matches!(
        stats(&records).doubts()[..],
        [Doubt::Unrelated(_)]
    ));
}

#[test]
fn data_that_teach_nothing_are_doubted() {
    let mut records = agreeing();
    for record in &mut records {
        (record.score, record.outcome) = (0, Outcome::Draw);
    }
    let expected = [Doubt::EqualScores(0), Doubt::EqualOutcomes(Outcome::Draw)];
    assert_eq!(stats(&records).doubts(), expected);
    records
        .iter_mut()
        .for_each(|record| record.score = NO_SCORE);
    assert_eq!(stats(&records).doubts()[0], Doubt::NoScores);

    let copies = vec![agreeing()[7]; 200];
    let found = stats(&copies);
    assert_eq!(
        (found.repeats.repeated(), found.repeats.compared()),
        (199, 200)
    );
    let repeats = Doubt::Repeats {
        repeated: 199,
        compared: 200,
    };
    assert_eq!(found.doubts().last(), Some(&repeats));
    // too few to tell
    assert_eq!(stats(&copies[..99]).doubts(), []);
}
