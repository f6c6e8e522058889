//! `nnue inspect`, `archs`, `verify`, `bench`, `expand` and the help.

use nnue_testkit::synthetic::{Profile, Synthetic};

use crate::{file, nnue, nnue_at, nnue_reading, text};

#[test]
fn help_teaches_with_examples() {
    assert!(nnue(&["--help"]).succeeds().contains("nnue eval nn-"));
    assert!(
        nnue(&["eval", "--help"])
            .succeeds()
            .contains("game ply pieces bucket psqt positional")
    );
    assert!(
        nnue(&["bench", "--help"])
            .succeeds()
            .contains("the unit of the ratios")
    );
    assert_eq!(nnue(&[]).code, Some(2));
}

#[test]
fn shells_and_man_know_every_subcommand() {
    let names = [
        "eval", "inspect", "verify", "bench", "convert", "optimize", "quantize", "expand",
        "golden", "export", "import", "man",
    ];
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = nnue(&["completions", shell]).succeeds();
        assert!(names.iter().all(|name| script.contains(name)), "{shell}");
        // what options take, too; PowerShell and Elvish complete names of options only
        let values = ["sfnn_small_255", "avx512vnni"];
        let completes = values.iter().all(|value| script.contains(value));
        assert_eq!(
            completes,
            ["bash", "fish", "zsh"].contains(&shell),
            "{shell}"
        );
    }
    let folder = file("of-pages", b"").with_file_name("pages");
    nnue(&["man", text(&folder)]).succeeds();
    for name in names {
        let page = std::fs::read_to_string(folder.join(format!("nnue-{name}.1"))).expect("a page");
        assert!(page.contains(&format!("nnue\\-{name}")), "{page}");
    }
    nnue(&["man", text(&folder.join("nnue.1"))]).fails_naming(&["nnue.1"]);
}

#[test]
fn archs_lists_chains() {
    let out = nnue(&["archs"]).succeeds();
    let names: Vec<&str> = out
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert_eq!(names[..3], ["default", "sfnnv1", "sfnnv2"]);
    assert!(
        out.contains("HalfKP[41024] -> 256x2 -> 32 -> 32 -> 1"),
        "{out}"
    );
}

#[test]
fn inspect_shows_how_layers_are_computed() {
    let path = file(
        "forms.nnue",
        &Synthetic::new("v9s", Profile::Normal).bytes(),
    );
    let out = nnue(&["inspect", text(&path), "--arch", "sfnn_small"]).succeeds();
    let table = out
        .split("layers at level ")
        .nth(1)
        .unwrap_or_else(|| panic!("{out}"));
    let first = table
        .lines()
        .find(|line| line.starts_with("fc0 "))
        .unwrap_or_else(|| panic!("{out}"));
    assert_eq!(first.matches('*').count(), 1, "{first}");
    assert!(
        first.contains("listed blocks") && first.contains("whole vectors"),
        "{first}"
    );
    let ends = [
        "all blocks, one buffer after the other",
        "all blocks: its inputs are not whole lines of 64",
    ];
    let second = table
        .lines()
        .find(|line| line.starts_with("fc1 "))
        .unwrap_or_else(|| panic!("{out}"));
    assert!(ends.iter().any(|end| second.ends_with(end)), "{second}");
}

#[test]
fn inspect_shows_header_tensors_and_bounds() {
    let out = nnue(&["inspect"]).succeeds();
    for part in [
        "768x4hm[3072] -> 128x2 pairwise",
        "ft_weight    3072 x 128 ",
        "fc0_weight   8 x 16 x 128 ",
        "accumulator",
        "fits in i16",
    ] {
        assert!(out.contains(part), "`{part}` is not in:\n{out}");
    }
}

#[test]
fn verify_runs_every_level() {
    let out = nnue(&["verify", "--games", "2"]).succeeds();
    for level in nnue::Level::available() {
        let name = level.level().name();
        assert!(
            out.lines()
                .any(|line| line.starts_with(name) && line.contains("evaluations equal")),
            "{name}: {out}"
        );
    }
}

#[test]
fn the_level_and_the_reason_for_it_are_said() {
    // Measured without optimisation, scalar code takes twenty seconds.
    let low = nnue::Level::available()
        .nth(1)
        .map_or("scalar", |level| level.level().name());
    for (level, arguments) in [
        ("scalar", "eval"),
        ("scalar", "verify --games 1"),
        (low, "bench --repetitions 1"),
    ] {
        let out = nnue_at(level, &arguments.split(' ').collect::<Vec<_>>()).succeeds();
        assert!(
            out.contains(&format!("{level} (named by NNUE_LEVEL)")),
            "{out}"
        );
    }
    let best = nnue::Level::detect();
    let out = nnue_at("scalar", &["eval", "--level", best.level().name()]).succeeds();
    assert!(out.contains(&format!("{best} (named by --level)")), "{out}");
}

/// Another level than the named one would be used, silently.
#[test]
fn a_wrong_level_in_the_environment_is_refused() {
    let error = format!(
        "NNUE_LEVEL: {}",
        "mmx".parse::<nnue::Level>().expect_err("no level")
    );
    for arguments in [
        "eval",
        "verify --games 1",
        "bench --repetitions 1",
        "bench --growth",
        "bench --plans --shapes",
    ] {
        nnue_at("mmx", &arguments.split(' ').collect::<Vec<_>>()).fails_with(&error);
    }
    nnue_at("mmx", &["eval", "--level", "scalar"]).succeeds();
    nnue_at("mmx", &["archs"]).succeeds();
}

#[test]
fn bench_measures_every_workload() {
    let out = nnue(&["bench", "--repetitions", "1"]).succeeds();
    let workloads = [
        "replay",
        "update",
        "nk",
        "line",
        "tree",
        "children",
        "refresh, cache cleared",
        "forward, in context",
    ];
    for workload in workloads {
        assert!(
            out.lines()
                .any(|line| line.trim_start().starts_with(workload)),
            "{workload}: {out}"
        );
    }
    let json = nnue(&["bench", "--repetitions", "1", "--json"]).succeeds();
    assert!(
        json.starts_with("{\"reports\":[{\"network\":")
            && json.contains("{\"name\":\"nk\",\"ns\":"),
        "{json}"
    );
}

#[test]
fn bench_compares_batches_with_single_positions() {
    let fens = concat!(env!("CARGO_MANIFEST_DIR"), "/data/suite.fen");
    let arguments = [
        "bench",
        "--batch",
        "--repetitions",
        "1",
        "--threads",
        "2",
        "--positions",
        fens,
    ];
    let out = nnue(&arguments).succeeds();
    assert!(
        out.starts_with("8192 positions, ") && out.contains("drawn from 325 of "),
        "{out}"
    );
    for way in [
        "fresh",
        "stack, cache cleared",
        "stack, cache warm",
        "batches of 16",
        "batches of 256",
        "batches of 4096",
    ] {
        let line = out
            .lines()
            .find(|line| line.trim_start().starts_with(way))
            .unwrap_or_else(|| panic!("{way}: {out}"));
        let numbers: Vec<f64> = line[24..]
            .split_whitespace()
            .map(|word| word.parse().expect(line))
            .collect();
        let [threads, ns, per_second, x_fresh, _, _] = numbers[..] else {
            panic!("{line}")
        };
        assert!(
            threads == if way.starts_with("batches") { 2.0 } else { 1.0 },
            "{line}"
        );
        assert!(
            (ns * per_second / 1e9 - 1.0).abs() < 0.01 && x_fresh > 0.0,
            "{line}"
        );
    }
    let json = nnue(&[&arguments[..], &["--json"]].concat()).succeeds();
    assert!(
        json.contains("{\"name\":\"batches of 256\",\"threads\":2,\"ns\":"),
        "{json}"
    );
}

#[test]
fn bench_measures_all_forms_of_a_layer() {
    let path = file(
        "plans.nnue",
        &Synthetic::new("v9s", Profile::Normal).bytes(),
    );
    let arguments = [
        "bench",
        "--plans",
        "--repetitions",
        "1",
        "--level",
        "scalar",
        "--arch",
        "sfnn_small",
        "--net",
        text(&path),
    ];
    let out = nnue(&arguments).succeeds();
    let head = out
        .lines()
        .find(|line| line.starts_with("layer "))
        .unwrap_or_else(|| panic!("{out}"));
    assert!(
        ["listed blocks", "all blocks", "whole vectors"]
            .iter()
            .all(|form| head.contains(form)),
        "{out}"
    );
    let first = out
        .lines()
        .find(|line| line.starts_with("fc0 "))
        .unwrap_or_else(|| panic!("{out}"));
    let words: Vec<&str> = first.split_whitespace().collect();
    let [inputs, outputs, active] = [1, 2, 3].map(|at| words[at].parse::<f64>().expect(first));
    assert!(
        inputs > 0.0 && outputs > 0.0 && 0.0 < active && active <= 100.0,
        "{first}"
    );
    assert_eq!(
        words.iter().filter(|word| word.starts_with('*')).count(),
        1,
        "{first}"
    );
    let json = nnue(&[&arguments[..], &["--json"]].concat()).succeeds();
    assert!(
        json.contains(r#""candidates":[{"form":"listed blocks","ns":"#),
        "{json}"
    );
}

#[test]
fn bench_fits_lines_to_what_it_measures() {
    let arguments = ["bench", "--growth", "--repetitions", "1", "--threads", "1"];
    let out = nnue(&arguments).succeeds();
    for part in [
        "rows of 16-bit weights, from the second cache",
        "rows of 16 and of 8 bits, from memory",
        "layers",
    ] {
        let table = out
            .split(part)
            .nth(1)
            .unwrap_or_else(|| panic!("{part}: {out}"));
        let line = table
            .lines()
            .find(|line| line.starts_with("  line: ns = "))
            .unwrap_or_else(|| panic!("{part}: {out}"));
        let costs = line
            .split_whitespace()
            .filter_map(|word| word.parse::<f64>().ok());
        assert!(
            costs.clone().count() == 3 && costs.sum::<f64>() > 0.0,
            "{line}"
        );
    }
    assert!(
        out.lines()
            .any(|line| line.trim_start().starts_with("4096 |")),
        "{out}"
    );
    assert!(out.contains("passes/us"), "{out}");
}

#[test]
fn expand_prints_the_types_of_a_declaration() {
    let bare = nnue_reading(
        "/// Tiny.\npub struct Tiny = Chess768[..] -> 64x2 -> 1;",
        &["expand"],
    )
    .succeeds();
    assert!(
        bare.contains("pub struct Tiny;") && bare.contains("fn forward"),
        "{bare}"
    );
    let wrapped = "use nnue::nnue;\nnnue! {\n/// Tiny.\npub struct Tiny = Chess768[..] -> 64x2 -> 1;\n}\nfn main() {}";
    assert_eq!(nnue_reading(wrapped, &["expand", "-"]).succeeds(), bare);
}

#[test]
fn the_graph_of_a_chain_is_printed_with_its_defaults() {
    let chain = "pub struct X = HalfKAv2_hm[..] -> 128x2 -> (16 -> 1)x8;";
    let graph = "\
pub struct X {
    acc = accumulate(HalfKAv2_hm[22528], 128 @ 127) x 2, nonzero 16%;
    stacks 8 by (piece_count - 1) / 4 {
        let h1 = affine(crelu(acc), 16: i8 @ 64);
        output affine(crelu(h1) >> 6, 1: i8 @ 64);
    }
    value positional / 16;
    format stockfish { version: 0x7AF32F20, encoding: raw }
}
";
    assert_eq!(
        nnue_reading(chain, &["expand", "--graph"]).succeeds(),
        graph
    );
    let refused = nnue_reading("pub struct", &["expand", "--graph"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.err.contains("expected"), "{}", refused.err);
}
