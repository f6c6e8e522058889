//! From records over lists of rows to values, without a line of Rust.

use std::fmt::Write;
use std::process::Command;

use crate::{Folder, Run};

/// A log of crossed features: a user of an age and a city, an item of a kind; the cross of age and kind is hashed into
/// a third group. Users of an even age like items of an even kind, and the reverse.
struct Log {
    state: u64,
}

struct Line {
    rows: Vec<u32>,
    liked: bool,
}

impl Log {
    const DECLARED: &'static str =
        "pub struct Likes = rows[users: 60, items: 20, crosses: 128, active 8] -> 32 -> 8 -> 1;";

    fn below(&mut self, limit: u32) -> u32 {
        self.state = self
            .state
            .wrapping_mul(0x5851_F42D_4C95_7F2D)
            .wrapping_add(0x1405_7B7E_F767_814F);
        ((self.state >> 33) % u64::from(limit)) as u32
    }

    fn line(&mut self) -> Line {
        let (age, city, kind) = (self.below(40), self.below(20), self.below(20));
        let cross = (age * 31 + kind * 17 + 5) % 128;
        // one in twenty is noise
        let liked = (age % 2 == kind % 2) != (self.below(20) == 0);
        Line {
            rows: vec![age, 40 + city, 60 + kind, 80 + cross],
            liked,
        }
    }

    fn lines(count: usize) -> Vec<Line> {
        let mut log = Self { state: 4 };
        (0..count).map(|_| log.line()).collect()
    }

    fn text(lines: &[Line]) -> String {
        let mut text = String::new();
        for Line { rows, liked } in lines {
            let rows: Vec<String> = rows.iter().map(ToString::to_string).collect();
            writeln!(text, "{} | {}", rows.join(" "), u8::from(*liked)).unwrap();
        }
        text
    }
}

/// A run on a file, in seconds.
fn run(file: &str, validation: &str) -> String {
    format!(
        "output = \"out\"\nthreads = 2\nbatch = 128\nbatches = 40\nsuperbatches = 4\nrate = 0.01\n\
         [network]\ndeclaration = \"{}\"\n[data]\nfiles = [\"{file}\"]\n[validation]\n{validation}\n\
         [loss]\nerror = \"cross_entropy\"\n",
        Log::DECLARED
    )
}

impl Folder {
    /// Values of lists by `nnue eval --rows`.
    fn values(&self, lines: &[Line]) -> Vec<i32> {
        let lists = Log::text(lines);
        let lists: String = lists
            .lines()
            .map(|line| format!("{}\n", line.split('|').next().unwrap()))
            .collect();
        self.write("lists.txt", lists.as_bytes());
        let arguments = "eval --declaration out/net.rs out/net.nnue --rows lists.txt --tsv";
        let mut command = Command::new(env!("CARGO_BIN_EXE_nnue"));
        command.args(arguments.split(' ')).current_dir(&self.0);
        let out = Run::of(Self::started(&mut command)).prints();
        let value = |line: &str| line.split('\t').nth(3).unwrap().parse().unwrap();
        out.lines().skip(1).map(value).collect()
    }

    /// Asserts that the network that the run wrote tells what is liked, after it was quantised, far better than a
    /// constant does.
    fn assert_learnt(&self) {
        // A constant has a cross entropy of ln 2, 0.693; the noise alone is 0.199.
        let loss = self.last_logged("quantized_loss");
        assert!(loss < 0.35, "{loss}");
        let lines = Log::lines(600);
        let values = self.values(&lines);
        assert_eq!(values.len(), lines.len());
        let right = values.iter().zip(&lines);
        let right = right.filter(|(value, line)| (**value > 0) == line.liked);
        assert!(right.count() > 540);
    }
}

#[test]
fn a_network_learns_a_log_of_crossed_features() {
    let folder = Folder::new("rows-text");
    folder.write("likes.rows", Log::text(&Log::lines(4000)).as_bytes());
    folder.write("run.toml", run("likes.rows", "held_out = 0.2").as_bytes());
    let counted = folder.data("stats likes.rows").prints();
    let expected = "records              4000\nlists                1\nBlack to move        0 (0.0 %)\n\
        rows that occur      208\ngreatest row         207\nactive rows          4 to 4\n\
        mean active rows     4.0000\ntargets              0 to 1\n";
    assert!(counted.starts_with(expected), "{counted}");
    let said = folder.run("").succeeds();
    assert!(said.contains("validation positions\n"), "{said}");
    folder.assert_learnt();
    // its golden values are those of `nnue verify`, too
    let mut command = Command::new(env!("CARGO_BIN_EXE_nnue"));
    let arguments = "verify --declaration out/net.rs out/net.nnue --games 2";
    command.args(arguments.split(' ')).current_dir(&folder.0);
    Run::of(Folder::started(&mut command)).prints();
}

/// `data/likes.py` has written the file.
#[cfg(feature = "arrow")]
#[test]
fn the_same_log_is_learnt_from_parquet() {
    let folder = Folder::new("rows-parquet");
    folder.write("likes.parquet", include_bytes!("data/likes.parquet"));
    let run = run("likes.parquet", "column = \"held_out\"");
    folder.write("run.toml", run.as_bytes());
    let counted = folder.data("stats likes.parquet").prints();
    assert!(
        counted.starts_with("records              3000\n"),
        "{counted}"
    );
    let said = folder.run("").succeeds();
    assert!(said.contains("600 validation positions\n"), "{said}");
    folder.assert_learnt();
}

#[test]
fn a_killed_run_goes_on() {
    let [undisturbed, killed] = ["rows-undisturbed", "rows-killed"].map(|name| {
        let folder = Folder::new(name);
        folder.write("likes.rows", Log::text(&Log::lines(600)).as_bytes());
        folder.write("run.toml", run("likes.rows", "held_out = 0.2").as_bytes());
        folder
    });
    killed.assert_goes_on(&undisturbed);
}

#[test]
fn records_are_counted_from_standard_input_and_refused_with_their_lines() {
    let folder = Folder::new("rows-stats");
    let text = "3 17 | 8 9 b | 0.25\n3 | w | 1 | 2\n";
    let counted = folder
        .data_reading(text.as_bytes(), "stats --rows -")
        .prints();
    assert!(
        counted.contains("\nlists                2\nBlack to move        1 (50.0 %)\n"),
        "{counted}"
    );
    assert!(
        counted.contains("\nweights              1 to 2\nmean weight          1.5000\n"),
        "{counted}"
    );
    folder.write("wrong.rows", b"3 17 | 1\n3 3 | 1\n4 | x\n5 | 0\n");
    folder.data("stats wrong.rows").fails_with(
        "wrong.rows: line 2, byte 9: row 3 is listed twice; the records before it were counted",
    );
    let run = folder.data("stats wrong.rows --keep-going");
    assert!(
        run.err
            .contains("note: wrong.rows: line 3, byte 17: `x` instead of a target"),
        "{}",
        run.err
    );
    assert!(run.prints().starts_with("records              2\n"));
    folder
        .data("stats wrong.rows --rows --from text")
        .fails_with(
            "--from text: the names of files say the formats of records over lists of rows",
        );
    if !cfg!(feature = "arrow") {
        folder.write("a.parquet", b"");
        folder.data("stats a.parquet").fails_with(
            "a.parquet: parquet is read by builds with the feature `arrow`; the records before it were counted",
        );
    }
}
