//! `nnue quantize --calibrate`.

use std::path::PathBuf;

use nnue_testkit::random::Random;

use crate::quantize::weights;
use crate::{file, nnue, text};

const DEEP: &str = "pub struct Deep = (768 -> 32)x2 @ 127 crelu -> 8 -> 1 { format raw };\n";

/// Weights of a network whose accumulators stay below a third of their range, times `by`.
fn floats(by: f32) -> Vec<(&'static str, Vec<f32>)> {
    let mut random = Random::new(9);
    let mut tensor = |count: usize, greatest: f32| -> Vec<f32> {
        (0..count)
            .map(|_| (random.below(2001) as f32 / 1000.0 - 1.0) * greatest)
            .collect()
    };
    vec![
        ("l0w", tensor(768 * 32, 0.02 * by)),
        ("l0b", tensor(32, 0.1 * by)),
        ("l1w", tensor(64 * 8, 0.7)),
        ("l1b", tensor(8, 0.2 * by)),
        ("l2w", tensor(8, 0.9)),
        ("l2b", tensor(1, 0.1)),
    ]
}

/// The files that a calibration reads: floats, declaration, positions.
fn files(name: &str, declaration: &str, floats: &[(&str, Vec<f32>)]) -> [PathBuf; 3] {
    let suite = std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/data/suite.fen"))
        .expect("it is committed");
    [
        weights(&format!("{name}-weights.bin"), floats),
        file(&format!("{name}.rs"), declaration.as_bytes()),
        file(&format!("{name}.fen"), &suite),
    ]
}

/// The mean drift in the row of the report that begins with `name`.
fn drift(report: &str, name: &str) -> f64 {
    let rows = report
        .split("drift in ")
        .nth(1)
        .expect("the report has drifts");
    let row = rows
        .lines()
        .find(|line| line.trim_start().starts_with(name))
        .expect("the row is there");
    let numbers: Vec<&str> = row.split_whitespace().collect();
    numbers[numbers.len() - 2].parse().expect("a number")
}

#[test]
fn small_values_are_counted_more_finely() {
    let [floats, source, positions] = files("calibrated", DEEP, &floats(1.0));
    let (output, plots) = (
        source.with_file_name("calibrated.bin"),
        source.with_file_name("calibrated-plots"),
    );
    let base = [
        "quantize",
        text(&floats),
        "--declaration",
        text(&source),
        "--round",
        "nearest",
    ];
    for method in ["max", "percentile", "percentile=99.9", "mse", "kl"] {
        let more = [
            "--calibrate",
            method,
            "--positions",
            text(&positions),
            "--plots",
            text(&plots),
            "-o",
            text(&output),
        ];
        let report = nnue(&[&base[..], &more].concat()).succeeds();
        assert!(
            report.contains(&format!("calibration  {method}")),
            "{report}"
        );
        let (declared, chosen) = (drift(&report, "scales as declared"), drift(&report, method));
        let most = if method.starts_with("percentile") {
            0.8
        } else {
            0.6
        };
        assert!(
            chosen < most * declared,
            "{method}: {chosen}, {declared}\n{report}"
        );
        for site in ["accumulator.svg", "fc0.svg"] {
            let svg = std::fs::read_to_string(plots.join(site)).expect("it was drawn");
            assert!(
                svg.starts_with("<svg") && svg.matches("stroke-dasharray").count() == 4,
                "{svg}"
            );
        }
        let eval = [
            "eval",
            "--declaration",
            text(&source),
            "--net",
            text(&output),
            "--tsv",
        ];
        assert_eq!(nnue(&eval).succeeds().lines().count(), 2);
    }
}

/// Random positions of two lists, each followed by a change that removes a row.
fn lists(count: usize) -> String {
    let mut random = Random::new(3);
    let mut list = || -> Vec<String> {
        let row = |part: usize| (32 * part + random.below(32)).to_string();
        (0..24).map(row).collect()
    };
    let mut pair = || {
        let [white, black] = [list(), list()];
        let (removed, both) = (&white[0], [white.join(" "), black.join(" ")].join(" | "));
        format!("{both}\n-{removed} |\n")
    };
    (0..count / 2).map(|_| pair()).collect()
}

/// Lists of rows, and changes, are what boards are: the float network is the same, its positions are listed.
#[test]
fn lists_of_rows_choose_scales() {
    let declaration =
        "pub struct Listed = rows[768, active 32] -> 32x2 @ 127 crelu -> 8 -> 1 { format raw };\n";
    let [floats, source, fens] = files("calibrated-rows", declaration, &floats(1.0));
    let rows = file("calibrated-rows.txt", lists(400).as_bytes());
    let base = ["quantize", text(&floats), "--declaration", text(&source)];
    let quantize = |more: &[&str]| nnue(&[&base[..], &["--round", "nearest"], more].concat());
    for method in ["max", "kl"] {
        let report = quantize(&["--calibrate", method, "--rows", text(&rows)]).succeeds();
        assert!(report.contains("400 positions"), "{report}");
        let (declared, chosen) = (drift(&report, "scales as declared"), drift(&report, method));
        assert!(chosen < 0.7 * declared, "{method}: {chosen}, {declared}");
    }
    let report = quantize(&["--rows", text(&rows)]).succeeds();
    let measured = format!("of the value, 400 positions of {}", rows.display());
    assert!(report.contains(&measured), "{report}");
    let report = quantize(&[]).succeeds();
    assert!(
        report.contains(
            "not measured: no positions (they are lists of rows, which --rows FILE names)"
        ),
        "{report}"
    );
    quantize(&["--calibrate", "kl", "--positions", text(&fens)]).fails_with(
        "--positions: positions of `Listed` are lists of rows, which --rows FILE names",
    );
    let wrong = file("calibrated-wrong.txt", b"3 4 | 5\n3 900 | 5\n");
    quantize(&["--rows", text(&wrong)]).fails_naming(&["calibrated-wrong.txt, line 2", "row 900"]);
    let chess = file("calibrated-chess.rs", DEEP.as_bytes());
    nnue(&[
        "quantize",
        text(&floats),
        "--declaration",
        text(&chess),
        "--rows",
        text(&rows),
    ])
    .fails_with("--rows: positions of `Deep` are boards of chess, which --positions FILE names");
}

#[test]
fn what_the_trainer_did_not_clip_is_made_smaller() {
    // The scale of the last layer leaves room for weights that grow as values shrink.
    let coarse = DEEP.replace("-> 1 ", "-> 1: i8 @ 8 ");
    let [floats, source, positions] = files("unclipped", &coarse, &floats(12.0));
    let base = [
        "quantize",
        text(&floats),
        "--declaration",
        text(&source),
        "--round",
        "nearest",
        "--calibrate",
        "max",
    ];
    let base = [&base[..], &["--positions", text(&positions)]].concat();
    let report = nnue(&[&base[..], &["--unclipped", "all"]].concat()).succeeds();
    assert!(report.contains("positions, floats not clipped"), "{report}");
    assert!(
        drift(&report, "max") < 0.1 * drift(&report, "scales as declared"),
        "{report}"
    );
    // A network that clips as its floats do is near them with any scale.
    let clipped = nnue(&base).succeeds();
    assert!(
        drift(&clipped, "scales as declared") < 0.1 * drift(&report, "scales as declared"),
        "{clipped}"
    );
}

#[test]
fn scales_that_the_declaration_could_have_are_named() {
    let coarse = DEEP.replace("-> 8 -> 1", "-> 8: i8 @ 16 -> 1");
    let [floats, source, positions] = files("coarse", &coarse, &floats(1.0));
    let base = [
        "quantize",
        text(&floats),
        "--declaration",
        text(&source),
        "--round",
        "nearest",
    ];
    let base = [
        &base[..],
        &["--positions", text(&positions), "--calibrate", "kl"],
    ]
    .concat();
    let report = nnue(&base).succeeds();
    assert!(
        report.contains(" in the declaration, instead of `@ 16`, would have a drift of "),
        "{report}"
    );
    // Their factors are not those that the user gives.
    let report = nnue(&[&base[..], &["--factor", "fc0_weight=16"]].concat()).succeeds();
    assert!(!report.contains("in the declaration"), "{report}");
}

#[test]
fn wrong_combinations_are_told() {
    let [weights, source, positions] = files("wrong", DEEP, &floats(1.0));
    let base = ["quantize", text(&weights), "--declaration", text(&source)];
    let quantize = |more: &[&str]| nnue(&[&base[..], more].concat());
    let is_usage = |more: &[&str], word: &str| {
        let run = quantize(more);
        assert!(run.code == Some(2) && run.err.contains(word), "{}", run.err);
    };
    is_usage(&["--calibrate", "kl"], "--positions <FILE>");
    is_usage(&["--unclipped", "all"], "--calibrate <METHOD>");
    is_usage(&["--plots", "x"], "--calibrate <METHOD>");
    is_usage(
        &["--calibrate", "entropy", "--positions", "x"],
        "`max`, `percentile`, `percentile=99.9`, `mse` and `kl`",
    );
    is_usage(
        &["--calibrate", "percentile=0", "--positions", "x"],
        "a percentile is above 0 and at most 100",
    );
    let with = |method: &str, positions: &str| {
        quantize(&["--calibrate", method, "--positions", positions])
    };
    with("kl", text(&file("none.fen", b"")))
        .fails_with("--positions has no positions, and the scales are chosen from values in them");
    with("kl", text(&file("bad.fen", b"8/8 w\n"))).fails_naming(&["bad.fen, line 1: "]);
    quantize(&[
        "--calibrate",
        "kl",
        "--positions",
        text(&positions),
        "--plots",
        text(&source),
    ])
    .fails_naming(&["cannot write ", "wrong.rs"]);
}

#[test]
fn networks_without_a_free_scale_are_refused() {
    let bits = "pub struct Bits = (768 -> 32)x2 -> 8 binary -> 1 { format raw };\n";
    let [floats, source, positions] = files("bits", bits, &floats(1.0));
    let calibrate = ["--calibrate", "kl", "--positions", text(&positions)];
    nnue(&[&["quantize", text(&floats), "--declaration", text(&source)], &calibrate[..]].concat())
        .fails_with("--calibrate: `Bits` has no scale that could be another (fc0: it belongs to a binary layer)");
}
