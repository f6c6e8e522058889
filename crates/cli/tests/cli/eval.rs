//! `nnue eval`: against the vectors, and the output for people.

use nnue_testkit::synthetic::{Profile, Synthetic};
use nnue_testkit::{positions_dir, vectors};

use crate::{file, nnue, nnue_reading, text};

/// `value psqt / 16 + positional / 16` of the small network.
const fn value(psqt: i32, positional: i32) -> i32 {
    psqt / 16 + positional / 16
}

#[test]
fn json_has_the_numbers_of_the_table() {
    let read = |line: &str| -> serde_json::Value { serde_json::from_str(line).expect("JSON") };
    let suite = positions_dir().join("suite.fen");
    let of = |form: &str| nnue(&["eval", "--fens", text(&suite), form]).succeeds();
    let (table, objects) = (of("--tsv"), of("--json"));
    assert!(objects.lines().count() > 100);
    assert_eq!(objects.lines().count() + 1, table.lines().count());
    for (row, line) in table.lines().skip(1).zip(objects.lines()) {
        let found = read(line);
        let column = |name: &str| found[name].as_i64().expect("a number");
        let [bucket, psqt, positional, value] =
            ["bucket", "psqt", "positional", "value"].map(column);
        let fen = found["fen"].as_str().expect("a FEN");
        assert_eq!(
            row,
            format!("{fen}\t{bucket}\t{psqt}\t{positional}\t{value}")
        );
        let used = &found["buckets"][bucket as usize];
        assert_eq!(used["value"], found["value"], "{line}");
        let side = if fen.contains(" w ") {
            "white"
        } else {
            "black"
        };
        assert_eq!(found["side_to_move"], side);
    }
    let game = "7\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4 e7e5\n";
    let plies = nnue_reading(game, &["eval", "--games", "-", "--json"]).succeeds();
    let plies: Vec<_> = plies.lines().map(read).collect();
    let column = |name: &str| -> Vec<_> { plies.iter().map(|ply| ply[name].clone()).collect() };
    assert_eq!(column("ply"), [0, 1, 2]);
    assert_eq!(column("pieces"), [32, 32, 32]);
    assert_eq!(column("game"), ["7", "7", "7"]);
    assert_eq!(nnue(&["eval", "--json", "--tsv"]).code, Some(2));
    let archs = nnue(&["archs", "--json"]).succeeds();
    let names: Vec<_> = archs
        .lines()
        .map(|line| read(line)["name"].clone())
        .collect();
    assert!(names.contains(&"sfnnv9".into()), "{names:?}");
}

#[test]
fn positions_and_games_equal_the_vectors() {
    let net = file("v9s.nnue", &Synthetic::new("v9s", Profile::Normal).bytes());
    let suite = positions_dir().join("suite.fen");
    let found = nnue(&[
        "eval",
        "--net",
        text(&net),
        "--arch",
        "sfnn_small",
        "--fens",
        text(&suite),
        "--tsv",
    ])
    .succeeds();
    let rows = vectors::suite("syn-v9s");
    let expected = rows.iter().map(|row| {
        format!(
            "{}\t{}\t{}\t{}\t{}",
            row.fen,
            row.bucket,
            row.psqt,
            row.positional,
            value(row.psqt, row.positional)
        )
    });
    let expected: Vec<String> = std::iter::once("fen\tbucket\tpsqt\tpositional\tvalue".to_owned())
        .chain(expected)
        .collect();
    assert_eq!(found.lines().collect::<Vec<_>>(), expected);

    let games = positions_dir().join("games.tsv");
    let arguments = [
        "eval",
        "--net",
        text(&net),
        "--arch",
        "sfnn_small",
        "--games",
        text(&games),
        "--tsv",
    ];
    let found = nnue(&arguments).succeeds();
    let rows = vectors::games("syn-v9s");
    let expected = rows.iter().map(|row| {
        format!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            row.game,
            row.ply,
            row.pieces,
            row.bucket,
            row.psqt,
            row.positional,
            value(row.psqt, row.positional)
        )
    });
    let header = "game\tply\tpieces\tbucket\tpsqt\tpositional\tvalue".to_owned();
    assert_eq!(
        found.lines().collect::<Vec<_>>(),
        std::iter::once(header).chain(expected).collect::<Vec<_>>()
    );
    assert_eq!(
        nnue(&[&arguments[..], &["--refresh"]].concat()).succeeds(),
        found
    );
}

#[test]
fn the_start_position_is_shown_as_a_board_and_a_table() {
    let out = nnue(&["eval"]).succeeds();
    for line in [
        "8 | r | n | b | q | k | b | n | r |",
        "1 | R | N | B | Q | K | B | N | R |",
        "    a   b   c   d   e   f   g   h",
        "    bucket    pieces       psqt   positional      value",
        "  *      7     29-32          0          397        +24",
        "value     +24 for white, who moves (32 pieces)",
    ] {
        assert!(
            out.lines().any(|found| found == line),
            "`{line}` is not in:\n{out}"
        );
    }
}

#[test]
fn arguments_come_before_lines_and_tabs_end_a_position() {
    let one = "4k3/8/8/8/8/8/8/3QK3 w - - 0 1";
    let two = "4k3/8/8/8/8/8/8/3QK3 b - - 0 1";
    let out = nnue_reading(
        &format!("  {two}\twhatever\n"),
        &["eval", "--fen", one, "--fens", "-", "--tsv"],
    )
    .succeeds();
    let fens: Vec<&str> = out
        .lines()
        .skip(1)
        .filter_map(|line| line.split('\t').next())
        .collect();
    assert_eq!(fens, [one, two]);
}

#[test]
fn every_level_of_this_processor_says_the_same() {
    let suite = positions_dir().join("suite.fen");
    let at =
        |level: &str| nnue(&["eval", "--fens", text(&suite), "--tsv", "--level", level]).succeeds();
    let scalar = at("scalar");
    for level in nnue::Level::available() {
        assert_eq!(at(level.level().name()), scalar, "{level}");
    }
}

#[test]
fn castling_may_be_written_in_both_ways() {
    let start = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let game = |moves: &str| {
        nnue_reading(
            &format!("1\t{start}\t{moves}\n"),
            &["eval", "--games", "-", "--tsv"],
        )
        .succeeds()
    };
    assert_eq!(game("e1g1 e8c8"), game("e1h1 e8a8"));
    let shown = nnue_reading(&format!("1\t{start}\te1g1\n"), &["eval", "--games", "-"]).succeeds();
    assert!(
        shown
            .lines()
            .any(|line| line.trim_start().starts_with("1  e1g1")),
        "{shown}"
    );
}

#[test]
fn a_file_that_fits_two_declarations_is_named() {
    let net = file("v5.nnue", &Synthetic::new("v5", Profile::Normal).bytes());
    let run = nnue(&["eval", "--net", text(&net), "--tsv"]);
    assert!(
        run.err.starts_with("note: ") && run.err.contains("is read as sfnnv5"),
        "{}",
        run.err
    );
    assert!(run.err.contains("--arch sfnnv4"), "{}", run.err);
    let told = nnue(&["eval", "--net", text(&net), "--tsv", "--arch", "v5"]);
    assert_eq!(told.err, "");
    assert_eq!(told.succeeds(), run.succeeds());
}

#[test]
fn the_scale_of_a_small_network_is_a_guess_that_is_told() {
    let net = file(
        "v14s.nnue",
        &Synthetic::new("v14s", Profile::Normal).bytes(),
    );
    let run = nnue(&["eval", "--net", text(&net), "--tsv"]);
    let note =
        "is read as sfnn_small (the file does not tell); it could also be --arch sfnn_small_255\n";
    assert!(run.err.ends_with(note), "{}", run.err);
    let suite = positions_dir().join("suite.fen");
    let arguments = [
        "eval",
        "--net",
        text(&net),
        "--arch",
        "sfnn_small_255",
        "--fens",
        text(&suite),
        "--tsv",
    ];
    let found = nnue(&arguments).succeeds();
    let right = vectors::suite("syn-v14s")
        .iter()
        .zip(found.lines().skip(1))
        .all(|(row, line)| {
            line.contains(&format!(
                "\t{}\t{}\t{}\t",
                row.bucket, row.psqt, row.positional
            ))
        });
    assert!(right, "{found}");
}

/// A file and positions need no names of options.
#[test]
fn files_and_positions_are_told_apart() {
    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let net = file(
        "v9s-too.nnue",
        &Synthetic::new("v9s", Profile::Normal).bytes(),
    );
    let named = nnue(&["eval", "--net", text(&net), "--fen", AFTER_E4]).succeeds();
    for position in [
        AFTER_E4,
        "startpos moves e2e4",
        "position startpos moves e2e4",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - bm e7e5;",
    ] {
        let found = nnue(&["eval", text(&net), position, "--tsv"]).succeeds();
        let columns: Vec<&str> = found
            .lines()
            .skip(1)
            .flat_map(|line| line.split('\t').skip(1))
            .collect();
        let plain = nnue(&["eval", "--net", text(&net), "--fen", AFTER_E4, "--tsv"]).succeeds();
        assert!(
            plain.ends_with(&(columns.join("\t") + "\n")),
            "{position}: {found}"
        );
    }
    assert_eq!(nnue(&["eval", AFTER_E4, text(&net)]).succeeds(), named);
    nnue(&["eval", text(&net), "other.nnue"])
        .fails_naming(&["`other.nnue` is not a position", "v9s-too.nnue"]);
    nnue(&["eval", "startpos", "moves", "e2e4"]).fails_naming(&[
        "`e2e4` is not a position",
        "quote a position that has spaces",
    ]);
    nnue(&["eval", "--games", "games.tsv", "startpos"]).fails_naming(&["--games reads games"]);
    nnue(&["eval", "startpos moves e2e5"]).fails_naming(&["e2e5 is illegal"]);
}
