//! Text of one line and of six lines a position.

use nnue_data::text::{line, plain};
use nnue_data::{NO_SCORE, Outcome, Record};

use crate::games::games;
use crate::harm::{self, every_cut, flipped_bytes};

fn read_line(bytes: &[u8]) -> harm::Read {
    line::Reader::new(bytes).collect()
}

fn read_plain(bytes: &[u8]) -> harm::Read {
    plain::Reader::new(bytes).collect()
}

fn plain(records: &[Record]) -> Vec<u8> {
    let mut writer = plain::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

fn line(records: &[Record]) -> Vec<u8> {
    let mut writer = line::Writer::new(Vec::new());
    records
        .iter()
        .for_each(|record| writer.write(record).unwrap());
    writer.finish().unwrap()
}

fn told(read: harm::Read) -> String {
    read.into_iter()
        .find_map(Result::err)
        .expect("an error")
        .to_string()
}

#[test]
fn a_line_is_from_whites_point_of_view() {
    let text = "4k3/4p3/8/8/8/8/8/4K3 b - - 3 21 | -120 | 0.0\n\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 7 | [1/2]\n";
    let found: Vec<Record> = read_line(text.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(
        (found[0].score, found[0].outcome, found[0].ply),
        (120, Outcome::Win, 41)
    );
    assert_eq!(
        (found[1].score, found[1].outcome, found[1].ply),
        (7, Outcome::Draw, 0)
    );
    let again = line(&found);
    assert_eq!(
        String::from_utf8(again).unwrap(),
        text.replace("\n\n", "\n").replace("[1/2]", "0.5")
    );
}

/// A position of each side: 31 for White, who has won; 20 for Black, who has drawn.
fn labelled(lines: &str) {
    let records = |text: &str| -> Vec<Record> {
        let found = read_line(text.as_bytes()).into_iter();
        found
            .map(|next| next.unwrap_or_else(|error| panic!("{text}: {error}")))
            .collect()
    };
    let expected =
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 31 | 1.0\n4k3/8/8/8/8/8/4P3/4K3 b - - 3 7 | -20 | 0.5\n";
    let [white, black] = [
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7",
    ];
    let text = lines.replace("WHITE", white).replace("BLACK", black);
    assert_eq!(records(&text), records(expected), "{text}");
}

#[test]
fn labels_are_read_as_programs_write_them() {
    labelled("WHITE [1.0] 31\nBLACK [0.5] -20\n");
    labelled("WHITE;31;1.0\nBLACK;-20;0.5\n");
    labelled("WHITE,31,1-0\r\nBLACK,-20,1/2-1/2\r\n");
    labelled("\"WHITE\",31,w\n\"BLACK\",-20,d\n");
    labelled("WHITE\t31\t1\nBLACK\t-20\t1/2\n");
    labelled("WHITE | 1.0 | 31\nBLACK | 0.500 | -20\n");
    labelled("WHITE ce 31; c9 \"1-0\";\nBLACK ce 20; c9 \"1/2-1/2\";\n");
    labelled("\u{feff}ply;result;FEN;eval\n0;1;WHITE;31\n13;0.5;BLACK;-20\n");
}

#[test]
fn labels_without_scores_give_records_without_scores() {
    let fen = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq -";
    for text in [
        format!("{fen} c9 \"0-1\";"),
        format!("{fen} 4 4 c9 \"0-1\";"),
        format!("{fen} id \"a; b, c | d\"; c9 \"0-1\";").replace(" | d", ""),
        format!("{fen} [0.0]"),
        format!("{fen};0-1"),
        format!("{fen} 4 4 0-1"),
    ] {
        let found = read_line(text.as_bytes()).remove(0).unwrap();
        assert_eq!(
            (found.score, found.outcome),
            (NO_SCORE, Outcome::Loss),
            "{text}"
        );
    }
}

#[test]
fn outcomes_between_are_refused_by_name() {
    assert_eq!(
        told(read_line(b"4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 7 | 0.75")),
        "line 1, byte 0: the outcome `0.75` is none of 1.0, 0.5 and 0.0, and no others are kept"
    );
}

#[test]
fn byte_order_marks_are_ignored() {
    let bytes = plain(&games(43, 1));
    let marked = [b"\xef\xbb\xbf", bytes.as_slice()].concat();
    let found = |bytes: &[u8]| -> Vec<Record> {
        read_plain(bytes).into_iter().map(Result::unwrap).collect()
    };
    assert_eq!(found(&marked), found(&bytes));
    labelled("\u{feff}WHITE | 31 | 1.0\nBLACK | -20 | 0.5\n");
}

#[test]
fn six_lines_are_read_as_they_were_written() {
    let mut records = games(41, 40);
    records[3].mv = None;
    records[4].score = NO_SCORE;
    let found: Vec<Record> = read_plain(&plain(&records))
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(found, records);
}

#[test]
fn six_lines_are_what_other_tools_write() {
    let text =
        "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 4 9\nmove e1g1\nscore -5\nply 16\nresult -1\ne\n";
    let found: Vec<Record> = read_plain(text.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!(
        (found[0].score, found[0].outcome, found[0].ply),
        (-5, Outcome::Loss, 16)
    );
    assert_eq!(String::from_utf8(plain(&found)).unwrap(), text);
    // no move, no ply, Windows
    let short = "fen 4k3/8/8/8/8/8/8/4K3 b - - 0 3\r\nscore 1\r\nresult 0\r\ne\r\n";
    let found: Vec<Record> = read_plain(short.as_bytes())
        .into_iter()
        .map(Result::unwrap)
        .collect();
    assert_eq!((found[0].ply, found[0].mv), (5, None));
}

#[test]
fn cuts_and_flipped_bytes_do_no_harm() {
    let mut records = games(42, 1);
    records.truncate(4);
    let bytes = plain(&records);
    let ends: Vec<usize> = (0..bytes.len())
        .filter(|&end| {
            end == 0 || bytes[..end].ends_with(b"\ne\n") || bytes[..end].ends_with(b"\ne")
        })
        .collect();
    every_cut(&bytes, &records, read_plain, |end| ends.contains(&end));
    assert!(flipped_bytes(&bytes, 4000, read_plain) > 1000);
    records
        .iter_mut()
        .for_each(|record| record.score = record.score.max(-32767));
    assert!(flipped_bytes(&line(&records), 4000, read_line) > 1000);
}

#[test]
fn faults_are_told_with_their_place() {
    let line = |text: &str| told(read_line(text.as_bytes()));
    let ok = "4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 7 | 1.0\n";
    assert_eq!(
        line(&format!("{ok}x | 1 | 1")),
        "line 2, byte 40: a FEN has at least four fields, this has 1"
    );
    assert_eq!(
        line("4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        "line 1, byte 0: ` | score` after the FEN is missing"
    );
    assert_eq!(
        line("4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 99999 | 1"),
        "line 1, byte 0: `99999` instead of a score from -32768 to 32767"
    );
    assert_eq!(
        line("4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 9 | won"),
        "line 1, byte 0: `won` instead of the outcome for White, 1.0, 0.5 or 0.0"
    );
    assert_eq!(
        line(&"x".repeat(5000)),
        "line 1, byte 0: a line of more than 4096 bytes"
    );
    assert_eq!(
        told(read_line(b"\xff\xfe")),
        "line 1, byte 0: the line is not UTF-8 text"
    );

    let plain = |text: &str| told(read_plain(text.as_bytes()));
    let fen = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\n";
    assert_eq!(
        plain(&format!("{fen}result 0\ne\n")),
        "line 3, byte 43: `score` is missing"
    );
    assert_eq!(
        plain(&format!("{fen}move e1e3\n")),
        "line 2, byte 34: the move e1e3 cannot be made in this position"
    );
    assert_eq!(
        plain(&format!("{fen}evaluation 3\n")),
        "line 2, byte 34: `evaluation` instead of `fen`, `move`, `score`, `ply`, `result` or `e`"
    );
    assert_eq!(
        plain(&format!("{fen}ply 4000000000\n")),
        "line 2, byte 34: `4000000000` instead of a ply from 0 to 1000000000"
    );
    assert_eq!(
        plain("move e1e2\n"),
        "line 1, byte 0: `fen`, which comes first, is missing"
    );
    assert_eq!(
        plain(&format!("{fen}{fen}")),
        "line 2, byte 34: `e`, which ends the position before, is missing"
    );
}

#[test]
fn reading_goes_on_after_a_fault() {
    let ok = "fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1\nscore 1\nresult 0\ne\n";
    let found = read_plain(format!("{ok}{}{ok}", ok.replace("score", "points")).as_bytes());
    assert_eq!(
        found.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [true, false, true]
    );
    let found = read_line(b"nonsense\n4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 7 | 1.0");
    assert_eq!(
        found.iter().map(Result::is_ok).collect::<Vec<_>>(),
        [false, true]
    );
}
