//! Which positions are scored, and how.

use std::num::NonZeroU32;

use nnue_data::rescore::{Treatment, rescore};
use nnue_data::{NO_SCORE, Record};

use crate::common::{Folder, games, output_of, read, scorer, value};

fn scores(records: &[Record]) -> Vec<i16> {
    records.iter().map(|record| record.score).collect()
}

#[test]
fn positions_in_check_keep_their_score_or_are_left_out() {
    let (folder, games) = (Folder::new("checks"), games(11, 40));
    let checks = games
        .iter()
        .filter(|record| record.position.is_check())
        .count();
    assert!(checks > 20, "{checks}");
    let mut job = folder.job(&[folder.records("games.binpack", &games)], "out.plain");
    job.rules.in_check = Treatment::Keep;
    output_of(&job);
    for (found, record) in read(&job.output).iter().zip(&games) {
        let expected = if record.position.is_check() {
            record.score.into()
        } else {
            value(record)
        };
        assert_eq!(i32::from(found.score), expected);
    }
    job.rules.in_check = Treatment::Skip;
    let report = rescore(&job, &scorer(), &()).expect("a report");
    assert_eq!(
        (report.counts.skipped, report.counts.written),
        (checks as u64, (games.len() - checks) as u64)
    );
    let expected: Vec<i16> = games
        .iter()
        .filter(|record| !record.position.is_check())
        .map(|record| value(record) as i16)
        .collect();
    assert_eq!(scores(&read(&job.output)), expected);
}

#[test]
fn fillers_stay_without_a_score_unless_they_are_asked_for() {
    let (folder, mut games) = (Folder::new("fillers"), games(12, 4));
    games
        .iter_mut()
        .step_by(3)
        .for_each(|record| record.score = NO_SCORE);
    let fillers = games.len().div_ceil(3) as u64;
    let mut job = folder.job(&[folder.records("games.binpack", &games)], "out.binpack");
    let report = rescore(&job, &scorer(), &()).expect("a report");
    assert_eq!(
        (report.counts.written, report.counts.scored),
        (games.len() as u64, games.len() as u64 - fillers)
    );
    for (found, record) in read(&job.output).iter().zip(&games) {
        assert_eq!(found.score().is_none(), record.score().is_none());
    }
    // a format that has no room for them
    let mut text = folder.job(&job.inputs, "out.txt");
    let report = rescore(&text, &scorer(), &()).expect("a report");
    assert_eq!(
        (report.counts.no_score, report.counts.written),
        (fillers, games.len() as u64 - fillers)
    );
    text.rules.unscored = Treatment::Score;
    assert_eq!(
        rescore(&text, &scorer(), &())
            .expect("a report")
            .counts
            .written,
        games.len() as u64
    );
    job.rules.unscored = Treatment::Skip;
    assert_eq!(
        rescore(&job, &scorer(), &())
            .expect("a report")
            .counts
            .skipped,
        fillers
    );
}

#[test]
fn values_become_centipawns_and_are_clipped() {
    let (folder, games) = (Folder::new("units"), games(13, 6));
    let mut job = folder.job(&[folder.records("games.binpack", &games)], "out.plain");
    (job.rules.pawn, job.rules.limit) = (NonZeroU32::new(7), 50);
    let report = rescore(&job, &scorer(), &()).expect("a report");
    let wanted: Vec<f64> = games
        .iter()
        .map(|record| (f64::from(value(record)) * 100.0 / 7.0).round())
        .collect();
    let clipped = wanted.iter().filter(|wanted| wanted.abs() > 50.0).count();
    assert!(
        clipped > 0 && clipped < games.len(),
        "{clipped} of {}",
        games.len()
    );
    assert_eq!(report.counts.clipped, clipped as u64);
    let expected: Vec<i16> = wanted
        .iter()
        .map(|wanted| wanted.clamp(-50.0, 50.0) as i16)
        .collect();
    assert_eq!(scores(&read(&job.output)), expected);
}
