//! Formats of 32 bytes a record.

use nnue_data::{Color, Outcome, Record, WriteError, bullet, marlin};

use crate::games::games;
use crate::harm::{self, every_cut, flipped_bytes};

pub(crate) fn bullet(records: &[Record]) -> Vec<u8> {
    let mut writer = bullet::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

pub(crate) fn marlin(records: &[Record]) -> Vec<u8> {
    let mut writer = marlin::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

fn read_bullet(bytes: &[u8]) -> harm::Read {
    bullet::Reader::new(bytes).collect()
}

fn read_marlin(bytes: &[u8]) -> harm::Read {
    marlin::Reader::new(bytes).collect()
}

fn whole(read: harm::Read) -> Vec<Record> {
    read.into_iter().map(|record| record.unwrap()).collect()
}

fn record(fen: &str) -> Record {
    Record {
        position: fen.parse().unwrap(),
        score: -30,
        outcome: Outcome::Win,
        ply: 41,
        mv: None,
    }
}

/// What the independent crate makes of the text of a record is what we write.
#[test]
fn bulletformat_is_that_of_its_crate() {
    let records = games(21, 40);
    for (record, bytes) in records.iter().zip(bullet(&records).chunks(32)) {
        let color = record.position.side_to_move();
        let outcome = record.outcome.relative_to(color).points();
        let Some(score) = record.white_score() else {
            continue;
        };
        let text = format!("{} | {score} | {outcome:.1}", record.fen());
        let theirs: bulletformat::ChessBoard = text.parse().unwrap();
        assert_eq!(bytes[..8], theirs.occ.to_le_bytes(), "{text}");
        assert_eq!(bytes[8..24], theirs.pcs, "{text}");
        assert_eq!(bytes[24..26], theirs.score.to_le_bytes(), "{text}");
        assert_eq!(
            bytes[26..],
            [theirs.result, theirs.ksq, theirs.opp_ksq, 0, 0, 0],
            "{text}"
        );
    }
}

#[test]
fn bulletformat_is_read_as_it_was_written() {
    let bytes = bullet(&games(22, 40));
    let found = whole(read_bullet(&bytes));
    assert!(
        found
            .iter()
            .all(|record| record.position.side_to_move() == Color::White && record.mv.is_none())
    );
    assert_eq!(bullet(&found), bytes);
}

#[test]
fn bulletformat_turns_the_board() {
    let found = whole(read_bullet(&bullet(&[record(
        "4k3/4p3/8/8/8/8/8/R3K3 b Q - 0 21",
    )])));
    assert_eq!(found[0].fen(), "r3k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    assert_eq!((found[0].score, found[0].outcome), (-30, Outcome::Win));
}

#[test]
fn marlinformat_is_read_as_it_was_written() {
    let mut records = games(23, 40);
    records.retain(|record| record.score != i16::MIN);
    assert!(records.len() > 100);
    records.iter_mut().for_each(|record| record.mv = None);
    assert_eq!(whole(read_marlin(&marlin(&records))), records);
}

#[test]
fn every_cut_keeps_what_is_whole() {
    let records = whole(read_bullet(&bullet(&games(24, 1)[..10])));
    every_cut(&bullet(&records), &records, read_bullet, |end| {
        end % 32 == 0
    });
    every_cut(&marlin(&records), &records, read_marlin, |end| {
        end % 32 == 0
    });
}

#[test]
fn flipped_bytes_do_no_harm() {
    let records = games(25, 4);
    assert!(flipped_bytes(&bullet(&records), 4000, read_bullet) > 2000);
    assert!(flipped_bytes(&marlin(&records), 4000, read_marlin) > 2000);
}

#[test]
fn faults_are_told_with_their_place() {
    let bytes = bullet(&games(26, 1)[..2]);
    let told = |at: usize, value: u8| {
        let mut bytes = bytes.clone();
        bytes[32 + at] = value;
        let mut found = read_bullet(&bytes);
        assert!(found.len() == 2 && found[0].is_ok());
        found.remove(1).unwrap_err().to_string()
    };
    assert_eq!(
        told(8, 0x77),
        "record 2, byte 32: the piece on square 0 has the unknown code 7"
    );
    assert_eq!(
        told(26, 3),
        "record 2, byte 32: the outcome has the unknown code 3"
    );
    assert_eq!(
        told(27, 0),
        "record 2, byte 32: the own king is on square 4, and not on 0 as written beside the board"
    );
    let error = read_bullet(&bytes[..40]).remove(1).unwrap_err().to_string();
    assert_eq!(
        error,
        "record 2, byte 40: the file ends here, 24 bytes before the end of the record"
    );

    let mut bytes = marlin(&[record("4k3/8/8/8/8/8/4P3/4K3 b - - 0 21")]);
    bytes[24] = 0x80 | 70;
    assert_eq!(
        read_marlin(&bytes).remove(0).unwrap_err().to_string(),
        "record 1, byte 0: square number 70, where there are only 64"
    );
    bytes[24] = 0x80 | 64;
    bytes[28..30].copy_from_slice(&i16::MIN.to_le_bytes());
    let error = read_marlin(&bytes).remove(0).unwrap_err().to_string();
    assert_eq!(error, "record 1, byte 0: the score -32768 has no opposite");
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut writer = marlin::Writer::new(Vec::new());
    let record = record("4k3/8/8/8/8/8/4P3/4K3 b - - 0 21");
    let error = writer
        .write(&Record {
            score: nnue_data::NO_SCORE,
            ..record
        })
        .unwrap_err();
    assert!(
        matches!(error, WriteError::NoScore("marlinformat")) && error.is_incomplete(),
        "{error}"
    );
    let error = writer
        .write(&Record {
            score: i16::MIN,
            ..record
        })
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "marlinformat has scores from White's point of view, and -32768 has no opposite"
    );
    let error = writer
        .write(&Record {
            ply: 140_000,
            ..record
        })
        .unwrap_err()
        .to_string();
    assert_eq!(error, "move number 70001 does not fit: at most 65535 do");
    assert_eq!(writer.finish().unwrap(), b"");
}
