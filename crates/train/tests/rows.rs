//! Runs of networks over lists of rows.

use std::fmt::{Arguments, Write};
use std::fs;
use std::path::{Path, PathBuf};

use nnue_codegen::graph_text;
use nnue_data::rows::RowsRecord;
use nnue_data::rows::text::Reader;
use nnue_testkit::random::Random;
use nnue_train::run::{Error, ListedData, ListedValidation, Observer, Options, Run};

/// Users and items have two kinds each; a user likes the items of the other kind.
const RUN: &str = r#"
output = "out"
threads = 2
batch = 128
batches = 30
superbatches = 4
rate = 0.01
[network]
declaration = "pub struct Likes = rows[users: 40, items: 24, active 4] -> 32 -> 8 -> 1;"
[data]
files = ["likes.rows"]
shuffle = 500
[validation]
held_out = 0.25
"#;

#[derive(Default)]
struct Recorder(String);

impl Observer for Recorder {
    fn line(&mut self, line: Arguments<'_>) {
        writeln!(self.0, "{line}").expect("a string");
    }
}

/// Lines of a log: a user, an item, and whether the user likes it.
fn likes(count: usize) -> String {
    let mut random = Random::new(11);
    let mut text = String::from("# user item | liked\n");
    for _ in 0..count {
        let (user, item) = (random.below(40), random.below(24));
        let liked = user % 2 != item % 2;
        let weight = 1 + random.below(3);
        writeln!(
            text,
            "{user} {} | {} | {weight}",
            40 + item,
            u8::from(liked)
        )
        .expect("a string");
    }
    text
}

fn folder(name: &str, data: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("rows-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("likes.rows"), data).expect("a file");
    folder
}

fn train(folder: &Path, text: &str, resume: bool) -> Result<String, Error> {
    let mut recorder = Recorder::default();
    let options = Options {
        resume,
        ..Options::default()
    };
    Run::of_text("run", text, folder)
        .train(&options, &mut recorder)
        .map(|()| recorder.0)
}

fn refused(folder: &Path, text: &str) -> String {
    train(folder, text, false).expect_err(text).to_string()
}

/// The last value of a column of the log.
fn logged(folder: &Path, column: &str) -> f64 {
    let log = fs::read_to_string(folder.join("out/log.csv")).expect("a log");
    let (names, last) = (log.lines().next(), log.lines().last());
    let at = names.and_then(|names| names.split(',').position(|name| name == column));
    let number = last.and_then(|last| last.split(',').nth(at.expect("a column")));
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
fn a_run_learns_from_text() {
    let folder = folder("text", &likes(3000));
    let said = train(&folder, RUN, false).unwrap_or_else(|error| panic!("{error}"));
    assert!(said.contains(" validation positions\n"), "{said}");
    // A constant has a loss of 0.25.
    assert!(logged(&folder, "quantized_loss") < 0.05, "{said}");
    assert!(logged(&folder, "correlation") > 0.9, "{said}");
    let declared = fs::read_to_string(folder.join("out/net.rs")).expect("a declaration");
    let graphs = graph_text(&declared).unwrap_or_else(|errors| panic!("{}", errors[0].message));
    assert_eq!(graphs[0].goldens.len(), 3, "{declared}");
    assert!(declared.contains("golden rows["), "{declared}");
}

#[test]
fn a_resumed_run_writes_the_same_bytes() {
    let data = likes(1000);
    let (whole, halves) = (folder("whole", &data), folder("halves", &data));
    let run = |superbatches: u32| {
        RUN.replace(
            "superbatches = 4",
            &format!("superbatches = {superbatches}"),
        )
    };
    let train = |folder: &PathBuf, superbatches, resume| {
        train(folder, &run(superbatches), resume).unwrap_or_else(|error| panic!("{error}"))
    };
    train(&whole, 2, false);
    train(&halves, 1, false);
    train(&halves, 2, true);
    for name in ["net.nnue", "net.rs", "net.safetensors", "log.csv"] {
        let read = |folder: &PathBuf| fs::read(folder.join("out").join(name)).expect("a file");
        assert!(read(&whole) == read(&halves), "{name}");
    }
}

#[test]
fn files_may_be_several_and_validation_one_of_its_own() {
    let folder = folder("files", &likes(500));
    fs::write(folder.join("more.txt"), likes(900)).expect("a file");
    fs::write(folder.join("test.rows"), likes(100)).expect("a file");
    let run = RUN
        .replace("\"likes.rows\"", "\"likes.rows\", \"more.txt\"")
        .replace("held_out = 0.25", "files = [\"test.rows\"]\npositions = 60");
    let said = train(&folder, &run, false).unwrap_or_else(|error| panic!("{error}"));
    assert!(said.starts_with("60 validation positions\n"), "{said}");
}

#[test]
fn scores_are_targets_of_any_size() {
    let mut random = Random::new(2);
    let mut data = String::new();
    for _ in 0..2000 {
        let rows: Vec<usize> = (0..8).filter(|_| random.below(2) == 0).collect();
        let score: i32 = rows.iter().map(|&row| 100 * (row as i32 - 3)).sum();
        let other: Vec<String> = rows.iter().map(ToString::to_string).collect();
        writeln!(data, "{} | 7 8 w | {score}", other.join(" ")).expect("a string");
    }
    let folder = folder("scores", &data);
    let declared = "pub struct Sum = rows[9, active 9] -> 32x2, psqt 1 -> 8 -> 1;";
    let run = RUN.replace(
        "pub struct Likes = rows[users: 40, items: 24, active 4] -> 32 -> 8 -> 1;",
        declared,
    );
    let run = format!("{run}[loss]\ntarget = \"score\"\nscale = 300\n");
    let said = train(&folder, &run, false).unwrap_or_else(|error| panic!("{error}"));
    assert!(logged(&folder, "correlation") > 0.95, "{said}");
}

#[test]
fn wrong_records_are_named_by_their_lines() {
    for (line, said) in [
        ("3 64 | 1", "row 64: there are only 64 rows"),
        ("3 41 41 | 1", "row 41 (row 1 of `items`) is listed twice"),
        (
            "1 2 3 4 5 | 1",
            "5 rows are active, the declaration allows 4 (`active 4`)",
        ),
        (
            "1 | NaN",
            "the target is NaN, expected a number from 0 to 1",
        ),
        ("1 | 2", "the target is 2, expected a number from 0 to 1"),
        (
            "1 | 1 | -2",
            "the weight is -2, expected a number from 0 up",
        ),
        (
            "1 | 2 b | 1",
            "a position of this network has 1 list of rows, found 2",
        ),
        ("1 | yes", "`yes` instead of a target, which is a number"),
    ] {
        let folder = folder("wrong", &format!("{}{line}\n", likes(20)));
        let path = folder.join("likes.rows");
        let error = refused(&folder, RUN);
        let start = format!("{}: line 22, byte ", path.display());
        let end = format!(": {said}; the last checkpoint is unchanged");
        assert!(
            error.starts_with(&start) && error.ends_with(&end),
            "{error}"
        );
    }
}

#[test]
fn keys_of_other_data_are_refused() {
    let folder = folder("keys", &likes(20));
    for (more, said) in [
        ("[loss]\nshare = 0.5\n", "there is no key `loss.share`"),
        (
            "[loss]\nresolve_mates = true\n",
            "there is no key `loss.resolve_mates`",
        ),
        (
            "[loss]\ntarget = \"result\"\n",
            "`loss.target` is one of `expected`, `score`, not `result`",
        ),
        ("[loss.weight]\ngain = 1\n", "there is no key `loss.weight`"),
        (
            "[policy]\ncastling = \"rook\"\n",
            "there is no key `policy`",
        ),
    ] {
        let error = refused(&folder, &format!("{RUN}{more}"));
        assert!(error.contains(said), "{error}");
    }
    for (from, to, said) in [
        (
            "shuffle = 500",
            "filter = { quiet = true }",
            "there is no key `data.filter`",
        ),
        (
            "likes.rows",
            "likes.binpack",
            "names end with .rows, .txt, .parquet, .arrow, .feather, .arrows",
        ),
        (
            "held_out = 0.25",
            "column = \"test\"",
            "likes.rows: text has no columns",
        ),
        (
            "held_out = 0.25",
            "held_out = 0.25\nfiles = [\"likes.rows\"]",
            "`held_out`, `column` and `files` exclude each other",
        ),
        (
            "held_out = 0.25",
            "held_out = 1",
            "there are no positions to train on: hold out fewer records",
        ),
        (
            "held_out = 0.25",
            "held_out = 0.000000001",
            "there are no validation positions: hold out more records",
        ),
        (
            " -> 32 -> 8 -> 1",
            " -> 32 -> (8 -> 1)x2 by self::rule",
            "a function of the program chooses the layer stacks of `Likes`",
        ),
    ] {
        let error = refused(&folder, &RUN.replace(from, to));
        assert!(error.contains(said), "{error}");
        let _ = fs::remove_dir_all(folder.join("out"));
    }
}

/// The log as records in memory.
fn records(count: usize) -> Vec<RowsRecord> {
    let text = likes(count);
    Reader::new(text.as_bytes())
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("{error}"))
}

/// A run whose records are in memory.
fn memory_run() -> String {
    RUN.replace("[data]\nfiles = [\"likes.rows\"]\nshuffle = 500\n", "")
}

fn train_in_memory(
    folder: &Path,
    text: &str,
    data: ListedData,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let options = Options {
        resume: folder.join("out/checkpoint").exists(),
        ..Options::default()
    };
    Run::of_text("run", text, folder).train_listed(data, &options, observer)
}

#[test]
fn records_in_memory_are_trained_on() {
    let folder = folder("memory", "");
    let data = |validation| ListedData {
        records: records(3000),
        validation,
    };
    let mut recorder = Recorder::default();
    let drawn = data(ListedValidation::Drawn);
    train_in_memory(&folder, &memory_run(), drawn, &mut recorder)
        .unwrap_or_else(|error| panic!("{error}"));
    assert!(logged(&folder, "quantized_loss") < 0.05, "{}", recorder.0);
    let held_out = recorder.0.split(' ').next().expect("a number");
    let held_out: usize = held_out.parse().expect("a number");
    assert!((600..900).contains(&held_out), "{held_out} of 3000");
}

#[test]
fn the_program_says_which_records_in_memory_validate() {
    let run = memory_run()
        .replace("[validation]\nheld_out = 0.25\n", "")
        .replace("batches = 30\nsuperbatches = 4", "superbatches = 1");
    let marks = |count: usize| (0..count).map(|index| index % 5 == 0).collect();
    for (name, validation, positions) in [
        ("marked", ListedValidation::Marked(marks(1000)), 800),
        ("others", ListedValidation::Records(records(200)), 1000),
    ] {
        let folder = folder(name, "");
        let data = ListedData {
            records: records(1000),
            validation,
        };
        let mut recorder = Recorder::default();
        train_in_memory(&folder, &run, data, &mut recorder)
            .unwrap_or_else(|error| panic!("{error}"));
        assert!(
            recorder.0.starts_with("200 validation positions\n"),
            "{}",
            recorder.0
        );
        // Without `batches`, a superbatch is an epoch.
        let batches = 128 * usize::div_ceil(positions, 128);
        assert_eq!(logged(&folder, "positions"), batches as f64);
    }
    let folder = folder("marks", "");
    let data = ListedData {
        records: records(10),
        validation: ListedValidation::Marked(marks(9)),
    };
    let error = train_in_memory(&folder, &run, data, &mut ()).expect_err("9 of 10");
    assert_eq!(error.to_string(), "9 marks of validation for 10 records");
}

/// Stops after so many batches.
struct Stopping(u32);

impl Observer for Stopping {
    fn line(&mut self, _: Arguments<'_>) {}

    fn should_stop(&mut self) -> bool {
        self.0 -= 1;
        self.0 == 0
    }
}

#[test]
fn a_run_that_was_stopped_resumes_with_the_same_bytes() {
    let (whole, stopped) = (folder("unstopped", ""), folder("stopped", ""));
    let run = memory_run().replace("superbatches = 4", "superbatches = 2");
    let data = |count| ListedData {
        records: records(count),
        validation: ListedValidation::Drawn,
    };
    train_in_memory(&whole, &run, data(1000), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    let error = train_in_memory(&stopped, &run, data(1000), &mut Stopping(41));
    assert!(matches!(error, Err(Error::Stopped)), "{error:?}");
    let other = train_in_memory(&stopped, &run, data(999), &mut ()).expect_err("other records");
    assert!(
        matches!(&other, Error::DataChanged { path } if path.ends_with("the data in memory")),
        "{other}"
    );
    train_in_memory(&stopped, &run, data(1000), &mut ()).unwrap_or_else(|error| panic!("{error}"));
    for name in ["net.nnue", "net.rs", "net.safetensors", "log.csv"] {
        let read = |folder: &PathBuf| fs::read(folder.join("out").join(name)).expect("a file");
        assert!(read(&whole) == read(&stopped), "{name}");
    }
}

#[test]
fn wrong_records_in_memory_are_refused_with_their_index() {
    let folder = folder("wrong-memory", "");
    let refused = |text: &str, wrong: RowsRecord, validation| {
        let data = ListedData {
            records: [records(3), vec![wrong]].concat(),
            validation,
        };
        train_in_memory(&folder, text, data, &mut ())
            .expect_err("it is wrong")
            .to_string()
    };
    let wrong = |rows: &[u32], target| RowsRecord::new(rows.to_vec(), target);
    let run = memory_run();
    let drawn = || ListedValidation::Drawn;
    assert_eq!(
        refused(&run, wrong(&[64], 1.0), drawn()),
        "record 3: row 64: there are only 64 rows"
    );
    assert_eq!(
        refused(&run, wrong(&[1], f32::NAN), drawn()),
        "record 3: the target is NaN, expected a number from 0 to 1"
    );
    let others = ListedValidation::Records(vec![wrong(&[1, 1], 0.0)]);
    let without = run.replace("held_out = 0.25", "");
    assert_eq!(
        refused(&without, wrong(&[1], 1.0), others),
        "validation record 0: row 1 (row 1 of `users`) is listed twice"
    );
    for (text, message) in [
        (
            run.clone() + "[data]\nfiles = [\"likes.rows\"]",
            "there is no key `data.files`\n",
        ),
        (
            run.clone() + "[data]\nshuffle = 100",
            "there is no key `data.shuffle`\n",
        ),
        (
            run.replace(
                "rows[users: 40, items: 24, active 4] -> 32",
                "(768 -> 32)x2",
            ),
            "positions of `Likes` are boards of chess, and the data are lists of rows\n",
        ),
    ] {
        let said = refused(&text, wrong(&[1], 1.0), drawn());
        assert!(said.contains(message), "{said}");
    }
}
