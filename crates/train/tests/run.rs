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

/// What a run says before it begins, of data that are lines of text.
fn noted(name: &str, data: &str) -> Vec<String> {
    let folder = folder(name);
    fs::write(folder.join("data.txt"), data).expect("a file");
    let text = RUN
        .replace("games.pgn", "data.txt")
        .replace("held_out = 0.5", "files = [\"data.txt\"]")
        .replace("batch = 2", "batch = 1000");
    let mut recorder = Recorder::default();
    Run::of_text("run", text, &folder)
        .train(&Options::default(), &mut recorder)
        .expect("a network");
    let notes = recorder
        .lines
        .lines()
        .filter_map(|line| line.strip_prefix("note: "));
    notes.map(str::to_owned).collect()
}

#[test]
fn a_run_notes_what_is_doubtful_about_its_data() {
    let copies = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5\n".repeat(200);
    let expected = [
        "200 validation positions are few: their loss is a rough estimate",
        "data: all scores are 0",
        "data: all outcomes are draws",
        "data: 199 of 200 positions repeat others",
        "a batch of 1000 positions is larger than the data: an epoch has 200",
    ];
    assert_eq!(noted("doubtful", &copies), expected);
}

/// Scores by the side to move, where White's are expected.
#[test]
fn a_run_notes_scores_from_the_wrong_point_of_view() {
    let mut data = String::new();
    for index in 0..1200 {
        let (rank, file) = (index / 8 % 6, index % 8);
        let white_wins = index % 3 != 0;
        let board = match (file, 7 - file) {
            (0, after) => format!("N{after}"),
            (before, 0) => format!("{before}N"),
            (before, after) => format!("{before}N{after}"),
        };
        let mut ranks = ["8"; 6];
        ranks[rank] = &board;
        let side = if index % 2 == 0 { "w" } else { "b" };
        let (score, outcome) = if white_wins {
            (200, "1.0")
        } else {
            (-150, "0.0")
        };
        let by_mover = if side == "w" { score } else { -score };
        let ranks = ranks.join("/");
        writeln!(
            data,
            "4k3/{ranks}/4K3 {side} - - 0 1 | {by_mover} | {outcome}"
        )
        .expect("a string");
    }
    let notes = noted("point-of-view", &data);
    let doubt = "data: scores or outcomes seem to be from another point of view than the format says: \
                 their correlation is 1.000 with White to move, and -1.000 with Black to move";
    assert!(notes.iter().any(|note| note == doubt), "{notes:#?}");
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
