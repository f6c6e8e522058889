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
        nnue(arguments).fails_to_read("no/such.nnue", "no such file");
    }
    nnue(&["eval", "--fens", "no/such.txt"]).fails_to_read("no/such.txt", "no such file");
    nnue(&["eval", "--games", "no/such.txt"]).fails_to_read("no/such.txt", "no such file");
    nnue(&["expand", "no/such.rs"]).fails_to_read("no/such.rs", "no such file");
    nnue(&["eval", "--net", "."]).fails_to_read(".", "it is a folder");
    for arguments in [
        &["bench", "no/such"][..],
        &["optimize", "no/such"],
        &["import", "bullet", "--net", "no/such"],
        &["quantize", "no/such", "--arch", "sfnnv5"],
        &["export", "json", "--declaration", "no/such"],
    ] {
        nnue(arguments).fails_to_read("no/such", "no such file");
    }
}

/// Without a `Cargo.toml` a relative path of weights starts at the current folder.
#[test]
fn missing_weights_are_named_by_their_whole_path() {
    let source = b"pub struct Net = HalfKP[..] -> 256x2 -> 1 { weights \"nets/missing.nnue\"; };";
    let declaration = file("missing-weights.rs", source);
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_nnue"))
        .args(["expand", text(&declaration)])
        .env_remove("CARGO_MANIFEST_DIR")
        .output()
        .expect("the command runs");
    let path = std::path::absolute("nets/missing.nnue").expect("a path");
    let said = String::from_utf8(output.stderr).expect("text");
    let words = format!("cannot read `{}`: ", path.display());
    assert!(said.contains(&words), "{said}");
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

/// What people hand to the command in place of a network, by their first bytes.
#[test]
fn files_of_other_kinds_are_named_with_what_reads_them() {
    let cases: [(&str, &[u8], &str); 7] = [
        (
            "lc0.pb",
            b"\x0D\xC0\x01\0\0\x1A\x06\x08\0\x10\x15\x18",
            "`--backend 'lc0(weights=FILE)'`",
        ),
        (
            "games.binpack",
            b"BINP\xA1\0\x10\0\x8C\x0E\xA9\xE9",
            "`nnue data stats",
        ),
        (
            "weights.bin",
            b"l0b\n\x20\0\0\0\0\0\0\0\xFAvD\xBD",
            "`nnue quantize`",
        ),
        (
            "net.safetensors",
            b"\x10\x01\0\0\0\0\0\0{\"fc0_bias\":",
            "`nnue quantize`",
        ),
        (
            "model.onnx",
            b"\x08\x08:\xAFC\n\x14\n\x01x\n\x02W1",
            "`nnue import onnx`",
        ),
        (
            "checkpoint",
            b"nnue-train checkpoint 2\n!\x01\0\0",
            "`nnue train RUN --resume`",
        ),
        (
            "text.nnue",
            b"\x20\x2F\xEF\xBF\xBD\x7A\xEF\xBF\xBD\x3C\x10\x1C",
            "read as UTF-8 text",
        ),
    ];
    for (name, contents, words) in cases {
        let path = file(name, &[contents, &[0x81; 120]].concat());
        nnue(&["inspect", text(&path)]).fails_naming(&["this is ", words]);
        nnue(&["eval", text(&path)]).fails_naming(&["this is ", words]);
        nnue(&["import", "bullet", "--net", text(&path)]).fails_naming(&["this is ", words]);
    }
    let raw = file(
        "raw.rs",
        b"pub struct Raw = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };",
    );
    let path = file("raw.safetensors", b"\x10\x01\0\0\0\0\0\0{\"fc0_bias\":");
    nnue(&["eval", text(&path), "--declaration", text(&raw)])
        .fails_naming(&["it is safetensors (floats of a trainer): `nnue quantize`"]);
}

/// The hashes of SFNNv1 do not depend on the number of inputs.
#[test]
fn a_network_for_shogi_is_named_by_its_description() {
    let description = b"Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](..)";
    let words = [0x7AF3_2F16, 0x3E5A_A6EE, description.len() as u32];
    let mut header: Vec<u8> = words
        .iter()
        .flat_map(|word: &u32| word.to_le_bytes())
        .collect();
    header.extend_from_slice(description);
    header.extend(0x5D69_D7B8_u32.to_le_bytes());
    for length in [1000, 64_217_066] {
        let path = file("shogi.bin", &header);
        let shogi = std::fs::File::options().write(true).open(&path);
        shogi
            .and_then(|file| file.set_len(length))
            .expect("it is written");
        nnue(&["inspect", text(&path)]).fails_naming(&[
            "says 125388 inputs (`Features=HalfKP(Friend)[125388->256x2]`), `Sfnnv1` has 41024: HalfKP of shogi",
            "`self::HalfKpShogi[125388, active 38] -> 256x2 -> ..`",
        ]);
    }
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
