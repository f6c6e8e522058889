//! Every example runs and prints the output in its header.
//!
//! The header of an example contains its output in a block marked `text`, in which `[..]` matches anything within a line.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The main file of an example: it has one file, or a folder of its name.
fn main_file(name: &str) -> PathBuf {
    let file = root().join(format!("examples/{name}.rs"));
    if file.exists() {
        file
    } else {
        root().join(format!("examples/{name}/main.rs"))
    }
}

/// The time at which the newest source of an example changed.
fn changed(name: &str) -> Option<SystemTime> {
    let modified = |path: PathBuf| fs::metadata(path).and_then(|file| file.modified()).ok();
    let main = main_file(name);
    let folder = main.parent().filter(|_| main.ends_with("main.rs"));
    let files = folder.into_iter().flat_map(fs::read_dir).flatten();
    let modules = files.filter_map(|entry| modified(entry.ok()?.path()));
    modules.chain(modified(main.clone())).max()
}

/// The output promised in the header of an example.
fn promised(source: &str) -> Vec<&str> {
    let header = source
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line));
    header
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
        .collect()
}

/// True if `line` is `pattern` with something in place of each `[..]`.
fn fits(line: &str, pattern: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = parts.next().and_then(|start| line.strip_prefix(start)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, inner)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in inner {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// The program of an example, which cargo builds beside this test. If only this test is run, cargo builds no examples; then it is built
/// here if it is missing or older than its source.
fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().expect("this test has a path");
    let profile = test
        .ancestors()
        .nth(2)
        .expect("it lies in the folder `deps` of a profile");
    let program = profile
        .join("examples")
        .join(name)
        .with_extension(std::env::consts::EXE_EXTENSION);
    let built = fs::metadata(&program).and_then(|file| file.modified()).ok();
    if built < changed(name) {
        let mut build = Command::new(env!("CARGO"));
        build.current_dir(root()).args([
            "build",
            "--quiet",
            "--profile",
            "test",
            "--example",
            name,
        ]);
        assert!(
            build.status().expect("cargo runs").success(),
            "{name} is not built"
        );
    }
    program
}

fn check(name: &str) {
    let source = fs::read_to_string(main_file(name)).expect("the example is there");
    let output = Command::new(program(name))
        .current_dir(root())
        .output()
        .expect("the example runs");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{name}: {}\n{printed}{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let (printed, promised): (Vec<&str>, _) = (printed.lines().collect(), promised(&source));
    assert!(
        !promised.is_empty(),
        "{name}: the header promises no output"
    );
    let same = printed.len() == promised.len()
        && printed
            .iter()
            .zip(&promised)
            .all(|(line, pattern)| fits(line, pattern));
    assert!(
        same,
        "{name} printed\n\n{}\n\nand its header promises\n\n{}\n",
        printed.join("\n"),
        promised.join("\n")
    );
}

/// The reference interpreter is slow and not small: it is for tools, tests, and the message about golden values that do not fit.
#[test]
#[cfg(target_os = "linux")]
fn programs_without_golden_values_contain_no_reference_interpreter() {
    let names = |name: &str, symbol: &str| {
        let program = fs::read(program(name)).expect("the example was built");
        program
            .windows(symbol.len())
            .any(|bytes| bytes == symbol.as_bytes())
    };
    assert!(
        names("09_bullet", "nnue_spec9reference"),
        "symbols are written otherwise now"
    );
    assert!(
        names("02_load", "nnue_runtime7network"),
        "symbols are written otherwise now"
    );
    assert!(!names("02_load", "nnue_spec9reference"));
}

macro_rules! examples {
    ($($test:ident $name:literal,)*) => {
        $(
            #[test]
            fn $test() {
                check($name);
            }
        )*

        #[test]
        fn every_example_is_run() {
            let mut there: Vec<String> = fs::read_dir(root().join("examples"))
                .expect("there are examples")
                .filter_map(|entry| Some(entry.ok()?.file_name().to_str()?.trim_end_matches(".rs").to_owned()))
                .filter(|name| main_file(name).exists())
                .collect();
            there.sort();
            assert_eq!(there, [$($name),*]);
        }
    };
}

examples! {
    hello "01_hello",
    load "02_load",
    accumulator "03_accumulator",
    buckets "04_buckets",
    stockfish_net "05_stockfish_net",
    levels "06_levels",
    search "07_search",
    threats "08_threats",
    bullet "09_bullet",
    ataxx "10_ataxx",
    shogi "11_shogi",
    own_buckets "12_own_buckets",
    float_head "13_float_head",
    custom_activation "14_own_activation",
    intermediate_values "15_intermediate_values",
    dense_input "16_dense_input",
    xnor "17_xnor",
    digits "18_digits",
    puct "19_puct",
    duel "20_match",
    rows "21_rows",
    engines "engines",
    without_macro "without_macro",
}

/// The search of example 19 as an engine: a game that is played on, a position that is none, a mate.
#[test]
fn the_search_speaks_uci() {
    let mut engine = Command::new(program("19_puct"));
    engine
        .arg("uci")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut engine = engine.spawn().expect("the example runs");
    let commands = "uci\nisready\nposition startpos moves e2e4 e7e5\ngo nodes 50\nposition fen nonsense\n\
                    position fen r2qk2r/pb4pp/1n2Pb2/2B2Q2/p1p5/2P5/2B2PPP/RN2R1K1 w kq - 0 1 moves f5g6 h7g6\ngo nodes 5000\n\
                    position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo movetime 5\nquit\n";
    engine
        .stdin
        .take()
        .expect("a pipe")
        .write_all(commands.as_bytes())
        .expect("it reads");
    let output = engine.wait_with_output().expect("it ends after quit");
    let said = String::from_utf8(output.stdout).expect("text");
    let moves: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect();
    assert!(
        output.status.success() && said.contains("uciok\nreadyok\n"),
        "{said}"
    );
    assert!(
        said.contains("info string this is no position: position fen nonsense"),
        "{said}"
    );
    assert!(
        moves.len() == 3 && moves[1..] == ["c2g6", "0000"] && moves[0].len() == 4,
        "{said}"
    );
}

/// The engine of `examples/engines` is given another file, a wrong one, and positions.
#[test]
fn the_small_engine_speaks_uci() {
    let mut engine = Command::new(program("engines"));
    engine
        .arg("uci")
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut engine = engine.spawn().expect("the example runs");
    let commands = "uci\nsetoption name EvalFile value Cargo.toml\nposition fen nonsense\nposition startpos moves e2e4 e7e5\ngo depth 2\n\
                    setoption name EvalFile value crates/cli/nets/default.nnue\nisready\n\
                    position fen 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1\ngo depth 3\n\
                    position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo depth 2\nquit\n";
    engine
        .stdin
        .take()
        .expect("a pipe")
        .write_all(commands.as_bytes())
        .expect("it reads");
    let output = engine.wait_with_output().expect("it ends after quit");
    let said = String::from_utf8(output.stdout).expect("text");
    let moves: Vec<&str> = said
        .lines()
        .filter_map(|line| line.strip_prefix("bestmove "))
        .collect();
    assert!(output.status.success(), "{said}");
    assert!(
        said.contains("uciok\n") && said.contains("readyok\n"),
        "{said}"
    );
    assert!(said.contains("info string Cargo.toml: "), "{said}");
    assert!(
        said.contains("info string this is no position: position fen nonsense"),
        "{said}"
    );
    assert!(
        moves.len() == 3 && moves[0].len() == 4 && moves[1..] == ["d1d8", "0000"],
        "{said}"
    );
}

#[test]
fn patterns_stand_for_parts_of_a_line() {
    assert!(fits("12 nodes, 3 thousand", "[..] nodes, [..] thousand"));
    assert!(fits("abc", "abc") && fits("abc", "[..]") && fits("abc", "a[..]"));
    assert!(!fits("abc", "ab") && !fits("abc", "[..]b") && !fits("xabc", "a[..]"));
}
