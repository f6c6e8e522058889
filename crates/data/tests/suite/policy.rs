//! Records with visits.

use fastrand::Rng;
use nnue_data::policy::{MOST_MOVES, PolicyRecord, Reader, Writer};
use nnue_data::{Move, ReadError, Record, WriteError};

use crate::games::games;
use crate::harm;

/// Records of random games, most of them with visits of some legal moves.
fn records(seed: u64, count: usize) -> Vec<PolicyRecord> {
    let random = &mut Rng::with_seed(seed);
    let record = |record: Record| {
        // marlinformat counts whole moves, and has no score of -32768
        let score = record.score.max(-32767);
        let legal = record.position.legal_moves().expect("a position of a game");
        let some = legal
            .into_iter()
            .filter(|_| random.bool())
            .collect::<Vec<Move>>();
        let some: Vec<(Move, u32)> = some.into_iter().map(|mv| (mv, random.u32(..))).collect();
        PolicyRecord {
            record: Record { score, ..record },
            visits: some.into(),
            left: None,
        }
    };
    games(seed, count)
        .into_iter()
        .filter(|record| record.score().is_some())
        .map(record)
        .collect()
}

fn written(records: &[PolicyRecord]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).expect("it fits"));
    writer.finish().expect("memory can be written")
}

fn without_visits(found: Result<PolicyRecord, ReadError>) -> Result<Record, ReadError> {
    found.map(|found| found.record)
}

#[test]
fn what_is_written_is_read_again() {
    let records = records(1, 40);
    assert!(records.len() > 1000 && records.iter().any(|record| record.visits.len() > 10));
    let read: Vec<PolicyRecord> = Reader::new(&written(&records)[..])
        .collect::<Result<_, _>>()
        .expect("whole");
    assert_eq!(read, records);
}

#[test]
fn records_have_these_bytes() {
    let position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let [push, king] = ["e2e4", "e1d1"].map(|uci| Move::from_uci(uci, &position).unwrap());
    let record = Record {
        position,
        score: 100,
        outcome: nnue_data::Outcome::Win,
        ply: 0,
        mv: Some(push),
    };
    let bytes = written(&[PolicyRecord {
        record,
        visits: [(push, 0x0102_0304), (king, 7)].into(),
        left: None,
    }]);
    assert_eq!(bytes.len(), 36 + 2 * 6);
    assert_eq!(
        bytes[32..],
        [
            0x0c, 0x07, 2, 0, 0x0c, 0x07, 4, 3, 2, 1, 0xc4, 0, 7, 0, 0, 0
        ]
    );
}

#[test]
fn damaged_files_are_told() {
    let records = records(2, 4);
    let bytes = written(&records);
    let mut ends = vec![0];
    ends.extend(records.iter().scan(0, |end, record| {
        *end += 36 + 6 * record.visits.len();
        Some(*end)
    }));
    let expected: Vec<Record> = records.iter().map(|record| record.record).collect();
    let read = |bytes: &[u8]| Reader::new(bytes).map(without_visits).collect();
    let some = &bytes[..ends[12]];
    harm::every_cut(some, &expected, read, |end| ends.contains(&end));
    assert!(harm::flipped_bytes(some, 500, read) > 100);
}

#[test]
fn moves_that_cannot_be_made_are_told() {
    let mut records = records(3, 1);
    records.truncate(1);
    let mut bytes = written(&records);
    bytes[32..34].copy_from_slice(&[63, 0]);
    let error = Reader::new(&bytes[..])
        .next()
        .expect("an error")
        .expect_err("no move")
        .to_string();
    assert_eq!(
        error,
        "record 1, byte 0: the move h8a1 cannot be made in this position"
    );
    let visits = &mut records[0].visits;
    visits[1] = visits[0];
    let mut bytes = written(&[PolicyRecord {
        visits: visits[..1].into(),
        record: records[0].record,
        left: None,
    }]);
    bytes[34] = 2;
    bytes.extend_from_within(36..42);
    let error = Reader::new(&bytes[..])
        .next()
        .expect("an error")
        .expect_err("twice")
        .to_string();
    assert_eq!(
        error,
        format!(
            "record 1, byte 36: the move {} is there twice",
            records[0].visits[0].0
        )
    );
    bytes[34] = MOST_MOVES as u8 + 1;
    let error = Reader::new(&bytes[..])
        .next()
        .expect("an error")
        .expect_err("too many")
        .to_string();
    assert_eq!(
        error,
        "record 1, byte 0: 219 moves, where there are only 218"
    );
    assert!(matches!(
        Writer::new(Vec::new()).write(&records[0]),
        Err(WriteError::Visits { .. })
    ));
}
