//! From records over lists of rows to values, without a line of Rust.

use std::fmt::Write;
use std::process::Command;
#[cfg(feature = "arrow")]
use std::{fs, path::Path};

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
    /// The standard output of `nnue` in the folder; arguments are separated by spaces.
    fn nnue(&self, arguments: &str) -> String {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nnue"));
        command.args(arguments.split(' ')).current_dir(&self.0);
        Run::of(Self::started(&mut command)).prints()
    }

    /// Values of lists by `nnue eval --rows`.
    fn values(&self, lines: &[Line]) -> Vec<i32> {
        let lists = Log::text(lines);
        let lists: String = lists
            .lines()
            .map(|line| format!("{}\n", line.split('|').next().unwrap()))
            .collect();
        self.write("lists.txt", lists.as_bytes());
        let out = self.nnue("eval --declaration out/net.rs out/net.nnue --rows lists.txt --tsv");
        let value = |line: &str| line.split('\t').nth(3).unwrap().parse().unwrap();
        out.lines().skip(1).map(value).collect()
    }

    /// Asserts that the network that the run wrote tells what is liked, after it was quantised, far better than a
    /// constant does.
    fn assert_learnt(&self) {
        self.assert_learnt_of(&Log::lines(600));
    }

    fn assert_learnt_of(&self, lines: &[Line]) {
        // A constant has a cross entropy of ln 2, 0.693; the noise alone is 0.199.
        let loss = self.last_logged("quantized_loss");
        assert!(loss < 0.35, "{loss}");
        let values = self.values(lines);
        assert_eq!(values.len(), lines.len());
        let right = values.iter().zip(lines);
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
    folder.nnue("verify --declaration out/net.rs out/net.nnue --games 2");
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

/// Each of two stacks learns the lines of one row of a group.
#[test]
fn stacks_that_rows_choose_are_trained() {
    let declared = "pub struct Likes = rows[users: 60, parity: 2, active 8] -> 32 -> (8 -> 1)x2 by row(parity);";
    let folder = Folder::new("rows-stacks");
    let lines: Vec<Line> = Log::lines(4000)
        .into_iter()
        .map(|Line { rows, liked }| Line {
            rows: vec![rows[0], rows[1], 60 + rows[2] % 2],
            liked,
        })
        .collect();
    folder.write("likes.rows", Log::text(&lines).as_bytes());
    let run = run("likes.rows", "held_out = 0.2").replace(Log::DECLARED, declared);
    folder.write("run.toml", run.as_bytes());
    folder.run("").succeeds();
    folder.assert_learnt_of(&lines[..600]);
    folder.nnue("verify --declaration out/net.rs out/net.nnue --games 2");
}

/// Regression: values are the targets, not results expected of them.
#[test]
fn scores_are_learnt_as_they_are() {
    let folder = Folder::new("rows-scores");
    let score = |line: &Line| 3 * line.rows[0] as i32 - 2 * (line.rows[1] as i32 - 40);
    let lines = Log::lines(4000);
    let mut text = String::new();
    for line in &lines {
        let rows: Vec<String> = line.rows.iter().map(ToString::to_string).collect();
        writeln!(text, "{} | {}", rows.join(" "), score(line)).unwrap();
    }
    folder.write("scores.rows", text.as_bytes());
    let entropy = run("scores.rows", "held_out = 0.2");
    let linear = entropy.replace(
        "error = \"cross_entropy\"",
        "convention = \"linear\"\nscale = 100\ntarget = \"score\"",
    );
    folder.write("run.toml", linear.as_bytes());
    folder.run("").succeeds();
    let values = folder.values(&lines[..600]);
    let off = values.iter().zip(&lines);
    let off: i32 = off.map(|(value, line)| (value - score(line)).abs()).sum();
    // Scores are spread over -38 to 117.
    assert!(off < 5 * 600, "the mean error is {}", off / 600);

    let both = linear.replace("[loss]", "[loss]\nerror = \"cross_entropy\"");
    folder.write("run.toml", both.as_bytes());
    let error = folder.run("");
    assert!(
        error.err.contains("cross entropy is of probabilities"),
        "{}",
        error.err
    );
}

/// The network of `tests/vectors/rows` that Rust, Python, C and SQL are compared with: declared in text, trained from
/// Parquet, quantised and evaluated by commands. `NNUE_BLESS=1` writes it.
#[cfg(feature = "arrow")]
#[test]
fn the_trained_network_of_the_vectors_is_that_of_the_commands() {
    let vectors = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/vectors/rows");
    let vector = |ending: &str| vectors.join(format!("trained.{ending}"));
    let folder = Folder::new("rows-vectors");
    folder.write("likes.parquet", include_bytes!("data/likes.parquet"));
    folder.write("net.rs", &fs::read(vector("rs")).expect("a declaration"));
    folder.write("lists.txt", &fs::read(vector("txt")).expect("lists"));
    let run = "output = \"out\"\nthreads = 1\nbatch = 64\nbatches = 20\nsuperbatches = 2\nrate = 0.02\n\
        [network]\nfile = \"net.rs\"\n[data]\nfiles = [\"likes.parquet\"]\n[validation]\ncolumn = \"held_out\"\n\
        [loss]\nerror = \"cross_entropy\"\n";
    folder.write("run.toml", run.as_bytes());
    folder.run("").succeeds();
    let loss = folder.last_logged("quantized_loss");
    assert!(loss < 0.6, "a constant has 0.693, this network {loss}");

    folder.nnue(
        "quantize --declaration net.rs out/net.safetensors --round nearest --output net.nnue",
    );
    let table = folder.nnue("eval --declaration net.rs net.nnue --rows lists.txt --tsv");
    let weights = fs::read(folder.0.join("net.nnue")).expect("weights");
    if std::env::var_os("NNUE_BLESS").is_some() {
        fs::write(vector("nnue"), &weights).expect("weights are written");
        fs::write(vector("tsv"), &table).expect("values are written");
    }
    assert_eq!(fs::read(vector("nnue")).expect("weights"), weights);
    assert_eq!(fs::read_to_string(vector("tsv")).expect("values"), table);
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
