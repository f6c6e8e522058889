//! Viriformat.

use nnue_data::{Color, Record, WriteError, viri};
use viriformat::dataformat::{Filter, Game};

use crate::games::games;
use crate::harm::{self, every_cut, flipped_bytes};
use crate::{binpack, fixed};

/// The example of the format's description, which shows the two pieces of a byte in the other order than the crate writes them.
const KNOWN: &str = "
    ffff 0000 0000 ffff 1642 2561 0000 0000 8888 8888 9eca ade9 40 00 0100 0000 02 00
    0c07 0a00 3409 1400 c309 e2ff 3c0d ff7f 2709 ff7f 0000 0000";

fn bytes(hexadecimal: &str) -> Vec<u8> {
    let digits: Vec<u8> = hexadecimal
        .chars()
        .filter_map(|digit| digit.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

fn written(records: &[Record]) -> Vec<u8> {
    let mut writer = viri::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

fn read(bytes: &[u8]) -> harm::Read {
    viri::Reader::new(bytes).collect()
}

/// Random games with scores that have an opposite.
fn storable(seed: u64, count: usize) -> Vec<Record> {
    let mut records = games(seed, count);
    records
        .iter_mut()
        .for_each(|record| record.score = record.score.max(-32767));
    records
}

fn keep<T, E>(all: &mut Vec<T>, one: T) -> Result<(), E> {
    all.push(one);
    Ok(())
}

#[test]
fn the_known_game_has_its_moves_and_scores() {
    let known = bytes(KNOWN);
    let records: Vec<Record> = read(&known).into_iter().map(Result::unwrap).collect();
    let moves: Vec<String> = records
        .iter()
        .map(|record| record.mv.unwrap().to_uci(&record.position))
        .collect();
    assert_eq!(moves, ["e2e4", "e7e5", "d1h5", "e8e7", "h5e5"]);
    let scores: Vec<i16> = records
        .iter()
        .map(|record| record.white_score().unwrap())
        .collect();
    assert_eq!(scores, [10, 20, -30, 32767, 32767]);
    assert!(records.iter().all(|record| {
        record
            .outcome
            .relative_to(record.position.side_to_move())
            .points()
            == 1.0
    }));
    assert_eq!(written(&records), known);
}

#[test]
fn games_are_read_as_they_were_written() {
    let records: Vec<Record> = storable(31, 40)
        .into_iter()
        .filter(|record| record.ply % 2 == record.position.side_to_move() as u32)
        .collect();
    let found: Vec<Record> = read(&written(&records))
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(found, records);
}

/// The crate of the format reads our games, with legality checked, and packs each position as we do.
#[test]
fn games_are_those_of_the_crate() {
    let records: Vec<Record> = storable(32, 12)
        .into_iter()
        .filter(|record| record.ply % 2 == record.position.side_to_move() as u32)
        .collect();
    let bytes = written(&records);
    let mut input = &bytes[..];
    let mut ours = records.iter();
    while !input.is_empty() {
        let game = Game::deserialise_from(&mut input, Vec::new()).unwrap();
        let (mut boards, mut seen) = (Vec::new(), Vec::new());
        game.splat_to_marlinformat(
            |board| keep(&mut boards, board.as_bytes()),
            &Filter::UNRESTRICTED,
        )
        .unwrap();
        game.splat_to_bulletformat(|board| keep(&mut seen, board), &Filter::UNRESTRICTED)
            .unwrap();
        for (theirs, board) in boards.iter().zip(seen) {
            let record = ours.next().unwrap();
            let mut marlin = fixed::marlin(&[*record]);
            // the crate has an en passant square in other cases
            marlin[24] = theirs[24];
            assert_eq!(marlin, theirs, "{}", record.fen());
            let bullet = fixed::bullet(&[*record]);
            assert_eq!(
                (&bullet[..8], &bullet[8..24]),
                (&board.occ.to_le_bytes()[..], &board.pcs[..]),
                "{}",
                record.fen()
            );
            assert_eq!(
                bullet[24..29],
                [
                    board.score.to_le_bytes().to_vec(),
                    vec![board.result, board.ksq, board.opp_ksq]
                ]
                .concat()
            );
        }
    }
    assert_eq!(ours.next(), None);
}

/// Two formats of games say the same.
#[test]
fn binpack_and_back() {
    let records = storable(33, 40);
    let from_binpack: Vec<Record> = binpack::read(&binpack::written(&records))
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(written(&from_binpack), written(&records));
}

#[test]
fn every_cut_keeps_what_is_whole() {
    let games = [storable(34, 1), storable(35, 1), storable(36, 1)];
    let bytes = written(&games.concat());
    let ends = [0, 1, 2].map(|games_before| written(&games[..games_before].concat()).len());
    every_cut(&bytes, &games.concat(), read, |end| ends.contains(&end));
}

#[test]
fn flipped_bytes_do_no_harm() {
    assert!(flipped_bytes(&written(&storable(35, 6)), 4000, read) > 1000);
}

#[test]
fn a_damaged_game_does_not_end_the_file() {
    let games = [storable(36, 1), storable(37, 1), storable(38, 1)];
    let files = games.clone().map(|game| written(&game));
    let begin = files[0].len();
    let mut bytes = files.concat();
    bytes[begin + 36..begin + 38].copy_from_slice(&(1u16 | 2 << 6).to_le_bytes()); // b1c1, a bishop's square
    let found = read(&bytes);
    assert_eq!(found.len(), games[0].len() + 1 + 1 + games[2].len());
    let error = found[games[0].len() + 1].as_ref().unwrap_err().to_string();
    let at = begin + 36;
    assert!(
        error.starts_with(&format!("game 2, byte {at}: the move ")),
        "{error}"
    );
}

#[test]
fn what_has_no_move_or_score_is_refused() {
    let record = games(39, 1)[0];
    let mut writer = viri::Writer::new(Vec::new());
    let error = writer.write(&Record { mv: None, ..record }).unwrap_err();
    assert!(
        matches!(error, WriteError::NoMove("viriformat")) && error.is_incomplete(),
        "{error}"
    );
    let error = writer
        .write(&Record {
            score: nnue_data::NO_SCORE,
            ..record
        })
        .unwrap_err();
    assert!(error.is_incomplete(), "{error}");
    assert_eq!(writer.finish().unwrap(), b"");
    assert_eq!(record.position.side_to_move(), Color::White);
}
