//! Filters: each rule alone, against the same question asked in another way.

use std::num::NonZeroU32;

use nnue_data::filter::{Filter, Reason, Sieve};
use nnue_data::win_rate::WinRate;
use nnue_data::{MoveKind, NO_SCORE, Outcome, Record};

use crate::games::games;

/// The records that are left, and how many were left out for `reason`.
fn sieved(filter: Filter, records: &[Record], reason: Reason) -> (Vec<Record>, u64) {
    let mut sieve = Sieve::new(filter, 7);
    let left = records
        .iter()
        .copied()
        .filter(|record| sieve.judge(record).is_none())
        .collect();
    (left, sieve.left_out(reason))
}

/// Only records for which `applies` holds are left out, all of them, for this reason.
#[track_caller]
fn leaves_out(
    filter: Filter,
    records: &[Record],
    reason: Reason,
    applies: impl Fn(&Record) -> bool,
) {
    let expected: Vec<Record> = records
        .iter()
        .copied()
        .filter(|record| !applies(record))
        .collect();
    let (left, count) = sieved(filter, records, reason);
    assert_eq!(left, expected, "{reason}");
    assert_eq!(count as usize, records.len() - expected.len(), "{reason}");
    assert!(
        count > 0 && !left.is_empty(),
        "{reason}: {count} of {}",
        records.len()
    );
}

#[test]
fn each_rule_leaves_out_what_it_says() {
    let mut records = games(71, 60);
    records[5].score = NO_SCORE;
    let all = Filter::KEEP_ALL;
    leaves_out(
        Filter {
            no_score: true,
            ..all.clone()
        },
        &records,
        Reason::NoScore,
        |record| record.score == NO_SCORE,
    );
    leaves_out(
        Filter {
            check: true,
            ..all.clone()
        },
        &records,
        Reason::Check,
        |record| {
            let board: cozy_chess::Board = record.fen().parse().unwrap();
            !board.checkers().is_empty()
        },
    );
    leaves_out(
        Filter {
            captures: true,
            ..all.clone()
        },
        &records,
        Reason::Capture,
        |record| {
            let after = record.position.play(record.mv.unwrap()).unwrap();
            after.occupied().len() < record.position.occupied().len()
        },
    );
    leaves_out(
        Filter {
            promotions: true,
            ..all.clone()
        },
        &records,
        Reason::Promotion,
        |record| matches!(record.mv.unwrap().kind, MoveKind::Promotion(_)),
    );
    leaves_out(
        Filter {
            scores: -100..=200,
            ..all.clone()
        },
        &records,
        Reason::Score,
        |record| record.score < -100 || record.score > 200,
    );
    leaves_out(
        Filter {
            plies: 16..=60,
            ..all.clone()
        },
        &records,
        Reason::Ply,
        |record| record.ply < 16 || record.ply > 60,
    );
    leaves_out(
        Filter {
            pieces: 5..=28,
            ..all
        },
        &records,
        Reason::Pieces,
        |record| !(5..=28).contains(&record.position.occupied().len()),
    );
}

#[test]
fn the_first_reason_counts() {
    let mut record = games(72, 1)[0];
    record.score = NO_SCORE;
    let mut sieve = Sieve::new(
        Filter {
            no_score: true,
            scores: 0..=1,
            plies: 500..=501,
            ..Filter::KEEP_ALL
        },
        1,
    );
    assert_eq!(sieve.judge(&record), Some(Reason::NoScore));
    assert_eq!(
        Reason::ALL
            .map(|reason| sieve.left_out(reason))
            .iter()
            .sum::<u64>(),
        1
    );
}

#[test]
fn one_in_four_is_kept_at_random() {
    let records = games(73, 200);
    let filter = Filter {
        one_in: NonZeroU32::new(4).unwrap(),
        ..Filter::KEEP_ALL
    };
    let (left, count) = sieved(filter.clone(), &records, Reason::OneIn);
    let share = left.len() as f64 / records.len() as f64;
    assert!((share - 0.25).abs() < 0.02, "{share}");
    assert_eq!(left.len() + count as usize, records.len());
    assert_eq!(
        sieved(filter, &records, Reason::OneIn).0,
        left,
        "the same seed"
    );
}

#[test]
fn unlikely_outcomes_are_left_out() {
    let quiet = games(74, 100).into_iter().map(|record| Record {
        score: 900,
        ply: 64,
        ..record
    });
    let records: Vec<Record> = quiet.collect();
    let filter = Filter {
        win_rate: Some(WinRate::TRAINERS),
        ..Filter::KEEP_ALL
    };
    assert!(filter.needs_plies() && !filter.needs_moves());
    let (left, _) = sieved(filter, &records, Reason::WinRate);
    let share = |outcome| {
        let count = |records: &[Record]| {
            records
                .iter()
                .filter(|record| record.outcome == outcome)
                .count() as f64
        };
        count(&left) / count(&records)
    };
    for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
        let expected = WinRate::TRAINERS.chance(900, 64, outcome);
        assert!(
            (share(outcome) - expected).abs() < 0.03,
            "{outcome:?}: {} of {expected}",
            share(outcome)
        );
    }
}
