//! Programs in C, compiled with the sanitizers of addresses and of undefined behaviour, and linked with the static library.
#![cfg(unix)]

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::time::Duration;

use nnue::spec::reference;
use nnue::{AccumulatorStack, Network};
use nnue_testkit::process::{make_pipe, within};
use nnue_testkit::synthetic::{Profile, Synthetic};

#[path = "../examples/networks.rs"]
mod networks;

const SANITIZERS: &str = "-fsanitize=address,undefined";

/// A folder for what the tests make.
fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("c");
    std::fs::create_dir_all(&folder).expect("a folder for programs");
    folder
}

/// A library of the folder `examples`, which cargo builds with the tests of a package.
fn library(name: &str) -> PathBuf {
    let test = env::current_exe().expect("this program");
    let library = test
        .parent()
        .and_then(Path::parent)
        .expect("target/PROFILE")
        .join(format!("examples/lib{name}.a"));
    assert!(
        library.exists(),
        "{}: run `cargo build -p nnue-capi --examples` before",
        library.display()
    );
    library
}

/// Compiles a program of the folder `examples` with the library of `networks.rs`.
fn compiled(source: &str) -> PathBuf {
    compiled_with(source, "networks")
}

/// Compiles a program of the folder `examples` with one of its libraries, and the compiler of its language.
fn compiled_with(source: &str, name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (_, language) = source.split_once('.').expect("a name with its language");
    let (variable, usual, standard) = match language {
        "c" => ("CC", "cc", "-std=c11"),
        _ => ("CXX", "c++", "-std=c++20"),
    };
    let program = folder().join(source.replace('.', "-"));
    let mut compiler = Command::new(env::var_os(variable).unwrap_or_else(|| usual.into()));
    compiler.args([
        standard,
        "-O1",
        "-g",
        "-Wall",
        "-Wextra",
        "-Werror",
        SANITIZERS,
        "-fno-sanitize-recover=all",
        "-I",
    ]);
    compiler
        .arg(root.join("include"))
        .arg(root.join("examples").join(source))
        .arg(library(name));
    compiler
        .args(["-lpthread", "-ldl", "-lm", "-o"])
        .arg(&program);
    let output = compiler
        .output()
        .expect("a compiler of C, which Rust needs to link as well, and one of C++");
    assert!(output.status.success(), "{}", text(&output.stderr));
    program
}

/// The skeleton of an engine, compiled once for all tests.
static ENGINE: LazyLock<PathBuf> = LazyLock::new(|| compiled("engine.c"));

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn run(program: &Path, args: &[&str]) -> Output {
    Command::new(program)
        .args(args)
        .output()
        .expect("the program runs")
}

/// The standard output of a program that ends well.
fn printed(program: &Path, args: &[&str]) -> String {
    let output = run(program, args);
    assert!(
        output.status.success(),
        "{}{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    text(&output.stdout)
}

/// The games of the vectors, all of them: incremental evaluations by a board and changes of C.
#[test]
fn the_engine_evaluates_the_games_of_the_vectors() {
    let engine = &*ENGINE;
    assert_eq!(
        printed(engine, &["declared"]),
        "Material\nChances\nSfnnSmall\nDefault\n"
    );
    let file = folder().join("v9s.nnue");
    std::fs::write(&file, Synthetic::new("v9s", Profile::Normal).kept_bytes())
        .expect("a network is written");
    let games = nnue_testkit::positions_dir().join("games.tsv");
    let [file, games] = [&file, &games].map(|path| path.to_str().expect("UTF-8"));

    let printed = printed(engine, &["games", "SfnnSmall", file, games]);
    let row = |row: &nnue_testkit::vectors::GameRow| {
        format!(
            "{}\t{}\t{}\t{}\t{}",
            row.game, row.ply, row.bucket, row.psqt, row.positional
        )
    };
    let expected: Vec<_> = nnue_testkit::vectors::games("syn-v9s")
        .iter()
        .map(row)
        .collect();
    assert!(expected.len() > 1000);
    assert_eq!(printed.lines().collect::<Vec<_>>(), expected);
}

/// What the header of `faults.c` says.
#[test]
fn wrong_calls_are_refused() {
    let file = folder().join("chances.bin");
    std::fs::write(
        &file,
        Network::<networks::Chances>::random(1)
            .to_bytes()
            .expect("bytes"),
    )
    .expect("a network is written");
    printed(&compiled("faults.c"), &[file.to_str().expect("UTF-8")]);
}

/// These squares of the first rank, and those opposite to them.
fn both(first: u64) -> u64 {
    first | first << 56
}

/// The network in the library says what the same network says in Rust; a file that is none is refused with the reader's message.
#[test]
fn a_network_in_the_library_is_evaluated() {
    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let engine = &*ENGINE;
    let network = Network::<networks::Default>::embedded();
    let after_e4 = nnue_capi::Position {
        by_color: [0x1000_EFFF, 0xFFFF_0000_0000_0000],
        by_kind: [
            0x00FF_0000_1000_EF00,
            both(0x42),
            both(0x24),
            both(0x81),
            both(0x08),
            both(0x10),
        ],
        side_to_move: 1,
    };
    let value = network.evaluate_fresh(&after_e4).value;
    let level = network.level();
    assert_eq!(
        printed(engine, &["eval", "Default", "-", FEN]),
        format!("value {value:+}, level {level}\n")
    );

    let refused = run(
        engine,
        &["eval", "Default", env!("CARGO_MANIFEST_PATH"), FEN],
    );
    assert_eq!(refused.status.code(), Some(1));
    let expected =
        Network::<networks::Default>::open(env!("CARGO_MANIFEST_PATH")).expect_err("no network");
    assert_eq!(text(&refused.stderr), format!("error: {expected}\n"));
}

fn of_fen(fen: &str) -> nnue_capi::Position {
    nnue::spec::Fen::parse(fen).expect("a FEN").into()
}

/// Declares a network, and its declaration as text.
macro_rules! declared {
    ($text:ident, $($declaration:tt)*) => {
        nnue::nnue! { $($declaration)* }
        const $text: &str = stringify!($($declaration)*);
    };
}

declared! { OUTPUTS,
    pub struct Outputs {
        acc = accumulate(Chess768[mirrored], 64) x 2;
        let x = crelu(affine(pairwise(acc), 16));
        output affine(x, 1);
        output left = crelu(affine(x, 2)) * 100;
        output wdl = wdl(affine(x, 3: i8 @ 32));
        format raw;
    }
}

/// `libnnue` opens any file: with named outputs by a declaration, of Stockfish by the file alone or a name, compressed or not.
#[test]
fn any_network_is_described() {
    const FENS: [&str; 2] = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
    ];
    let program = compiled_with("described.c", "nnue");
    let path = |name: &str| folder().join(name).display().to_string();
    let network = Network::<Outputs>::random(3);
    std::fs::write(path("outputs.bin"), network.to_bytes().expect("bytes")).expect("a file");
    let numbers = |numbers: &[f32]| -> String {
        let shown = numbers.iter().map(|number| format!(" {number:?}"));
        shown.collect()
    };
    let expected = FENS.map(|fen| {
        let position = of_fen(fen);
        let mut stack = AccumulatorStack::new();
        let (said, (left, wdl)): (_, (OutputsLeft, OutputsWdl)) =
            network.evaluate_with(&position, &mut stack);
        format!(
            "value {}\nleft{}\nwdl{}\n",
            said.value,
            numbers(&left.0),
            numbers(&wdl.0.probabilities())
        )
    });
    let args = [OUTPUTS, &path("outputs.bin"), FENS[0], FENS[1]];
    let exact = |line: &str| {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default().to_owned();
        let rest: Vec<f32> = words.map(|word| word.parse().expect("a float")).collect();
        (name, rest)
    };
    let lines = |text: &str| text.lines().map(exact).collect::<Vec<_>>();
    assert_eq!(lines(&printed(&program, &args)), lines(&expected.concat()));

    let bytes = Synthetic::new("v9s", Profile::Normal).kept_bytes();
    std::fs::write(path("small.nnue"), &bytes).expect("a file");
    let network = Network::<nnue::stockfish::SfnnSmall>::from_bytes(&bytes).expect("a network");
    let expected = FENS.map(|fen| {
        let position = of_fen(fen);
        format!("value {}\n", network.evaluate_fresh(&position).value)
    });
    for declaration in ["-", "sfnn_small", "SfnnSmall"] {
        let args = [declaration, &path("small.nnue"), FENS[0], FENS[1]];
        assert_eq!(printed(&program, &args), expected.concat(), "{declaration}");
    }
}

/// Opening a pipe without a writer would wait forever.
#[test]
fn a_pipe_is_not_opened() {
    let pipe = folder().join("pipe");
    let _ = std::fs::remove_file(&pipe);
    make_pipe(&pipe);
    let path = pipe.display().to_string();
    let args = ["eval", "Default", &path, "4k3/8/8/8/8/8/8/4K3 w - -"].map(str::to_owned);
    let refused = within(Duration::from_secs(60), move || {
        run(&ENGINE, &args.each_ref().map(String::as_str))
    });
    let message = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(1), "{message}");
    assert!(
        message.ends_with("a regular file is expected\n"),
        "{message}"
    );
}

/// The functions of nnue-probe say what the network says, by a FEN and by lists of pieces.
#[test]
fn programs_of_nnue_probe_go_on() {
    const FENS: [&str; 2] = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    ];
    let probe = compiled("probe.c");
    let network = Network::<networks::Default>::embedded();
    let value = |fen: &str| {
        let position = of_fen(fen);
        format!("{}\n", network.evaluate_fresh(&position).value)
    };
    let pawn = value(FENS[1]);
    let expected = value(FENS[0]) + &pawn + &pawn;
    assert_eq!(printed(&probe, &["-", FENS[0], FENS[1]]), expected);

    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../cli/nets/default.nnue");
    let file = file.to_str().expect("UTF-8");
    assert_eq!(printed(&probe, &[file, FENS[0], FENS[1]]), expected);
    let refused = run(&probe, &["-", "8/8 w"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).contains("a board has 8 ranks, found 2"));
}

/// Stacks that are copied at each fork, on two threads, say what the positions say.
#[test]
fn stacks_are_copied_in_cpp() {
    let lines = printed(&compiled("lines.cpp"), &["Default", "-"]);
    let values: Vec<Vec<&str>> = lines
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(values.len(), 15, "{lines}");
    for line in values {
        assert!(line[1] == line[2] && line[2] == line[3], "{line:?}");
    }
}

/// The folder of lists, networks and the values that `nnue eval --rows` prints of them.
fn rows() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/rows")
}

/// The value of each position, before it is rounded, by the reference interpreter.
fn real_values(name: &str, positions: &[&str]) -> Vec<String> {
    let path = |ending: &str| rows().join(format!("{name}.{ending}"));
    let declaration = std::fs::read_to_string(path("rs")).expect("a declaration");
    let net = nnue_codegen::described_text(&declaration).expect("a network")[0];
    let network = nnue::dynamic::Network::open(net, path("nnue")).expect("weights");
    let mut rows = nnue::rows::RowSets::new(&network.rows_shape().expect("lists"));
    let real = |position: &&str| {
        rows.set_text(position).expect("rows");
        let trace = reference::evaluate(net, &network.tensors(), &rows);
        let stack = &trace.stacks[trace.bucket];
        let real = net.real_value_of(trace.used_psqt(), stack.output(net), rows.black_to_move());
        assert_eq!(real.trunc() as i32, trace.value, "{name}: {position}");
        let parts = reference::evaluate_parts(net, &network.tensors(), &rows);
        assert_eq!(parts.output, stack.output(net));
        format!("{real:?}")
    };
    positions.iter().map(real).collect()
}

#[test]
fn lists_of_rows_have_the_values_of_the_command() {
    let program = compiled("rows.c");
    for name in ["single", "double", "floats", "stacks", "trained"] {
        let path = |ending: &str| rows().join(format!("{name}.{ending}"));
        let table = std::fs::read_to_string(path("tsv")).expect("a table");
        let (lists, expected): (Vec<&str>, Vec<&str>) = table
            .lines()
            .skip(1)
            .map(|line| line.split_once('\t').expect("columns"))
            .unzip();
        let input = folder().join(format!("rows-{name}.txt"));
        std::fs::write(&input, lists.join("\n") + "\n").expect("lists are written");
        let output = Command::new(&program)
            .args([path("rs"), path("nnue")])
            .stdin(std::fs::File::open(&input).expect("lists"))
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", text(&output.stderr));
        let without_bits = |line: &str| line.rsplit_once('\t').expect("bits").0.to_owned();
        let integers: Vec<String> = expected.into_iter().map(without_bits).collect();
        assert!(integers.len() > 40);
        let printed = text(&output.stdout);
        let (found, reals): (Vec<&str>, Vec<&str>) = printed
            .lines()
            .map(|line| line.rsplit_once('\t').expect("a real value"))
            .unzip();
        assert_eq!(found, integers);
        let exact = |real: &str| format!("{:?}", real.parse::<f64>().expect("a float"));
        let reals: Vec<_> = reals.into_iter().map(exact).collect();
        assert_eq!(reals, real_values(name, &lists));
    }
}

/// What the header of `rows_faults.c` says.
#[test]
fn wrong_calls_with_rows_are_refused() {
    let file = rows().join("single.nnue");
    printed(&compiled("rows_faults.c"), &[file.to_str().expect("UTF-8")]);
}

/// What the header of `declaration_of.c` says.
#[test]
fn a_declaration_is_found_for_a_file() {
    let file = folder().join("unknown.bin");
    let numbers = 768 * 64 + 64 + 2 * 64 + 1;
    let bytes: Vec<u8> = (0..numbers)
        .flat_map(|n| ((n % 90) as i16).to_le_bytes())
        .collect();
    std::fs::write(&file, bytes).expect("a file is written");
    let text = printed(
        &compiled("declaration_of.c"),
        &[file.to_str().expect("UTF-8")],
    );
    let declaration = "pub struct Network = (768 -> 64)x2 @ 255 screlu -> 1: i16 @ 64 {";
    assert!(text.contains(declaration), "{text}");
    assert!(text.contains("// guessed: "), "{text}");
    let guess = "guess --width 64 --king-buckets 1 --output-buckets 1, likely, 400\n";
    assert!(text.contains(guess), "{text}");
    let guessed = text.matches("// guessed: ").count();
    assert!(text.matches("\nunknown ").count() >= guessed, "{text}");
}

/// Follows random changes in C, right and wrong ones, for networks with one list and with two.
fn follow_changes(count: usize) {
    let program = compiled("rows_changes.c");
    for name in ["single", "double"] {
        let [declaration, weights] =
            ["rs", "nnue"].map(|ending| rows().join(format!("{name}.{ending}")));
        let paths = [&declaration, &weights].map(|path| path.to_str().expect("UTF-8"));
        let said = printed(&program, &[paths[0], paths[1], &count.to_string()]);
        let counts = said.trim().split('\t').map(|count| count.parse::<usize>());
        let counts: Vec<usize> = counts.map(|count| count.expect("a count")).collect();
        assert_eq!(counts.iter().sum::<usize>(), count);
        assert!(counts.iter().all(|part| part * 4 > count), "{said}");
    }
}

#[test]
fn changes_in_c_are_followed_or_refused() {
    follow_changes(20_000);
}

/// The test above with a million changes of each network.
#[test]
#[ignore = "long"]
fn million_changes_in_c() {
    follow_changes(1_000_000);
}

#[test]
fn rows_are_evaluated_in_cpp() {
    let file = rows().join("double.nnue");
    let said = printed(&compiled("rows.cpp"), &[file.to_str().expect("UTF-8")]);
    let (_, message) = said.split_once('\t').expect("a value and a message");
    assert_eq!(
        message,
        "row 3 of the second list is not active, it cannot be removed\n"
    );
}
