//! Any bytes as training data, in any format: typed errors, and records that are read again as they are written.
//!
//! The first byte chooses the format. If the second is 0, the rest is a file. Otherwise the rest is a list of changes to a valid file, each
//! of three bytes: the offset (two bytes) and the value. A remaining byte at the end cuts the file.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use nnue_data::filter::{Filter, Sieve};
use nnue_data::shuffle::Shuffler;
use nnue_data::win_rate::WinRate;
use nnue_data::{Format, Reader, Record, Split, Stats, Writer};

/// Castling, en passant, promotion, captures, and positions that do not follow from each other.
const GAMES: &str = r#"[Result "1-0"]

1. e4 { [%eval 0.3] } e6 { [%eval 0.2] } 2. e5 { [%eval 0.1] } d5 { [%eval 0.4] } 3. exd6 { [%eval 0.5] } Bxd6 { [%eval 0.4] }
4. Nf3 { [%eval 0.3] } Nf6 { [%eval 0.2] } 5. Be2 { [%eval 0.1] } O-O { [%eval 0.3] } 6. O-O { [%eval 3.3] } 1-0

[Result "1/2-1/2"]
[FEN "r3k2r/1P6/8/8/8/8/6p1/R3K2R w KQkq - 7 40"]

40. bxa8=Q+ { [%eval 5.0] } Ke7 { [%eval 4.5] } 41. Qxh8 { [%eval #12] } g1=N { [%eval #11] } 1/2-1/2
"#;

static GOOD: LazyLock<[Vec<u8>; Format::ALL.len()]> = LazyLock::new(|| {
    let records: Vec<Record> = Reader::new(Format::Pgn, GAMES.as_bytes())
        .map(|record| record.expect("a game"))
        .collect();
    Format::ALL.map(|format| written(format, &records))
});

/// The records in a format, but for those that it has no room for.
fn written(format: Format, records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(format, Vec::new());
    for record in records {
        if let Err(error) = writer.write(record) {
            assert!(error.is_incomplete(), "{format}: {error}");
        }
    }
    writer.finish().expect("a vector takes everything")
}

fn check(format: Format, file: &[u8]) {
    let mut records = Vec::new();
    for record in Reader::new(format, file) {
        match record {
            Ok(record) => records.push(record),
            Err(error) => assert!(!error.to_string().contains('\n')),
        }
    }
    assert!(records.len() <= file.len() * 8);
    let again: Result<Vec<Record>, _> =
        Reader::new(format, &written(format, &records)[..]).collect();
    records.retain(|record| {
        format == Format::Binpack || format == Format::Plain || record.score().is_some()
    });
    assert_eq!(
        again.expect("what was written is whole"),
        records,
        "{format}"
    );
    work(&records);
}

/// What is done with records before training.
fn work(records: &[Record]) {
    let filter = Filter {
        check: true,
        captures: true,
        win_rate: Some(WinRate::TRAINERS),
        ..Filter::KEEP_ALL
    };
    let (mut sieve, mut stats, mut split) =
        (Sieve::new(filter, 1), Stats::default(), Split::new(0.5, 1));
    let mut shuffler = Shuffler::new(".", usize::MAX, 1);
    for record in records {
        sieve.judge(record);
        stats.add(record);
        split.holds_out(record);
        shuffler.push(record).expect("memory for all");
    }
    assert_eq!(stats.records, records.len() as u64);
    let shuffled: Vec<Record> = shuffler
        .finish()
        .map(|record| record.expect("a record"))
        .collect();
    assert!(
        shuffled.len() == records.len() && records.iter().all(|record| shuffled.contains(record))
    );
}

fuzz_target!(|data: &[u8]| {
    let [choice, kind, rest @ ..] = data else {
        return;
    };
    let index = usize::from(*choice) % Format::ALL.len();
    if *kind == 0 {
        return check(Format::ALL[index], rest);
    }
    let mut file = GOOD[index].clone();
    let mut changes = rest.chunks_exact(3);
    for change in &mut changes {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % file.len();
        file[at] = change[2];
    }
    if let [cut, ..] = changes.remainder() {
        file.truncate(file.len() * usize::from(*cut) / 256);
    }
    check(Format::ALL[index], &file);
});
