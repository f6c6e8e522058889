//! What `nnue import net` says of every file of the folders that the variables below name: the declaration, or what the file is.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nnue_codegen::{described_text, single_plan, single_subnets};
use nnue_spec::NetDesc;
use nnue_tools::search::{Found, Search, SearchError, Sizes};

/// The shape of the first guess. None of these is doubtful.
const SHAPES: &[(&str, &str)] = &[
    (
        "akimbo-256x2-crelu.bin",
        "--width 256 --king-buckets 1 --output-buckets 1",
    ),
    (
        "akimbo-512x2-crelu-ob8.bin",
        "--width 512 --king-buckets 1 --output-buckets 8",
    ),
    (
        "akimbo-768x2-screlu181-ob8.bin",
        "--width 768 --king-buckets 1 --output-buckets 8",
    ),
    (
        "alexandria-768hm-1536pw-16-32-ob8.bin",
        "--width 1536 --king-buckets 1 --output-buckets 8 --hidden 16,32 (pairwise)",
    ),
    ("berserk.bin.xz", "Berserk with 96 neurons"),
    ("caissa.bin.xz", "Caissa with 64 neurons"),
    (
        "calvin-64x2-screlu.bin",
        "--width 64 --king-buckets 1 --output-buckets 1",
    ),
    (
        "calvin-768hm-768x2-screlu.bin",
        "--width 768 --king-buckets 1 --output-buckets 1",
    ),
    ("chess-policy004.bin", "Monty with 8 neurons a subnet"),
    (
        "chess-value004.bin",
        "--width 128 --king-buckets 1 --output-buckets 1 (single perspective)",
    ),
    (
        "fairy-crazyhouse.bin.xz",
        "Fairy-Stockfish with 64 neurons and 55296 rows",
    ),
    ("halogen.bin.xz", "Halogen with 64 neurons"),
    ("hobbes.bin.xz", "Hobbes with 64 neurons"),
    ("nn-1c0000000000.nnue", "--arch Sfnnv9"),
    ("nn-37f18f62d772.nnue", "--arch SfnnSmall"),
    ("nn-ad9b42354671.nnue", "--arch Sfnnv5"),
    (
        "obsidian-4kbhm-512x2-screlu-ob8.bin",
        "--width 512 --king-buckets 4 --output-buckets 8",
    ),
    ("obsidian.bin.xz", "Obsidian with 64 neurons"),
    (
        "pawnocchio-768hm-1024x2-screlu-ob8.bin",
        "--width 1024 --king-buckets 1 --output-buckets 8",
    ),
    ("pikafish.bin", "Pikafish with 64 neurons"),
    ("plentychess.bin.xz", "PlentyChess with 64 neurons"),
    ("reckless.bin.xz", "Reckless with 64 neurons"),
    ("stormphrax.bin.xz", "Stormphrax with 64 neurons"),
    ("stormphrax.zst.nnue", "Stormphrax with 64 neurons"),
    ("viridithas.bin", "Viridithas with 64 neurons"),
    ("yaneuraou-a.bin.xz", "YaneuraOuByKings with 64 neurons"),
    ("yaneuraou-b.bin.xz", "YaneuraOuByProgress with 256 neurons"),
    ("yaneuraou-c.bin", "YaneuraOuByHands with 64 neurons"),
];

/// What other files are, by the ends of their names.
const OTHERS: &[(&str, &str)] = &[
    (".fen", "this is a text file"),
    (".md", "this is a text file"),
    (".npz", "`nnue quantize` the floats of a `.npz`"),
    (".onnx", "`nnue import onnx`"),
    (
        ".pb.gz",
        "weights of Leela Chess Zero: evaluate with `--backend 'lc0(weights=FILE)'`",
    ),
    (".pt2", "`nnue import torch` reads a `.pt2`"),
    (".tsv", "this is a text file"),
    (".txt", "this is a text file"),
];

/// Folders of networks.
const FOLDERS: [&str; 6] = [
    "NNUE_BULLET_NETS",
    "NNUE_ENGINE_NETS",
    "NNUE_LC0_NETS",
    "NNUE_MONTY_NETS",
    "NNUE_NETS",
    "NNUE_ONNX_NETS",
];

/// The files of a folder and of those in it.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.expect("an entry of a folder").path());
    paths
        .flat_map(|path| match path.is_dir() {
            true => files(&path),
            false => vec![path],
        })
        .collect()
}

fn found(path: &Path, known: &[(&str, &NetDesc<'_>)]) -> Result<Found, SearchError> {
    let search = Search {
        name: "Network",
        program: None,
        sizes: Sizes::default(),
        heads: &[],
        known,
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    if path.extension().is_none_or(|extension| extension != "xz") {
        return search.file(path);
    }
    let mut unpacked = Command::new("xz");
    unpacked.arg("-dc").arg(path).stdout(Stdio::piped());
    let mut unpacked = unpacked.spawn().expect("xz is installed");
    let found = search.read(unpacked.stdout.take().expect("a pipe"));
    assert!(
        unpacked.wait().expect("xz ends").success(),
        "{}",
        path.display()
    );
    found
}

/// Whether a declaration of a guess compiles.
fn compiles(declaration: &str) -> bool {
    single_plan(declaration).is_some() || single_subnets(declaration).is_some()
}

#[test]
fn every_file_is_named() {
    let nets = described_text(include_str!("../../../src/stockfish.rs")).expect("declarations");
    let known: Vec<_> = nets.into_iter().map(|net| (net.name, net)).collect();
    for variable in FOLDERS {
        let Some(folder) = env::var_os(variable) else {
            eprintln!("not run: {variable} names no folder of networks");
            continue;
        };
        for path in files(folder.as_ref()) {
            assert_is_named(&path, &known);
        }
    }
}

fn assert_is_named(path: &Path, known: &[(&str, &NetDesc<'_>)]) {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .expect("a name");
    let found = found(path, known);
    match SHAPES.iter().find(|(file, _)| *file == name) {
        Some((_, shape)) => {
            let found = found.unwrap_or_else(|error| panic!("{name}: {error}"));
            let first = found.first();
            assert_eq!(
                (&*first.shape, &first.doubt),
                (*shape, &None),
                "{name}: {found}"
            );
            let is_tried = |guess: &&nnue_tools::search::Guess| guess.doubt.is_none();
            let mut guesses = found.guesses.iter().filter(is_tried);
            assert!(
                guesses.all(|guess| compiles(&guess.declaration)),
                "{name}: {found}"
            );
            let is_certain = found.is_container && found.guesses.len() == 1;
            assert!(is_certain || !first.unknown.is_empty(), "{name}: {found}");
        }
        None => {
            let other = OTHERS.iter().find(|(end, _)| name.ends_with(end));
            let (_, expected) =
                other.unwrap_or_else(|| panic!("{name}: neither a network nor another file"));
            let line = found.expect_err(name).to_string();
            assert!(line.contains(expected), "{name}: {line}");
        }
    }
}
