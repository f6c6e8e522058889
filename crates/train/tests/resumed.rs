//! What a resumed run says about each key that has changed since the run was begun.

use std::collections::BTreeSet;
use std::fmt::{Arguments, Write};
use std::fs;
use std::path::{Path, PathBuf};

use nnue_train::run::identity::{KEYS, Role};
use nnue_train::run::{Observer, Options, Run};

const GAMES: &str = r#"[Result "1-0"]

1. e4 { [%eval 0.3] } 1... d5 { [%eval 0.5] } 2. exd5 { [%eval 0.4] } 2... Qxd5 { [%eval 0.5] } 1-0

"#;

const CHESS: Base = Base {
    name: "chess",
    text: r#"
output = "out"
seed = 7
threads = 1
device = "cpu"
batch = 2
batches = 3
superbatches = 2
checkpoint_minutes = 5
optimize = false
rate = 0.001
[network]
declaration = "struct Tiny = (768 -> 32)x2 @ 255 pairwise -> (16 -> 1)x2 { format raw };"
initial = "uniform"
[factors]
layers = ["fc0", "fc1"]
[data]
files = ["games.pgn"]
shuffle = 10
threads = 1
[validation]
held_out = 0.5
[loss]
share = 0.25
[optimizer]
decay = 0.01
[average]
rule = "exponential"
decay = 0.9
"#,
    changes: &[
        ("output", "\"out\"", "\"other\""),
        ("seed", "seed = 7", "seed = 8"),
        ("threads", "threads = 1\ndevice", "threads = 2\ndevice"),
        ("device", "device = \"cpu\"\n", ""),
        ("batch", "batch = 2", "batch = 3"),
        ("batches", "batches = 3", "batches = 2"),
        ("superbatches", "superbatches = 2", "superbatches = 3"),
        ("checkpoint_minutes", "minutes = 5", "minutes = 6"),
        ("optimize", "false", "true"),
        ("rate", "0.001", "0.002"),
        ("network", "uniform", "normal"),
        ("factors", "\"fc0\", \"fc1\"", "\"fc1\", \"fc0\""),
        ("data.files", "games.pgn", "copy.pgn"),
        ("data.shuffle", "shuffle = 10", "shuffle = 20"),
        ("data.threads", "threads = 1\n[val", "threads = 2\n[val"),
        (
            "data.weight_by_pieces",
            "shuffle",
            "weight_by_pieces = [0.5, 1]\nshuffle",
        ),
        (
            "data.filter",
            "shuffle",
            "filter = { max_score = 9000 }\nshuffle",
        ),
        ("validation", "held_out = 0.5", "held_out = 0.4"),
        ("loss", "share = 0.25", "share = 0.5"),
        ("optimizer", "decay = 0.01", "decay = 0.02"),
        ("average", "decay = 0.9", "decay = 0.8"),
    ],
};

const POLICY: Base = Base {
    name: "policy",
    text: r#"
output = "out"
threads = 1
batch = 2
batches = 3
superbatches = 2
[network]
declaration = """struct Tiny { acc = accumulate(Chess768[mirrored], 32) x 2; let x = crelu(acc);
    output value = affine(x, 1); output policy = rows(x, 1880); format raw }"""
[data]
files = ["games.pgn"]
[validation]
held_out = 0.5
[policy]
castling = "rook"
"#,
    changes: &[("policy", "\"rook\"", "\"target\"")],
};

const DENSE: Base = Base {
    name: "dense",
    text: r#"
output = "out"
threads = 1
batch = 2
superbatches = 2
[network]
declaration = "struct Lines = input[1, 4, 4] -> conv2d(2, kernel 3) relu -> flatten -> 2;"
[data]
files = ["examples.csv"]
divide = 8
shift = 1
"#,
    changes: &[
        ("data.divide", "divide = 8", "divide = 4"),
        ("data.shift", "shift = 1", "shift = 2"),
    ],
};

/// Rows whose change here makes tensors of other sizes: the checkpoint is refused.
const OTHER_SIZES: [&str; 1] = ["factors"];

/// A run, and a change for some rows of [`KEYS`].
struct Base {
    name: &'static str,
    text: &'static str,
    /// the row, and what becomes what in the text
    changes: &'static [(&'static str, &'static str, &'static str)],
}

/// Records what is said, and keeps the checkpoint after the first superbatch.
struct Recorder<'f> {
    folder: &'f Path,
    lines: String,
}

impl Observer for Recorder<'_> {
    fn line(&mut self, line: Arguments<'_>) {
        writeln!(self.lines, "{line}").expect("a string");
        if line.to_string().starts_with("superbatch 2 of 2") {
            let checkpoint = self.folder.join("out/checkpoint");
            fs::copy(checkpoint, self.folder.join("kept")).expect("a checkpoint");
        }
    }
}

impl Base {
    /// A folder with the data.
    fn folder(&self) -> PathBuf {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join("resumed")
            .join(self.name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        for name in ["games.pgn", "copy.pgn"] {
            fs::write(folder.join(name), GAMES.repeat(20)).expect("a file");
        }
        let pixels = ["1,2,3,4,5,6,7,8"; 2].join(",");
        let examples: String = (0..64).map(|x| format!("{},{pixels}\n", x % 2)).collect();
        fs::write(folder.join("examples.csv"), examples).expect("a file");
        folder
    }

    fn changed(&self, from: &str, to: &str) -> String {
        assert_eq!(self.text.matches(from).count(), 1, "{from}");
        self.text.replace(from, to)
    }
}

/// Begins the run, and resumes it after its first superbatch once for each change.
fn check(base: &Base) {
    let folder = base.folder();
    let train = |text: &str, resume| {
        let options = Options {
            resume,
            ..Options::default()
        };
        let mut recorder = Recorder {
            folder: &folder,
            lines: String::new(),
        };
        let run = Run::of_text("run.toml", text, &folder).train(&options, &mut recorder);
        run.map(|()| recorder.lines)
            .map_err(|error| error.to_string())
    };
    train(base.text, false).expect("a network");
    let begun = fs::read(folder.join("kept")).expect("the checkpoint of the first superbatch");
    let network = fs::read(folder.join("out/net.bin")).expect("a network");

    let unchanged = ("output", base.text.to_owned());
    let changed = base
        .changes
        .iter()
        .map(|&(row, from, to)| (row, base.changed(from, to)));
    for (row, text) in changed.chain([unchanged]) {
        let out = folder.join(if text.contains("\"other\"") {
            "other"
        } else {
            "out"
        });
        let _ = fs::remove_dir_all(&out);
        fs::create_dir(&out).expect("a folder");
        fs::write(out.join("checkpoint"), &begun).expect("a checkpoint");
        let resumed = train(&text, true);
        assert_eq!(resumed.is_err(), OTHER_SIZES.contains(&row), "{row}");
        let said = match resumed {
            Ok(said) => {
                assert!(!said.contains("superbatch 1 of"), "{row}: {said}");
                assert!(said.contains("superbatch 2 of"), "{row}: {said}");
                said
            }
            Err(refused) => refused,
        };
        let names_row = said.contains(&format!("`{row}"))
            && said.contains("run.toml has changed since the checkpoint");
        let role = KEYS.iter().find(|(key, _)| *key == row).expect("a row").1;
        assert_eq!(names_row, role == Role::Network, "{row}: {said}");
        if role == Role::Nothing {
            // The data of these tests are few, which every run notes.
            let is_note = |line: &&str| line.contains("note: ") && !line.contains(" are few: ");
            let notes: Vec<&str> = said.lines().filter(is_note).collect();
            assert!(notes.is_empty(), "{row}: {notes:?}");
            let resumed = fs::read(out.join("net.bin")).expect("a network");
            assert!(resumed == network, "{row}: another network");
        }
    }
}

#[test]
fn every_row_of_the_table_is_tried() {
    let rows: BTreeSet<&str> = KEYS.iter().map(|(row, _)| *row).collect();
    let bases = [CHESS, POLICY, DENSE];
    let tried = bases.iter().flat_map(|base| base.changes);
    assert_eq!(rows, tried.map(|(row, ..)| *row).collect());
}

#[test]
fn a_run_of_chess_notes_the_keys_that_its_network_depends_on() {
    check(&CHESS);
}

#[test]
fn a_run_of_a_policy_notes_them() {
    check(&POLICY);
}

#[test]
fn a_run_over_a_dense_input_notes_them() {
    check(&DENSE);
}
