//! PGN with evaluations.

use nnue_data::{NO_SCORE, Outcome, Record, pgn};

use crate::games::games;
use crate::harm::{self, flipped_bytes};

fn read(bytes: &[u8]) -> harm::Read {
    pgn::Reader::new(bytes).collect()
}

fn whole(text: &str) -> Vec<Record> {
    read(text.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

fn written(records: &[Record]) -> String {
    let mut writer = pgn::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

const GAME: &str = r#"[Event "a \"quoted\" [name]"]
[Result "0-1"]

1. f3 { [%eval -0.24] [%clk 0:03:00] } 1... e5 $2 (1... d5 2. e4 { [%eval 9.9] }) { [%eval 0.0] }
2. g4?? { [%eval #-1] } ; a comment { to the end of the line
2... Qh4# 0-1
"#;

#[test]
fn a_game_gives_the_positions_with_evaluations() {
    let found = whole(GAME);
    let seen: Vec<_> = found
        .iter()
        .map(|record| {
            (
                record.ply,
                record.score,
                record.outcome,
                record.mv.map(|mv| mv.to_uci(&record.position)),
            )
        })
        .collect();
    let uci = |text: &str| Some(text.to_owned());
    let expected = [
        (1, 24, Outcome::Win, uci("e7e5")),
        (2, 0, Outcome::Loss, uci("g2g4")),
        (3, 31999, Outcome::Win, uci("d8h4")),
    ];
    assert_eq!(seen, expected);
    assert_eq!(
        found[1].fen(),
        "rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w KQkq - 0 2"
    );
}

#[test]
fn games_are_read_whole() {
    let wrong_fen = GAME.replace("[Result", "[FEN \"8/8 w\"]\n[Result");
    let text = format!("{}\n{wrong_fen}\n{GAME}", GAME.replace("g4??", "g6"));
    let found: Vec<_> = pgn::Games::new(text.as_bytes()).collect();
    assert_eq!(
        found.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, false, false, true]
    );
    let [cut, .., last] = found.as_slice() else {
        panic!("four")
    };
    let (cut, last) = (cut.as_ref().unwrap(), last.as_ref().unwrap());
    assert_eq!(
        (cut.number, cut.moves.len(), last.number, last.moves.len()),
        (1, 2, 3, 4)
    );
    let san: Vec<_> = last
        .moves
        .iter()
        .zip(&last.positions)
        .map(|(&mv, position)| pgn::san(mv, position).unwrap())
        .collect();
    assert_eq!(san, ["f3", "e5", "g4", "Qh4"]);
    assert_eq!(last.scores, [None, Some(24), Some(0), Some(31999), None]);
    assert_eq!(
        (last.ply, last.outcome, last.tag("Result")),
        (0, Some(Outcome::Loss), Some("0-1"))
    );
}

/// Section 6 of the standard: a line that begins with `%` is ignored.
#[test]
fn escaped_lines_are_ignored() {
    let text = r#"% [Result "0-1"]
[Result "1-0"]

1. e4 {[%eval 0.17]} e5 {[%eval
% inside a comment [%eval 7.77]
0.25]}
% a line of a program [%eval 8.88]
2. Nf3 {[%eval 0.30]} 1-0"#;
    let scores: Vec<i16> = whole(text).iter().map(|record| record.score).collect();
    assert_eq!(scores, [-17, 25, -30]);
    assert!(
        whole(text)
            .iter()
            .all(|record| record.outcome != Outcome::Draw)
    );
}

/// The comments of cutechess, fastchess and fishtest: `{+0.31/14 0.21s}`, seen by the side that moved.
#[test]
fn evaluations_of_matches_are_read() {
    let text = r#"[Result "1-0"]

1. d4 {book} d5 {book} 2. c4 {+0.24/13 0.3s} e6 {-0.20/14 0.21s}
3. Nc3 {+M9/21 0.1s, some text} c6 {-M8/22 0.10s} 4. e3 {0.00/18 0.2s} 1-0"#;
    let mut reader = pgn::Reader::new(text.as_bytes());
    let found: Vec<Record> = reader.by_ref().map(Result::unwrap).collect();
    let of_white = |record: &Record| (record.ply, record.white_score().unwrap());
    let expected = [(3, 24), (4, 20), (5, 31982), (6, 31985), (7, 0)];
    assert_eq!(found.iter().map(of_white).collect::<Vec<_>>(), expected);
    let passed_over = reader.passed_over().to_string();
    assert_eq!(passed_over, "2 positions without an evaluation");
}

#[test]
fn what_is_passed_over_is_counted() {
    let plain = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n\n";
    let text = format!("{plain}{}{GAME}{plain}", GAME.replace("0-1", "*"));
    let mut reader = pgn::Reader::new(text.as_bytes());
    assert_eq!(reader.by_ref().filter(Result::is_ok).count(), 3);
    assert_eq!(
        reader.passed_over().to_string(),
        "1 game without a result (4 positions), 2 games without an evaluation (6 positions)"
    );
    let mut book = pgn::Reader::new(&b"[Result \"1-0\"] 1. e4 e5 2. d4 {[%eval 0.1]} 1-0"[..]);
    assert_eq!(book.by_ref().count(), 1);
    assert_eq!(book.passed_over().positions, 2);
    let mut whole = pgn::Reader::new(&b"[Result \"1-0\"] {[%eval 0.1]} 1. e4 1-0"[..]);
    assert_eq!(whole.by_ref().count(), 1);
    assert!(whole.passed_over().is_empty());
}

#[test]
fn byte_order_marks_are_ignored() {
    assert_eq!(whole(&format!("\u{feff}{GAME}")), whole(GAME));
    let moves = "1. e4 {[%eval 0.2]} 1-0";
    assert_eq!(whole(&format!("\u{feff}{moves}")), whole(moves));
    assert_eq!(whole(moves).len(), 1);
}

/// Chapter 8.2.3.5 of the standard: the suffix of captures en passant in old collections.
#[test]
fn suffixes_of_en_passant_are_ignored() {
    let tags = "[FEN \"4k3/8/8/3pPp2/8/8/8/4K3 w - f6 0 3\"]\n[Result \"1/2-1/2\"]\n\n";
    let moves = |suffix: &str| {
        whole(&format!(
            "{tags}3. exf6{suffix} {{[%eval 0.5]}} Kd7 {{[%eval 0.4]}} 1/2-1/2"
        ))
    };
    assert_eq!(moves("").len(), 2);
    for suffix in [" e.p.", "e.p.", " ep", " e.p.+"] {
        assert_eq!(moves(suffix), moves(""), "{suffix}");
    }
}

#[test]
fn moves_may_be_those_of_uci() {
    let uci = GAME
        .replace("f3 ", "f2f3 ")
        .replace("g4??", "g2g4")
        .replace("Qh4#", "d8h4");
    assert_eq!(whole(&uci), whole(GAME));
}

#[test]
fn null_moves_and_variants_are_told_by_name() {
    let error = |text: &str| {
        let found = read(format!("{text}\n{GAME}").as_bytes());
        assert_eq!(found.len(), 4, "{text}");
        found[0].as_ref().unwrap_err().to_string()
    };
    assert_eq!(
        error("[Result \"1-0\"] 1. e4 Z0 2. d4 {[%eval 1.5]} 1-0"),
        "game 1, byte 21: `Z0` is a null move, and no move of a game"
    );
    let atomic = "the variant `Atomic`: only games of chess and Chess960 are read";
    assert_eq!(
        error("[Result \"1-0\"]\n[Variant \"Atomic\"]\n\n1. e4 1-0"),
        format!("game 1, byte 15: {atomic}")
    );
    let of_horde = "[FEN \"4k3/8/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1\"]";
    assert_eq!(
        error(&format!("{of_horde}\n[Variant \"Horde\"]\n\n1. a3 1-0")),
        "game 1, byte 0: the variant `Horde`: only games of chess and Chess960 are read"
    );
    for known in ["Standard", "Chess 960", "From Position", "fischerandom"] {
        let text = format!("[Variant \"{known}\"]\n{GAME}");
        assert_eq!(whole(&text), whole(GAME), "{known}");
    }
}

#[test]
fn words_of_files_are_printable_in_messages() {
    let error = read(b"[Result \"1-0\"] 1. \x1b[31mevil")
        .remove(0)
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 1, byte 18: `\\u{1b}` instead of a legal move"
    );
}

#[test]
fn games_without_a_result_give_nothing() {
    let unknown = GAME.replace("0-1", "*");
    assert_eq!(whole(&format!("{unknown}\n{GAME}")).len(), 3);
    // the tag alone is enough
    assert_eq!(whole(&GAME.replace("Qh4# 0-1", "Qh4#")).len(), 3);
}

#[test]
fn games_are_read_as_they_were_written() {
    let mut records = games(51, 40);
    // mates would be told in whole moves, and farther evaluations as pawns
    records
        .iter_mut()
        .for_each(|record| record.score = record.score.clamp(-31754, 31754));
    assert_eq!(whole(&written(&records)), records);
}

#[test]
fn a_position_without_a_score_is_written_without_an_evaluation() {
    let mut records = games(52, 1);
    records.truncate(3);
    records.iter_mut().for_each(|record| record.score = 100);
    records[1].score = NO_SCORE;
    let text = written(&records);
    assert_eq!(text.matches("[%eval").count(), 2, "{text}");
    assert_eq!(whole(&text), [records[0], records[2]]);
}

#[test]
fn what_is_written() {
    let position: nnue_data::Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 30".parse().unwrap();
    let mv = nnue_data::Move::from_uci("e2e4", &position).ok();
    let first = Record {
        position,
        score: 205,
        outcome: Outcome::Win,
        ply: 58,
        mv,
    };
    let last = Record {
        position: position.play(mv.unwrap()).unwrap(),
        score: -31990,
        outcome: Outcome::Loss,
        ply: 59,
        mv: None,
    };
    let expected = "[Result \"1-0\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 30\"]\n\n\
                    { [%eval 2.05] } 30. e4\n{ [%eval #5] } 1-0\n\n";
    assert_eq!(written(&[first, last]), expected);
    assert_eq!(whole(expected), [first, last]);
}

#[test]
fn a_wrong_move_ends_its_game_and_no_other() {
    let text = format!("{}\n{GAME}", GAME.replace("g4??", "g6"));
    let found = read(text.as_bytes());
    assert_eq!(
        found.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, true, false, true, true, true]
    );
    let at = text.find("g6").unwrap();
    let error = found[2].as_ref().unwrap_err().to_string();
    assert_eq!(
        error,
        format!("game 1, byte {at}: `g6` instead of a legal move")
    );
    let wrong_fen = GAME.replace("[Result", "[FEN \"8/8 w\"]\n[Result");
    assert_eq!(read(format!("{wrong_fen}\n{GAME}").as_bytes()).len(), 4);
}

#[test]
fn cuts_and_flipped_bytes_do_no_harm() {
    let mut records = games(53, 1);
    records
        .iter_mut()
        .for_each(|record| record.score = record.score.clamp(-500, 500));
    let bytes = written(&records).into_bytes();
    for end in 0..bytes.len().min(3000) {
        let found = read(&bytes[..end]);
        assert!(
            found.len() <= records.len() + 1,
            "cut after {end} bytes: {} records",
            found.len()
        );
    }
    assert!(flipped_bytes(&bytes, 1500, read) > 300);
    assert!(read(b"[").is_empty() && read(b"(((").is_empty() && read(b"{").is_empty());
}
