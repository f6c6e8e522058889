//! Shuffling, interleaving, splitting.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use nnue_data::policy::PolicyRecord;
use nnue_data::shuffle::{MemoryTooSmall, Shuffler};
use nnue_data::{Games, Interleave, NO_SCORE, Outcome, PliesLeft, ReadError, Record, Split};

use crate::games::games;

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// Records whose score is their number.
fn numbered(count: i16) -> Vec<Record> {
    let record = games(81, 1)[0];
    (0..count).map(|score| Record { score, ..record }).collect()
}

fn shuffled(records: &[Record], memory: usize, seed: u64, folder: &PathBuf) -> Vec<Record> {
    let mut shuffler = Shuffler::new(folder, memory, seed);
    for record in records {
        shuffler.push(record).unwrap();
    }
    let shuffled = shuffler.finish();
    assert_eq!(shuffled.remaining(), records.len() as u64);
    shuffled.map(Result::unwrap).collect()
}

fn scores(records: &[Record]) -> Vec<i16> {
    records.iter().map(|record| record.score).collect()
}

#[test]
fn shuffling_keeps_every_record_as_it_is() {
    let folder = folder("keeps");
    let mut records = games(82, 20);
    records[0].mv = None;
    records[1].score = NO_SCORE;
    records[2].ply = 100_000;
    for memory in [100 * 36, 1 << 14, 1 << 30] {
        let mut found = shuffled(&records, memory, 3, &folder);
        assert_ne!(found, records);
        assert_eq!(
            found,
            shuffled(&records, memory, 3, &folder),
            "the same seed"
        );
        assert_ne!(
            found,
            shuffled(&records, memory, 4, &folder),
            "another seed"
        );
        let mut expected = records.clone();
        let key = |record: &Record| format!("{record:?}");
        found.sort_by_key(key);
        expected.sort_by_key(key);
        assert_eq!(found, expected, "{memory} bytes of memory");
    }
    assert_eq!(
        fs::read_dir(&folder).unwrap().count(),
        0,
        "temporary files are left"
    );
}

/// Each of the 24 orders of four records comes about as often, with memory for two of them.
#[test]
fn every_order_is_as_likely() {
    let folder = folder("likely");
    let records = numbered(4);
    let mut orders = BTreeMap::new();
    const TIMES: u64 = 4800;
    for seed in 0..TIMES {
        *orders
            .entry(scores(&shuffled(&records, 2 * 36, seed, &folder)))
            .or_insert(0u64) += 1;
    }
    assert_eq!(orders.len(), 24);
    let expected = TIMES as f64 / 24.0;
    let chi_square: f64 = orders
        .values()
        .map(|&found| (found as f64 - expected).powi(2) / expected)
        .sum();
    // 23 degrees of freedom: above 49.7 once in a thousand
    assert!(chi_square < 49.7, "{chi_square}: {orders:?}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let mut shuffler = Shuffler::new("no/such/folder", 0, 1);
    let record = games(83, 1)[0];
    shuffler.push(&record).unwrap();
    assert_eq!(
        shuffler.push(&record).unwrap_err().kind(),
        std::io::ErrorKind::NotFound
    );
}

#[test]
fn interleaving_keeps_games_whole() {
    let sources: Vec<Vec<Record>> = (0..3u64).map(|index| games(84 + index, 40)).collect();
    let total: usize = sources.iter().map(Vec::len).sum();
    let readers = sources
        .iter()
        .zip([1.0, 2.0, 1.0])
        .map(|(source, weight)| (source.iter().copied().map(Ok), weight));
    let mixed: Vec<Record> = Interleave::new(readers, 1)
        .map(|record: Result<Record, ReadError>| record.unwrap())
        .collect();
    assert_eq!(mixed.len(), total);
    let count = |records: &[Record]| {
        let mut games = Games::default();
        records.iter().filter(|record| games.begins(record)).count()
    };
    let apart: usize = sources.iter().map(|source| count(source)).sum();
    assert!(
        count(&mixed).abs_diff(apart) <= 3,
        "{} games instead of {apart}",
        count(&mixed)
    );
    // the source with twice the weight is used up first
    let last = |source: &[Record]| {
        mixed
            .iter()
            .rposition(|record| Some(record) == source.last())
            .unwrap()
    };
    assert!(last(&sources[1]) < last(&sources[0]).max(last(&sources[2])));
    assert_ne!(mixed, sources.concat());
}

/// Each item comes from a source by its weight; the items of a source stay in order.
#[test]
fn items_without_games_are_merged_one_by_one() {
    let mixed: Vec<i32> = Interleave::item_by_item([(0..600, 2.0), (1000..1300, 1.0)], 1).collect();
    let (second, first): (Vec<i32>, Vec<i32>) = mixed.iter().partition(|item| **item >= 1000);
    assert!(first.into_iter().eq(0..600) && second.into_iter().eq(1000..1300));
    let early = mixed[..300].iter().filter(|item| **item >= 1000).count();
    assert!((70..130).contains(&early), "{early} of the first 300");
    let again: Vec<i32> = Interleave::item_by_item([(0..600, 2.0), (1000..1300, 1.0)], 1).collect();
    assert_eq!(mixed, again);
}

#[test]
fn errors_are_passed_on() {
    let broken = || -> Result<Record, ReadError> { Err(std::io::Error::other("broken").into()) };
    let source = vec![Ok(games(87, 1)[0]), broken()];
    let mixed: Vec<_> = Interleave::new([(source.into_iter(), 1.0)], 1).collect();
    assert_eq!(
        mixed.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn splitting_keeps_games_whole() {
    let records = games(88, 400);
    let (mut games, mut split) = (Games::default(), Split::new(0.25, 5));
    let (mut game, mut held_out, mut sides) = (0, 0, BTreeSet::new());
    for record in &records {
        game += u32::from(games.begins(record));
        let is_out = split.holds_out(record);
        held_out += u32::from(is_out);
        sides.insert((game, is_out));
    }
    assert_eq!(sides.len(), game as usize, "no game is on both sides");
    let share = f64::from(held_out) / records.len() as f64;
    assert!((share - 0.25).abs() < 0.08, "{share}");
}

#[test]
fn nothing_and_everything_can_be_held_out() {
    let records = games(89, 10);
    for (fraction, expected) in [(0.0, false), (1.0, true)] {
        let mut split = Split::new(fraction, 1);
        assert!(
            records
                .iter()
                .all(|record| split.holds_out(record) == expected)
        );
    }
}

/// What is before a fault is given with what is known of its game, and then the fault.
#[test]
fn plies_that_are_left_are_known_up_to_a_fault() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let record = |ply| {
        PolicyRecord::from(Record {
            position,
            score: 0,
            outcome: Outcome::Draw,
            ply,
            mv: None,
        })
    };
    let records = [
        Ok(record(5)),
        Ok(record(6)),
        Ok(record(3)),
        Err("damaged"),
        Ok(record(1)),
        Ok(record(4)),
    ];
    let found: Vec<_> = PliesLeft::new(records.into_iter())
        .map(|next| next.map(|record| record.left))
        .collect();
    assert_eq!(
        found,
        [
            Ok(Some(1)),
            Ok(Some(0)),
            Ok(None),
            Err("damaged"),
            Ok(Some(3)),
            Ok(Some(0))
        ]
    );
}

/// A run is an open file: however little memory there is, no more than 200 are made.
#[test]
fn too_little_memory_for_all_records_is_an_error() {
    let folder = folder("too-little");
    for (memory, records) in [(0, 201), (1, 201), (2 * 36, 402)] {
        let mut shuffler = Shuffler::new(&folder, memory, 1);
        let all = numbered(records + 1);
        let (last, before) = all.split_last().unwrap();
        for record in before {
            shuffler.push(record).unwrap();
        }
        let error = shuffler.push(last).unwrap_err();
        let expected = MemoryTooSmall {
            memory,
            records: records as u64,
        };
        assert_eq!(
            error.get_ref().and_then(|why| why.downcast_ref()),
            Some(&expected)
        );
        assert_eq!(shuffled(before, memory, 1, &folder).len(), before.len());
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
}
