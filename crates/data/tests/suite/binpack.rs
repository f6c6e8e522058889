//! Binpack: chains, chunks, and what is wrong with them.

use std::io::{self, Read};

use nnue_data::binpack::{self, Reader, Writer};
use nnue_data::{Fault, Move, NO_SCORE, Outcome, Position, ReadError, Record, Unit, WriteError};

use crate::games::{game, games};
use crate::harm::{self, every_cut, flipped_bytes};

pub(crate) fn written(records: &[Record]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    for record in records {
        writer.write(record).unwrap();
    }
    writer.finish().unwrap()
}

pub(crate) fn read(bytes: &[u8]) -> harm::Read {
    Reader::new(bytes).collect()
}

fn told(bytes: &[u8]) -> String {
    read(bytes)
        .into_iter()
        .find_map(Result::err)
        .expect("an error")
        .to_string()
}

fn record(fen: &str, uci: &str) -> Record {
    let position: Position = fen.parse().unwrap();
    let mv = Some(Move::from_uci(uci, &position).unwrap());
    Record {
        position,
        score: 7,
        outcome: Outcome::Win,
        ply: 20,
        mv,
    }
}

#[test]
fn games_are_read_as_they_were_written() {
    let records = games(1, 400);
    let bytes = written(&records);
    let found: Result<Vec<Record>, ReadError> = Reader::new(&bytes[..]).collect();
    assert_eq!(found.unwrap(), records);
    assert!(
        bytes.len() < records.len() * 4,
        "{} bytes for {} records",
        bytes.len(),
        records.len()
    );
    assert_eq!(written(&records), bytes);
}

/// A record of a game of one ply, byte by byte, from the description of the format.
#[test]
fn bytes_of_a_known_record() {
    let first = record("4k3/8/8/8/8/8/4P3/4K3 w - - 5 1", "e2e4");
    let after = first.position.play(first.mv.unwrap()).unwrap();
    let second = Record {
        position: after,
        score: -9,
        outcome: Outcome::Loss,
        ply: 21,
        mv: Some(Move::from_uci("e8e7", &after).unwrap()),
    };
    let mut expected = b"BINP\x23\0\0\0".to_vec();
    expected.extend([0x10, 0, 0, 0, 0, 0, 0x10, 0x10]); // e8, e2, e1
    expected.extend([0x0A, 0x0B, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]); // king 10, pawn 0, black king 11
    expected.extend([0x0C, 0x70, 0, 14, 0x80, 20, 0, 5]); // 12 << 8 | 28 << 2; 7; 2 << 14 | 20; 5
    expected.extend([0, 1]); // one entry
    expected.push(0b0010_0011); // 001: square 1 of 5; 0: no further group; 0011: zig-zag of -9 + 7
    assert_eq!(written(&[first, second]), expected);
    assert_eq!(
        read(&expected)
            .into_iter()
            .map(Result::unwrap)
            .collect::<Vec<_>>(),
        [first, second]
    );
}

#[test]
fn a_record_without_a_move_or_a_score_is_kept() {
    let mut records = games(2, 4);
    records[3].mv = None;
    records[5].score = NO_SCORE;
    records[7].outcome = records[7].outcome.flipped();
    records[9].ply += 3;
    let found: Result<Vec<Record>, ReadError> = Reader::new(&written(&records)[..]).collect();
    assert_eq!(found.unwrap(), records);
}

#[test]
fn chunks_end_at_a_mebibyte() {
    let records = games(3, 8000);
    let bytes = written(&records);
    let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    assert!((1 << 20..(1 << 20) + 1000).contains(&size), "{size}");
    assert_eq!(&bytes[8 + size..][..4], b"BINP");
    assert_eq!(read(&bytes).len(), records.len());
}

#[test]
fn files_may_be_concatenated() {
    let (one, other) = (games(4, 3), games(5, 3));
    let bytes = [written(&one), written(&other)].concat();
    let found: Vec<Record> = read(&bytes).into_iter().map(Result::unwrap).collect();
    assert_eq!(found, [one, other].concat());
}

#[test]
fn every_cut_keeps_what_is_whole() {
    let records = games(6, 6);
    let bytes = written(&records);
    every_cut(&bytes, &records, read, |end| end == 0);
    let (last, kept) = (read(&bytes[..bytes.len() - 1]), records.len() - 1);
    assert_eq!(last.iter().filter(|record| record.is_ok()).count(), kept);
    let Some(Err(ReadError::Damaged { place, fault })) = last.last() else {
        panic!("an error")
    };
    assert_eq!(
        (
            place.number,
            *fault
                == Fault::Cut {
                    missing: 1,
                    unit: Unit::Chunk
                }
        ),
        (1, true),
        "{fault}"
    );
}

#[test]
fn flipped_bytes_do_no_harm() {
    let bytes = written(&games(7, 30));
    let told = flipped_bytes(&bytes, 4000, read);
    assert!(told > 2000, "{told}");
}

/// The second of three chunks is damaged.
#[test]
fn reading_goes_on_with_the_next_chunk() {
    let chunks = [
        written(&games(8, 2)),
        written(&games(9, 2)),
        written(&games(10, 2)),
    ];
    let whole = chunks.clone().map(|chunk| read(&chunk).len());
    let mut bytes = chunks.concat();
    let begin = chunks[0].len();
    bytes[begin + 8..begin + 16].fill(0); // no piece on the board
    let found = read(&bytes);
    assert_eq!(found.len(), whole[0] + 1 + whole[2]);
    let error = found[whole[0]].as_ref().unwrap_err().to_string();
    assert_eq!(
        error,
        format!("chunk 2, byte {}: 0 white kings instead of one", begin + 8)
    );
}

/// A file that was cut, as by an interrupted download, with whole files after it: the size in its header reaches into them.
#[test]
fn a_chunk_inside_a_damaged_one_is_found() {
    let (one, other) = (games(11, 3), games(12, 3));
    let (first, second) = (written(&one), written(&other));
    for cut in [1, 9, first.len() / 2, first.len() - 9, first.len() - 2] {
        let begin = &first[..first.len() - cut];
        let bytes = [begin, &second, &second].concat();
        let found = read(&bytes);
        let faults = found.iter().filter(|record| record.is_err()).count();
        assert!(faults > 0, "{cut}");
        let whole: Vec<Record> = found.into_iter().flatten().collect();
        assert!(
            whole.ends_with(&[other.clone(), other.clone()].concat()),
            "{cut}"
        );
    }
}

#[test]
fn a_chunk_after_other_bytes_is_found() {
    let records = games(13, 2);
    let bytes = [&b"<html>404</html>"[..], &written(&records)].concat();
    let mut found = read(&bytes).into_iter();
    let error = found.next().unwrap().unwrap_err().to_string();
    assert_eq!(
        error,
        "chunk 1, byte 0: `<htm` instead of `BINP`, with which a chunk begins"
    );
    assert!(found.map(Result::unwrap).eq(records));
}

#[test]
fn faults_are_told_with_their_place() {
    assert_eq!(
        told(b"BIN"),
        "chunk 1, byte 3: the file ends here, 5 bytes before the end of the chunk"
    );
    assert_eq!(
        told(b"BINP\0\0\0\x7f"),
        "chunk 1, byte 4: a chunk of 2130706432 bytes: at most 104857600 are accepted"
    );
    assert_eq!(
        told(b"BINP\x09\0\0\0x"),
        "chunk 1, byte 9: the file ends here, 8 bytes before the end of the chunk"
    );
    assert_eq!(
        told(b"BINP\x01\0\0\0x"),
        "chunk 1, byte 9: the chunk ends here, in the midst of a chain of positions"
    );
    let mut bytes = written(&games(11, 1));
    bytes[16] |= 0xF0;
    assert!(
        told(&bytes).starts_with("chunk 1, byte 8: "),
        "{}",
        told(&bytes)
    );
    let mut bytes = written(&[record("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4")]);
    bytes[8 + 25] = 0xFC; // to h8
    assert_eq!(
        told(&bytes),
        "chunk 1, byte 8: the move e2h8 cannot be made in this position"
    );
    // a right of the rook on h1 and the king on d1
    let mut king_moved = written(&[record("4k3/8/8/8/8/8/8/3K3R w - - 0 1", "h1h2")]);
    king_moved[16] = 0xDA;
    assert_eq!(
        told(&king_moved),
        "chunk 1, byte 8: a castling right for h1, where no rook stands with which a king on its first rank could castle"
    );
    bytes[8 + 24..8 + 26].fill(0);
    bytes[8 + 33] = 1;
    assert_eq!(
        told(&bytes),
        "chunk 1, byte 8: positions follow a null move"
    );
}

#[test]
fn a_header_that_lies_takes_no_memory() {
    let mut bytes = written(&games(12, 1));
    bytes[4..8].copy_from_slice(&(100u32 << 20).to_le_bytes());
    struct Endless;
    impl Read for Endless {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("a broken disk"))
        }
    }
    let found: harm::Read = Reader::new(bytes.chain(Endless)).collect();
    assert_eq!(
        found.last().unwrap().as_ref().unwrap_err().to_string(),
        "cannot read: a broken disk"
    );
    assert_eq!(found.len(), 1);
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut writer = Writer::new(Vec::new());
    let late = Record {
        ply: 16384,
        ..record("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4")
    };
    let error = writer.write(&late).unwrap_err();
    assert_eq!(
        error.to_string(),
        "ply 16384 does not fit: at most 16383 do"
    );
    let other = record("4k3/8/8/8/8/8/8/1R2K2R w KQ - 0 1", "e1e2");
    let error = writer.write(&other).unwrap_err();
    assert!(
        matches!(
            error,
            WriteError::Chess960 {
                format: "binpack",
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(writer.finish().unwrap(), b"");
}

/// Rights that the format cannot express are removed, and all that follows without them is written as a chain.
#[test]
fn castling_of_chess960_is_removed_where_that_is_asked_for() {
    let fen = "nrbknbrq/pppppppp/8/8/8/8/PPPPPPPP/NRBKNBRQ w GBgb - 0 1";
    let mut random = fastrand::Rng::with_seed(35);
    let records = game(&mut random, fen, 30);
    let stripped: Vec<Record> = records
        .iter()
        .filter_map(binpack::without_chess960)
        .collect();
    assert!(stripped.len() >= 29, "at most one castling of each game");
    assert!(
        stripped
            .iter()
            .all(|record| record.position.castling().is_empty())
    );
    let mut writer = binpack::Writer::new(Vec::new());
    for record in &stripped {
        writer.write(record).unwrap();
    }
    let bytes = writer.finish().unwrap();
    let found: Result<Vec<Record>, _> = binpack::Reader::new(&bytes[..]).collect();
    assert_eq!(found.unwrap(), stripped);

    let castling = "1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1";
    let position: nnue_data::Position = castling.parse().unwrap();
    let mv = nnue_data::Move::from_uci("c1f1", &position).unwrap();
    assert_eq!(mv.kind, nnue_data::MoveKind::Castling);
    let record = |mv| Record {
        position,
        mv,
        score: 5,
        outcome: nnue_data::Outcome::Draw,
        ply: 0,
    };
    assert_eq!(binpack::without_chess960(&record(Some(mv))), None);
    let usual: nnue_data::Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().unwrap();
    let usual = Record {
        position: usual,
        ..record(None)
    };
    assert_eq!(binpack::without_chess960(&usual), Some(usual));
}
