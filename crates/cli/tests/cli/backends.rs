//! `nnue backends`, `analyze`, `cache`, and --backend of `eval` and `bench`.

use std::path::PathBuf;

use crate::{declared, file, nnue, nnue_reading, text};

const GAMES: &str = r#"[White "A"]
[Black "B"]
[Result "0-1"]

1. f3 e5 2. g4 Qh4# 0-1

[White "C"]
[FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20"]

20... O-O 21. O-O-O Rf7

[White "E"]

1. e4 e4
"#;

/// A folder of its own, without files.
fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("backends-{name}"));
    let _ = std::fs::remove_dir_all(&path); // of an earlier run
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

#[test]
fn backends_are_listed_with_their_options() {
    let all = nnue(&["backends"]).succeeds();
    let names: Vec<&str> = all
        .lines()
        .filter(|line| line.starts_with(char::is_alphabetic))
        .collect();
    assert!(
        names[0].starts_with("nnue ") && names[0].ends_with("(the default)"),
        "{all}"
    );
    for name in [
        "reference",
        "random",
        "trivial",
        "check",
        "cached",
        "multiplexing",
        "demux",
        "replay",
    ] {
        assert!(
            names.iter().any(|line| line.starts_with(name)),
            "{name} is not in\n{all}"
        );
    }
    let check = nnue(&["backends", "check"]).succeeds();
    assert!(
        check.starts_with("check ")
            && check.contains("\n  freq       0.2 ")
            && !check.contains("cached"),
        "{check}"
    );
    nnue(&["backends", "chekc"]).fails_with("no backend `chekc`; did you mean `check`?");
    assert!(
        nnue(&["backends", "--help"])
            .succeeds()
            .contains("check(nnue, reference, freq=0.01)")
    );
}

#[test]
fn eval_says_what_a_backend_says() {
    let out = nnue(&[
        "eval",
        "--backend",
        "check(nnue, reference, freq=1, exact=true)",
    ])
    .succeeds();
    assert!(
        out.contains("check: score      1 compared, 0 wrong"),
        "{out}"
    );
    // the backend and the command without it say the same
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let plain = nnue(&["eval", "--fen", fen]).succeeds();
    let value = plain
        .lines()
        .find_map(|line| line.strip_prefix("value ")?.split_whitespace().next())
        .expect("a value");
    for text in ["nnue", "nnue(level=scalar)", "cached(nnue, memory=1)"] {
        let out = nnue(&["eval", "--backend", text, "--fen", fen]).succeeds();
        let score = out
            .lines()
            .find_map(|line| line.strip_prefix("score "))
            .expect("a score");
        assert_eq!(score.trim(), value, "{text}");
    }
    let out = nnue(&[
        "eval",
        "--backend",
        "random(uniform=true)",
        "--fen",
        "k7/8/8/8/8/8/8/K6P w - - 0 1",
    ]);
    out.fails_naming(&["position `k7"]);
    let out = nnue(&[
        "eval",
        "--backend",
        "random(uniform=true)",
        "--fen",
        "k7/8/8/8/8/8/P7/K7 w - - 0 1",
        "--tsv",
    ])
    .succeeds();
    let row: Vec<&str> = out.lines().nth(1).expect("a row").split('\t').collect();
    assert_eq!(
        row[..5],
        [
            "k7/8/8/8/8/8/P7/K7 w - - 0 1",
            "0.000000",
            "0.0000",
            "-",
            "-"
        ]
    );
    assert_eq!(row[5].split(',').count(), 4, "{out}");
}

#[test]
fn games_have_their_history() {
    let line = "1\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tg1f3 g8f6 f3g1 f6g8\n";
    let of = |text: &str| {
        nnue_reading(line, &["eval", "--games", "-", "--backend", text, "--tsv"]).succeeds()
    };
    let q = |out: &str| {
        out.lines()
            .skip(1)
            .map(|line| line.split('\t').nth(2).expect("q").to_owned())
            .collect::<Vec<_>>()
    };
    let random = q(&of("random"));
    assert_eq!(random.len(), 5);
    assert_ne!(
        random[0], random[4],
        "the same position with another history"
    );
    let nnue = q(&of("nnue"));
    assert_eq!(nnue[0], nnue[4]);
    let wrong = line.replace("f6g8", "f6f5");
    nnue_reading(&wrong, &["eval", "--games", "-", "--backend", "random"])
        .fails_naming(&["line 1: move 4: f6f5 is illegal"]);
}

#[test]
fn texts_that_describe_no_backend() {
    nnue(&["eval", "--backend", "check(nnue, refrence)"])
        .fails_with("--backend `check(nnue, refrence)`: byte 12: no backend `refrence`; did you mean `reference`?");
    nnue(&["bench", "--backend", "nnue(treads=1)"]).fails_with(
        "--backend `nnue(treads=1)`: byte 5: no option `nnue.treads` here; did you mean `threads`?",
    );
    let path = std::path::absolute("no").expect("a path");
    nnue(&["eval", "--backend", "nnue(net=no)"]).fails_with(&format!(
        "--backend: `nnue` failed: cannot read {}: no such file",
        path.display()
    ));
    nnue(&["eval", "--backend", "nnue(level=mmx)"]).fails_naming(&["unknown level `mmx`"]);
    nnue(&["bench", "--backend", "random", "--size", "0"])
        .fails_with("--size 0: expected 1 to 65536");
}

#[test]
fn bench_counts_positions() {
    let out = nnue(&[
        "bench",
        "--backend",
        "cached(nnue)",
        "--size",
        "64",
        "--threads",
        "2",
    ])
    .succeeds();
    assert!(
        out.contains("batch  clients   positions/s") && out.contains("found in memory"),
        "{out}"
    );
    let row = out
        .lines()
        .find(|line| line.trim_start().starts_with("64"))
        .expect("a row");
    let rate: f64 = row
        .split_whitespace()
        .nth(2)
        .and_then(|rate| rate.parse().ok())
        .expect("a number");
    assert!(rate > 100.0, "{row}");
    let json = nnue(&[
        "bench",
        "--backend",
        "random",
        "--size",
        "1",
        "--threads",
        "1",
        "--json",
    ])
    .succeeds();
    assert!(
        json.starts_with("{\"backend\":\"random\",\"rows\":[{\"batch\":1,\"clients\":1,"),
        "{json}"
    );
}

#[test]
fn games_are_analysed_and_gone_on_with() {
    let (folder, games) = (folder("analyze"), file("analyze.pgn", GAMES.as_bytes()));
    let [cache, plots, table] = ["cache", "plots", "table"].map(|name| folder.join(name));
    let arguments = [
        "analyze",
        text(&games),
        "--backend",
        "random",
        "--cache",
        text(&cache),
        "--batch",
        "4",
    ];
    let first = nnue(&[&arguments[..], &["--plots", text(&plots)]].concat());
    assert!(
        first.err.contains("left out: ")
            && first
                .err
                .contains("game 3, byte 168: `e4` instead of a legal move"),
        "{}",
        first.err
    );
    assert!(
        first.err.contains("0 in files, 10 computed"),
        "{}",
        first.err
    );
    let out = first.succeeds();
    for part in [
        "game 1: A - B, 0-1\n",
        "2... Qh4  ",
        "\n     3. -        -1.0000  0.0000 ",
        "20... O-O",
        "21. O-O-O",
        "  losses: ",
    ] {
        assert!(out.contains(part), "`{part}` is not in\n{out}");
    }
    let svg = std::fs::read_to_string(plots.join("game-1.svg")).expect("a drawing");
    assert!(
        svg.contains("1: A - B, 0-1") && svg.contains("value for White") && svg.contains("draws"),
        "{svg}"
    );
    assert!(plots.join("game-3.svg").exists());

    // the same again computes nothing, on several threads too, and says the same
    let again = nnue(&[&arguments[..], &["--threads", "3", "-o", text(&table)]].concat());
    assert!(again.err.contains("0 computed"), "{}", again.err);
    assert_eq!(again.succeeds(), "");
    assert_eq!(std::fs::read_to_string(&table).expect("a table"), out);
    let tsv = nnue(&[&arguments[..], &["--tsv"]].concat()).succeeds();
    let rows: Vec<Vec<&str>> = tsv.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows.len(), rows[0].len()), (12, 12));
    assert!(rows.iter().all(|row| row.len() == 12));
    assert_eq!(
        rows[6][1..4],
        ["39", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20", "O-O"]
    );

    let stats = nnue(&["cache", "stats", text(&cache)]).succeeds();
    assert!(
        stats.contains("positions  10, in 10 answers") && stats.contains("root, contexts"),
        "{stats}"
    );
    assert!(
        stats.contains("variable_length") && stats.contains("\npolicies   9, of "),
        "{stats}"
    );
    let one = folder.join("cache.1");
    nnue(&["cache", "stats", text(&one)])
        .fails_naming(&["no cache of this name", "leave out its number"]);
    nnue(&[
        "analyze",
        text(&games),
        "--backend",
        "random(seed=1)",
        "--cache",
        text(&cache),
    ])
    .fails_naming(&["another network, or other options"]);
    // a book: answers are at hand
    let book = format!("cached(random, file='{}')", cache.display());
    let out = nnue(&["eval", "--backend", &book]).succeeds();
    assert!(
        out.contains("cached: 0 found in memory, 1 in files, 0 computed"),
        "{out}"
    );
}

#[test]
fn positions_are_analysed() {
    let fens = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\tstart\n8/8 w\n4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\n";
    let run = nnue_reading(fens, &["analyze", "-"]);
    assert_eq!(
        run.err,
        "note: left out: standard input, line 2: a FEN has at least four fields, this has 2\n"
    );
    let out = run.succeeds();
    assert_eq!(out.lines().count(), 3);
    assert!(
        out.lines()
            .nth(2)
            .expect("a row")
            .ends_with("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"),
        "{out}"
    );
    nnue(&["analyze", "no/such.pgn"]).fails_to_read("no/such.pgn", "no such file");
    nnue(&["analyze", "-", "--threads", "0"]).fails_with("--threads 0: expected 1 to 256");
}

/// Networks whose declarations are read when the command runs are evaluated by `reference`.
#[test]
fn declarations_of_ones_own() {
    let (declaration, net) = declared::files("backends", declared::STACKS);
    let (declaration, net) = (text(&declaration), text(&net));
    let arguments = [
        "eval",
        "--declaration",
        declaration,
        "--net",
        net,
        "--fen",
        declared::MIDDLE,
        "--tsv",
    ];
    let plain = nnue(&arguments).succeeds();
    let value = plain
        .lines()
        .nth(1)
        .and_then(|row| row.split('\t').nth(4))
        .expect("a value");
    let inside = format!("reference(declaration='{declaration}:Stacks', net='{net}')");
    for arguments in [
        [
            &arguments[..],
            &[
                "--backend",
                "check(reference, cached(reference), freq=1, exact=true, fail=true)",
            ],
        ]
        .concat(),
        vec![
            "eval",
            "--backend",
            &inside,
            "--fen",
            declared::MIDDLE,
            "--tsv",
        ],
        // a backend that names its file does not use the declaration of another one
        [&arguments[..], &["--backend", &inside]].concat(),
    ] {
        let out = nnue(&arguments).succeeds();
        let score = out
            .lines()
            .nth(1)
            .and_then(|row| row.split('\t').nth(4))
            .expect("a score");
        assert_eq!(score, value, "{arguments:?}");
    }
    let analyzed = nnue_reading(
        declared::MIDDLE,
        &[
            "analyze",
            "-",
            "--backend",
            "reference",
            "--declaration",
            declaration,
            "--net",
            net,
        ],
    );
    assert_eq!(analyzed.succeeds().lines().count(), 2);
    let both = nnue(
        &[
            &arguments[..],
            &[
                "--backend",
                "check(nnue, reference, freq=1, exact=true, fail=true)",
            ],
        ]
        .concat(),
    );
    assert_eq!(
        both.succeeds()
            .lines()
            .nth(1)
            .and_then(|row| row.split('\t').nth(4)),
        Some(value)
    );
    nnue(&["eval", "--backend", "reference(arch=v9, declaration=x.rs)"])
        .fails_with("--backend: `reference`: `arch` and `declaration` both say how the file is read: leave out one");
    nnue(&["eval", "--backend", "reference(declaration=no.rs, net=x)"])
        .fails_naming(&["cannot read /", "/no.rs: "]);
    let own = "pub struct Own = self::Squares[32] -> 32x2 @ 255 screlu -> 1: i16 { format raw };\n";
    let (declaration, net) = declared::files("backends-own", own);
    let out = nnue(&[
        "eval",
        "--backend",
        "reference",
        "--declaration",
        text(&declaration),
        "--net",
        text(&net),
    ]);
    out.fails_naming(&["the feature set `Squares` of `Own` is defined by a program"]);
}

/// Kings side by side: no moves are defined, and a network alone evaluates them.
#[test]
fn what_is_no_position_of_a_game_is_left_out() {
    const TOUCHING: &str = "8/8/8/8/8/8/kp6/K7 w - - 0 1";
    let why = "no position of a game: the kings on a1 and a2 stand side by side";
    nnue(&["eval", "--backend", "random", "--fen", TOUCHING]).fails_naming(&[why]);
    let fens = file(
        "touching.fen",
        format!("{TOUCHING}\nkK6/8/8/8/8/8/8/8 w - - 0 1\n4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n")
            .as_bytes(),
    );
    let run = nnue(&["analyze", text(&fens), "--backend", "random", "--tsv"]);
    assert!(
        run.err.contains(&format!("line 1: {why}")) || run.err.contains(&format!(":1: {why}")),
        "{}",
        run.err
    );
    assert_eq!(run.succeeds().lines().count(), 2);
    let pgn = file(
        "touching.pgn",
        format!("[FEN \"{TOUCHING}\"]\n[SetUp \"1\"]\n\n1. Kxa2 1-0\n\n[Event \"?\"]\n\n1. e4 *\n")
            .as_bytes(),
    );
    let run = nnue(&["analyze", text(&pgn), "--backend", "random", "--tsv"]);
    assert!(run.err.contains("left out: "), "{}", run.err);
    assert_eq!(run.succeeds().lines().count(), 3);
    nnue(&["eval", "--fen", TOUCHING]).succeeds();
}

/// Answers to another question: those of the last position alone are not those of positions with their history.
#[test]
fn a_cache_does_not_answer_another_question() {
    let (folder, games) = (
        folder("other-question"),
        file("other.pgn", GAMES.as_bytes()),
    );
    let cache = folder.join("r.cache");
    let backend = |options: &str| format!("cached(random{options}, file='{}')", cache.display());
    nnue(&[
        "analyze",
        text(&games),
        "--backend",
        &backend(", history=1"),
    ])
    .succeeds();
    nnue(&["eval", "--backend", &backend("")]).fails_naming(&[
        "its answers are kept with history=1, this cache has history=0",
        "name another file",
    ]);
    nnue(&["eval", "--backend", &backend(", history=1")]).succeeds();
}

#[cfg(unix)]
#[test]
fn devices_are_not_analysed() {
    nnue(&["analyze", "/dev/zero", "--backend", "random"])
        .fails_naming(&["/dev/zero", "a regular file is expected"]);
}
