//! Bad input gives one clear line and a non-zero exit, never a panic.

use crate::{file, nnue, nnue_reading, text};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn missing_files() {
    for arguments in [
        &["eval", "--net", "no/such.nnue"],
        &["inspect", "no/such.nnue"][..],
        &["verify", "no/such.nnue"],
    ] {
        nnue(arguments).fails_with("cannot read no/such.nnue: no such file");
    }
    nnue(&["eval", "--fens", "no/such.txt"]).fails_with("cannot read no/such.txt: no such file");
    nnue(&["eval", "--games", "no/such.txt"]).fails_with("cannot read no/such.txt: no such file");
    nnue(&["expand", "no/such.rs"]).fails_with("cannot read no/such.rs: no such file");
    nnue(&["eval", "--net", "."]).fails_with("cannot read .: it is a folder");
}

#[test]
fn a_picture_is_no_network() {
    let picture = file(
        "picture.png",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0",
    );
    nnue(&["eval", "--net", text(&picture)]).fails_naming(&["picture.png: ", "PNG picture"]);
    nnue(&["eval", "--net", text(&picture), "--arch", "sfnnv5"])
        .fails_naming(&["picture.png: ", "PNG picture"]);
    let empty = file("empty.nnue", b"");
    nnue(&["inspect", text(&empty)]).fails_naming(&["empty.nnue: "]);
}

#[test]
fn positions_that_are_none() {
    nnue(&["eval", "--fen", "8/8/8/8/8/8/8/8/8 w - - 0 1"])
        .fails_with("position `8/8/8/8/8/8/8/8/8 w - - 0 1`: not a FEN: 9 ranks, a board has 8");
    nnue(&["eval", "--fen", "8/8/8/8/8/8/8/K7 w - - 0 1"])
        .fails_with("position `8/8/8/8/8/8/8/K7 w - - 0 1`: black has no king");
    nnue(&["eval", "--fen", "kk6/8/8/8/8/8/8/K7 w - - 0 1"]).fails_naming(&["black has 2 kings"]);
    nnue(&["eval", "--fen", ""]).fails_naming(&["it is empty"]);
    nnue_reading(
        &format!("{START}\tcomment\n\nnonsense\n"),
        &["eval", "--fens", "-", "--tsv"],
    )
    .fails_with("standard input, line 3: not a FEN: 1 rank, a board has 8");
}

#[test]
fn games_that_are_none() {
    let games = |line: &str| nnue_reading(line, &["eval", "--games", "-"]);
    games(&format!("1\t{START}\te2e4 e2e4\n"))
        .fails_naming(&["standard input, line 1: move 2: e2e4 is illegal in "]);
    games(&format!("1\t{START}\te2e9\n")).fails_naming(&["move 1: `e2e9` is not a move"]);
    games(&format!("1\t{START}\te1g1\n")).fails_naming(&["move 1: e1g1 is illegal in "]);
    games("just words\n").fails_naming(&["separated by tabs"]);
    games("1\tk7/1Q6/8/8/8/8/8/K7 w - - 0 1\n").fails_naming(&["no game can start here"]);
}

#[test]
fn names_that_mean_nothing() {
    nnue(&["eval", "--arch", "sfnnv99"])
        .fails_naming(&["unknown architecture `sfnnv99`", "known: default, sfnnv1, "]);
    nnue(&["eval", "--level", "mmx"]).fails_naming(&["unknown level `mmx`", "scalar", "avx2"]);
    nnue(&["bench", "--level", "mmx"]).fails_naming(&["unknown level `mmx`"]);
    nnue(&["bench", "--repetitions", "0"]).fails_naming(&["at least 1"]);
    nnue(&["bench", "--batch", "--threads", "0"]).fails_naming(&["--threads 0", "1 to 256"]);
    nnue(&["bench", "--growth", "--level", "mmx"]).fails_naming(&["unknown level `mmx`"]);
    nnue(&["eval", "--arch", "sfnnv5"]).fails_naming(&["no network for --arch sfnnv5", "--net"]);
}

#[test]
fn the_wrong_declaration_says_what_the_file_has() {
    let net = concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue");
    nnue(&["eval", "--net", net, "--arch", "sfnnv5"])
        .fails_naming(&["default.nnue: ", "architecture mismatch"]);
}

#[test]
fn a_network_cut_short_or_too_long() {
    let bytes = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/nets/default.nnue"))
        .expect("it is committed");
    let short = file("short.nnue", &bytes[..bytes.len() - 1]);
    nnue(&["eval", "--net", text(&short)]).fails_naming(&["short.nnue: truncated"]);
    let long = file("long.nnue", &[&bytes[..], &[0]].concat());
    nnue(&["eval", "--net", text(&long)]).fails_naming(&["long.nnue: trailing bytes"]);
}

#[test]
fn declarations_that_do_not_compile() {
    let run = nnue_reading(
        "pub struct Tiny = Chess786[..] -> 64x2 -> 1;\n",
        &["expand"],
    );
    assert_eq!(run.code, Some(1));
    assert!(
        run.err.starts_with("error: standard input:1:19: "),
        "{}",
        run.err
    );
    assert!(run.err.contains("Chess768"), "{}", run.err);
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let many = format!("{START}\n").repeat(20_000);
    let positions = file("many.txt", many.as_bytes());
    let mut child = Command::new(env!("CARGO_BIN_EXE_nnue"))
        .args(["eval", "--tsv", "--fens", text(&positions)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut some = [0; 10];
    let mut out = child.stdout.take().expect("it is piped");
    out.read_exact(&mut some).expect("there is output");
    drop(out);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

/// What a build lacks is there all the same, with its help, and says how to build it.
#[cfg(not(any(feature = "backends", feature = "graphs")))]
#[test]
fn commands_that_this_build_lacks() {
    for (feature, arguments) in [
        ("backends", &["backends"][..]),
        ("backends", &["analyze", "games.pgn"]),
        ("backends", &["cache", "stats", "games.cache"]),
        ("backends", &["eval", "--backend", "random"]),
        ("backends", &["bench", "--backend", "random"]),
        ("graphs", &["import", "torch", "model.pt2"]),
        ("graphs", &["import", "onnx", "model.onnx"]),
        ("graphs", &["export", "onnx", "-o", "model.onnx"]),
    ] {
        nnue(arguments).fails_naming(&[
            "this `nnue` was built without ",
            &format!("`--features {feature}`"),
        ]);
    }
    assert!(
        nnue(&["analyze", "--help"])
            .succeeds()
            .contains("--cache <FILE>")
    );
}
