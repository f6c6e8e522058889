//! Runs, started as a program starts them.

use std::fmt::{Arguments, Write};
use std::fs;
use std::path::PathBuf;

use nnue_train::run::{Error, Observer, Options, Run};

/// Games with evaluations, one of which is held out.
const GAMES: &str = r#"[Result "1-0"]

1. e4 { [%eval 0.3] } 1... d5 { [%eval 0.5] } 2. exd5 { [%eval 0.4] } 2... Qxd5 { [%eval 0.5] } 1-0

"#;

const RUN: &str = r#"
output = "out"
batch = 2
batches = 3
superbatches = 2
[network]
declaration = "struct Tiny = (768 -> 32)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };"
[data]
files = ["games.pgn"]
[validation]
held_out = 0.5
"#;

/// Records all events.
#[derive(Default)]
struct Recorder {
    lines: String,
    total: u64,
    used: u64,
    is_done: bool,
}

impl Observer for Recorder {
    fn line(&mut self, line: Arguments<'_>) {
        writeln!(self.lines, "{line}").expect("a string");
    }

    fn begin(&mut self, positions: u64) {
        self.total = positions;
    }

    fn advance(&mut self, positions: u64) {
        self.used += positions;
    }

    fn end(&mut self) {
        self.is_done = true;
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("games.pgn"), GAMES.repeat(20)).expect("a file");
    folder
}

#[test]
fn a_run_tells_its_observer_how_it_goes_on() {
    let folder = folder("observed");
    let mut recorder = Recorder::default();
    Run::of_text("run", RUN, &folder)
        .train(&Options::default(), &mut recorder)
        .expect("a network");
    assert_eq!((recorder.total, recorder.used), (12, 12));
    assert!(recorder.is_done);
    for said in [
        "superbatch 1 of 2: loss ",
        "superbatch 2 of 2: loss ",
        "net.bin is the network",
    ] {
        assert!(recorder.lines.contains(said), "{}", recorder.lines);
    }
    assert!(folder.join("out/net.bin").exists());
}

#[test]
fn a_resumed_run_writes_the_bytes_of_one_that_was_not_stopped() {
    let (whole, halves) = (folder("whole"), folder("halves"));
    let run = |superbatches: u32, folder: &PathBuf, resume| {
        let length = format!("superbatches = {superbatches}\nrate = 0.001");
        let text = RUN.replace("superbatches = 2", &length);
        let options = Options {
            resume,
            ..Options::default()
        };
        Run::of_text("run", text, folder)
            .train(&options, &mut ())
            .expect("a network");
    };
    run(2, &whole, false);
    run(1, &halves, false);
    run(2, &halves, true);
    let network = |folder: &PathBuf| fs::read(folder.join("out/net.bin")).expect("a network");
    assert!(network(&whole) == network(&halves));
}

#[test]
fn wrong_keys_and_earlier_runs_are_errors() {
    let folder = folder("refused");
    let train = |text: &str| Run::of_text("run", text, &folder).train(&Options::default(), &mut ());
    let error = train(&RUN.replace("batches", "batchs")).expect_err("a wrong key");
    assert!(matches!(error, Error::Run(_)), "{error}");
    assert!(error.to_string().contains("batchs"), "{error}");
    train(RUN).expect("a network");
    let error = train(RUN).expect_err("a checkpoint is there");
    assert!(
        error.to_string().contains("belongs to an earlier run"),
        "{error}"
    );
}
