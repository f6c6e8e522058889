//! Published data, whose terms keep them out of the repository. The environment variable `NNUE_DATA` names the folder that contains
//! `small.binpack`. Without it these tests print that they check nothing, and pass.

use std::fs;
use std::path::PathBuf;

use nnue_data::binpack::{Reader, Writer};
use nnue_data::filter::{Filter, Sieve};
use nnue_data::{Outcome, ReadError, Record, Stats};

use crate::binpack::{read, written};
use crate::harm::{every_cut, flipped_bytes};

/// The bytes of `small.binpack`.
fn small() -> Option<Vec<u8>> {
    let Some(folder) = std::env::var_os("NNUE_DATA") else {
        println!("not run: NNUE_DATA does not name a folder with small.binpack");
        return None;
    };
    let path = PathBuf::from(folder).join("small.binpack");
    Some(fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

#[test]
fn small_binpack_has_the_known_records_and_is_written_again() {
    let Some(bytes) = small() else { return };
    let (mut count, mut sum, mut fillers, mut outcomes) = (0u32, 0, 0u32, [0; 3]);
    let mut writer = Writer::new(Vec::with_capacity(bytes.len()));
    for record in Reader::new(&bytes[..]) {
        let record = record.unwrap();
        count += 1;
        match record.score() {
            Some(score) => sum += i64::from(score),
            None => fillers += 1,
        }
        outcomes[record.outcome as usize] += 1;
        writer.write(&record).unwrap();
    }
    assert_eq!((count, fillers), (434_921, 10_200));
    assert_eq!(outcomes, [133_642, 167_663, 133_616]);
    assert_eq!(outcomes[Outcome::Draw as usize], 167_663);
    let mean = sum as f64 / f64::from(count - fillers);
    assert_eq!(format!("{mean:.2}"), "205.53");
    assert!(
        writer.finish().unwrap() == bytes,
        "other bytes than those that were read"
    );
}

/// An interrupted download, and four whole files after it.
#[test]
fn whole_files_after_a_cut_one_are_read() {
    let Some(bytes) = small() else { return };
    let all = [&bytes[..700_001], &bytes, &bytes, &bytes, &bytes].concat();
    let (mut count, mut faults) = (0u32, 0);
    for record in Reader::new(&all[..]) {
        match record {
            Ok(_) => count += 1,
            Err(_) => faults += 1,
        }
    }
    assert!(count >= 4 * 434_921, "{count}");
    assert_eq!(faults, 1);
}

/// Its first 400 records, cut everywhere and with changed bytes.
#[test]
fn damaged_beginnings_of_small_binpack_do_no_harm() {
    let Some(bytes) = small() else { return };
    let records: Result<Vec<Record>, ReadError> = Reader::new(&bytes[..]).take(400).collect();
    let records = records.unwrap();
    let prefix = written(&records);
    assert_eq!(prefix[8..prefix.len() / 2], bytes[8..prefix.len() / 2]);
    every_cut(&prefix, &records, read, |end| end == 0);
    assert!(flipped_bytes(&prefix, 4000, read) > 1000);
}

/// The counts of the description of the file.
#[test]
fn small_binpack_is_filtered_as_others_filter_it() {
    let Some(bytes) = small() else { return };
    let filter = Filter {
        no_score: true,
        check: true,
        captures: true,
        promotions: true,
        scores: -10_000..=10_000,
        ..Filter::KEEP_ALL
    };
    let (mut sieve, mut stats, mut left) = (Sieve::new(filter, 1), Stats::default(), 0);
    for record in Reader::new(&bytes[..]) {
        let record = record.unwrap();
        stats.add(&record);
        left += u32::from(sieve.judge(&record).is_none());
    }
    assert_eq!(left, 294_955);
    assert_eq!(stats.scores, Some((-26624, 26624)));
    assert_eq!(
        stats
            .mean_score()
            .map(|mean| format!("{mean:.2}"))
            .as_deref(),
        Some("205.53")
    );
    assert!(
        stats.games.abs_diff(4304) < 100,
        "{} games of 4304 chains",
        stats.games
    );
}
