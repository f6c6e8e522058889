//! `nnue optimize`.

use nnue::Level;
use nnue_testkit::synthetic::{Profile, Synthetic};

use crate::declared::files;
use crate::{file, nnue, nnue_reading, text};

const POSITIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suite.fen");

/// A small network of Stockfish's.
fn small(name: &str) -> std::path::PathBuf {
    file(name, &Synthetic::new("v9s", Profile::Normal).bytes())
}

/// The share after a line's name, before and after.
fn shares(out: &str, name: &str) -> [f64; 2] {
    let line = out
        .lines()
        .find(|line| line.trim_start().starts_with(name))
        .unwrap_or_else(|| panic!("{name}: {out}"));
    let words: Vec<f64> = line
        .split_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect();
    let [.., before, after, _] = words[..] else {
        panic!("{line}")
    };
    [before, after]
}

#[test]
fn the_network_is_the_same_and_has_more_blocks_of_zeros() {
    let net = small("before.nnue");
    let output = net.with_file_name("after.nnue");
    let out = nnue(&[
        "optimize",
        text(&net),
        "--arch",
        "sfnn_small",
        "--repetitions",
        "1",
        "--positions",
        POSITIONS,
        "-o",
        text(&output),
    ])
    .succeeds();
    let [before, after] = shares(&out, "325 of ");
    assert!(after > before + 1.0, "{out}");
    shares(&out, "3267 of the built-in games (not searched)");
    assert!(
        out.contains("evaluations  equal in 3917 positions, every bucket"),
        "{out}"
    );
    assert!(
        out.contains("forward, in context") && out.contains("medians of 1, in alternation"),
        "{out}"
    );
    assert!(out.contains("after.nnue, "), "{out}");
    let eval = |net: &str| {
        nnue(&[
            "eval",
            "--net",
            net,
            "--arch",
            "sfnn_small",
            "--fens",
            POSITIONS,
            "--tsv",
        ])
        .succeeds()
    };
    assert_eq!(eval(text(&net)), eval(text(&output)));
    let bytes = |path| std::fs::read(path).expect("it was written");
    assert!(bytes(&net) != bytes(&output));
    // what was found is found again, and cannot be improved by the same search
    let out = nnue(&[
        "optimize",
        text(&output),
        "--arch",
        "sfnn_small",
        "--repetitions",
        "1",
        "--positions",
        POSITIONS,
    ])
    .succeeds();
    let [again, _] = shares(&out, "325 of ");
    assert!((again - after).abs() < 0.06, "{out}");
    assert!(
        out.contains("written      nothing: name a file with --output"),
        "{out}"
    );
}

#[test]
fn without_positions_the_games_are_searched_and_the_suite_is_not() {
    let out = nnue(&[
        "optimize",
        text(&small("games.nnue")),
        "--arch",
        "sfnn_small",
        "--repetitions",
        "1",
    ])
    .succeeds();
    assert!(
        out.contains("search       3267 positions of the built-in games"),
        "{out}"
    );
    let [before, after] = shares(&out, "3267 of the built-in games (searched)");
    assert!(after > before, "{out}");
    shares(&out, "325 of the built-in suite (not searched)");
}

#[test]
fn a_level_that_reads_the_layer_whole_says_that_it_gains_nothing() {
    let optimize = |level: Level| {
        let net = small(&format!("{level}.nnue"));
        nnue(&[
            "optimize",
            text(&net),
            "--arch",
            "sfnn_small",
            "--repetitions",
            "1",
            "--positions",
            POSITIONS,
            "--level",
            level.name(),
        ])
        .succeeds()
    };
    let said = "reads a first layer of this size whole";
    assert!(!optimize(Level::Scalar).contains(said));
    if Level::Avx512Vnni.is_available() {
        let out = optimize(Level::Avx512Vnni);
        assert!(
            out.contains(&format!("avx512vnni {said}")) && out.contains("--level avx2"),
            "{out}"
        );
    }
}

#[test]
fn bad_input_is_told_in_a_line() {
    let (declaration, plain) = files(
        "plain",
        "pub struct Plain = Chess768[..] -> 96x2, psqt 8 -> 1x8;",
    );
    nnue(&[
        "optimize",
        text(&plain),
        "--declaration",
        text(&declaration),
    ])
    .fails_naming(&[
        "has no layer that skips blocks of zeros",
        "Chess768[768] -> 96x2",
    ]);
    nnue(&["optimize", "no/such.nnue"]).fails_to_read("no/such.nnue", "no such file");
    let net = small("bad.nnue");
    let optimize = |more: &[&str], input: &str| {
        nnue_reading(
            input,
            &[&["optimize", text(&net), "--arch", "sfnn_small"], more].concat(),
        )
    };
    optimize(&["--positions", "-"], "\n")
        .fails_with("standard input has no positions: one FEN per line is expected");
    optimize(&["--positions", "-"], "nonsense\n")
        .fails_naming(&["standard input, line 1: not a FEN"]);
    optimize(&["--repetitions", "0"], "").fails_naming(&["--repetitions"]);
    optimize(&["--level", "mmx"], "").fails_naming(&["unknown level `mmx`"]);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    optimize(
        &[
            "--positions",
            "-",
            "--repetitions",
            "1",
            "-o",
            "no/such/folder.nnue",
        ],
        start,
    )
    .fails_with("cannot write no/such/folder.nnue: no such file");
}
