//! Networks, positions and games in gzip and zstd, and names that say a hash.

use std::path::{Path, PathBuf};

use nnue_testkit::sha256;
use nnue_tools::compression::{Method, compress};

use crate::declared::{MIDDLE, STACKS, START, files};
use crate::{file, nnue, text};

const METHODS: [(Method, &str); 2] = [(Method::Gzip, "gz"), (Method::Zstd, "zst")];

/// The file of the network that is built in.
pub(crate) const DEFAULT: &[u8] = include_bytes!("../../nets/default.nnue");

fn compressed(path: &Path, method: Method, name: &str) -> PathBuf {
    let bytes = std::fs::read(path).expect("the network was written");
    file(name, &compress(method, &bytes).expect("it is compressed"))
}

#[test]
fn commands_read_compressed_files() {
    let (declaration, plain) = files("compressed", STACKS);
    let declared = |path: &Path, command: &[&str]| {
        let arguments = [
            command,
            &["--declaration", text(&declaration)],
            &[text(path)],
        ];
        nnue(&arguments.concat())
    };
    let golden = |path: &Path| {
        nnue(&[
            "golden",
            "--declaration",
            text(&declaration),
            "--net",
            text(path),
        ])
        .succeeds()
    };
    for (method, end) in METHODS {
        let path = compressed(&plain, method, &format!("compressed.bin.{end}"));
        let other = compressed(&plain, method, &format!("compressed-{end}.bin"));
        assert_eq!(golden(&path), golden(&plain));
        let tsv = |path: &Path| {
            let fens = format!("{START}\n{MIDDLE}\n");
            let arguments = [
                "eval",
                "--tsv",
                "--declaration",
                text(&declaration),
                "--net",
                text(path),
                "--fens",
                "-",
            ];
            crate::nnue_reading(&fens, &arguments).succeeds()
        };
        assert_eq!(tsv(&other), tsv(&plain));
        let verified = declared(&path, &["verify"]).succeeds();
        assert!(
            verified.contains("written again byte for byte"),
            "{verified}"
        );
        let shown = declared(&path, &["inspect", "--layout"]).succeeds();
        assert!(shown.contains("end"), "{shown}");
    }
}

#[test]
fn containers_are_recognised_in_compressed_files() {
    let plain = file("recognised.nnue", DEFAULT);
    let shown =
        |path: &Path| nnue(&["eval", "--tsv", "--net", text(path), "--fen", MIDDLE]).succeeds();
    for (method, end) in METHODS {
        let path = compressed(&plain, method, &format!("recognised-{end}.nnue"));
        assert_eq!(shown(&path), shown(&plain));
    }
}

#[test]
fn damaged_compressions_are_one_line() {
    let (declaration, plain) = files("damaged", STACKS);
    let bytes = std::fs::read(&plain).expect("the network was written");
    let refused = |bytes: &[u8], words: &[&str]| {
        let path = file("damaged.bin.compressed", bytes);
        nnue(&[
            "eval",
            "--declaration",
            text(&declaration),
            "--net",
            text(&path),
        ])
        .fails_naming(words);
    };
    for (method, _) in METHODS {
        let whole = compress(method, &bytes).expect("it is compressed");
        let damaged = format!("the {method} compression is damaged");
        refused(&whole[..whole.len() / 2], &[&damaged]);
        let shorter = compress(method, &bytes[..bytes.len() - 2000]).expect("it is compressed");
        refused(&shorter, &["truncated"]);
        let bomb = compress(method, &vec![0; 8 << 20]).expect("it is compressed");
        refused(&bomb, &["decompressed, it has more than"]);
        let twice = compress(Method::Gzip, &whole).expect("it is compressed");
        refused(&twice, &["compressed twice", "`gunzip`"]);
    }
}

#[test]
fn names_that_say_a_hash_are_compared() {
    let digits = &sha256(DEFAULT)[..12];
    let run = |name: &str, bytes: &[u8]| {
        let path = file(name, bytes);
        let run = nnue(&["eval", "--tsv", "--net", text(&path), "--fen", START]);
        assert_eq!(run.code, Some(0), "{}", run.err);
        run.err
    };
    assert_eq!(run(&format!("nn-{digits}.nnue"), DEFAULT), "");
    let zstd = compress(Method::Zstd, DEFAULT).expect("it is compressed");
    assert_eq!(run(&format!("nn-{digits}.nnue.zst"), &zstd), "");
    let note = run("nn-0123456789ab.nnue", DEFAULT);
    assert!(
        note.starts_with("note: ") && note.lines().count() == 1,
        "{note}"
    );
    let expected = format!("its SHA-256 begins {digits}, the name says 0123456789ab");
    assert!(note.contains(&expected), "{note}");
    assert_eq!(run("nn-of-mine.nnue", DEFAULT), "");
}

/// The networks of engines that are published in zstd, with the values of the engines.
#[test]
fn published_compressed_networks_have_the_values_of_their_engines() {
    let Some(folder) = std::env::var_os("NNUE_ENGINE_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_ENGINE_NETS names no folder of networks");
        return;
    };
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../tools/src/search/declared_engines.rs");
    let source = std::fs::read_to_string(source).expect("declarations of engines");
    let declarations = file("engines.rs", source.as_bytes());
    for (name, net, vectors) in [
        ("Stormphrax", "stormphrax.zst.nnue", "stormphrax"),
        ("Viridithas", "viridithas.bin", "viridithas"),
    ] {
        let path = nnue_testkit::vectors_dir().join(format!("engines2026/{vectors}.tsv"));
        let table = std::fs::read_to_string(path).expect("a table of values");
        let rows: Vec<Vec<&str>> = table
            .lines()
            .map(|line| line.split('\t').collect())
            .collect();
        let value = rows[0]
            .iter()
            .position(|column| *column == "value")
            .expect("values");
        let fens: String = rows[1..]
            .iter()
            .map(|row| format!("{}\n", row[0]))
            .collect();
        let declaration = format!("{}:{name}", text(&declarations));
        let net = folder.join(net);
        let arguments = [
            "eval",
            "--tsv",
            "--declaration",
            &declaration,
            "--net",
            text(&net),
            "--fens",
            "-",
        ];
        let out = crate::nnue_reading(&fens, &arguments).succeeds();
        let found = out
            .lines()
            .skip(1)
            .map(|line| line.split('\t').nth(4).expect("a value"));
        let expected = rows[1..].iter().map(|row| row[value]);
        assert!(found.eq(expected), "{name}");
    }
}

#[test]
fn positions_and_games_are_decompressed() {
    let fens = b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n8/8/4k3/8/8/3QK3/8/8 b - - 0 1\n";
    let games = b"1\trnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\te2e4 e7e5\n";
    for (option, contents) in [("--fens", &fens[..]), ("--games", &games[..])] {
        let plain = file(&format!("texts{option}.txt"), contents);
        let expected = nnue(&["eval", "--tsv", option, text(&plain)]).succeeds();
        assert!(expected.lines().count() > 2, "{expected}");
        for method in [Method::Gzip, Method::Zstd] {
            let whole = compress(method, contents).expect("it is compressed");
            let packed = file(&format!("texts{option}-{method}"), &whole);
            let found = nnue(&["eval", "--tsv", option, text(&packed)]).succeeds();
            assert_eq!(found, expected);
            let cut = file(
                &format!("texts{option}-cut-{method}"),
                &whole[..whole.len() / 2],
            );
            nnue(&["eval", "--tsv", option, text(&cut)])
                .fails_naming(&[text(&cut), &format!("the {method} compression is damaged")]);
        }
    }
}
