//! The command as its users meet it: what it prints, what it writes, and what it says when something is wrong.

mod damage;
mod data;
mod dense;
mod errors;
mod generate;
mod hostile;
mod rows;
mod run;
#[cfg(target_os = "linux")]
mod whole_files;

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// Three games: eight, four and three positions with evaluations.
const GAMES: &str = r#"[Result "1-0"]

1. e4 { [%eval 0.3] } 1... d5 { [%eval 0.5] } 2. exd5 { [%eval 0.4] } 2... Qxd5 { [%eval 0.5] }
3. Nc3 { [%eval 0.4] } 3... Qe5+ { [%eval 1.1] } 4. Be2 { [%eval 0.9] } 4... c6 { [%eval 1.2] } 1-0

[Result "0-1"]

1. f3 { [%eval -0.24] } 1... e5 { [%eval -0.2] } 2. g4 { [%eval #-1] } 2... Qh4# { [%eval #-0] } 0-1

[Result "1/2-1/2"]
[FEN "4k3/1P6/8/8/8/8/8/4K3 w - - 0 60"]

60. b8=Q+ { [%eval 40.0] } 60... Kf7 { [%eval 41.5] } 61. Qb4 { [%eval 39.0] } 1/2-1/2
"#;

/// What a run of the command gave.
struct Run {
    out: Vec<u8>,
    err: String,
    code: Option<i32>,
}

impl Run {
    /// What a command gives that was started.
    fn of(child: Child) -> Self {
        let output = child.wait_with_output().expect("the command ends");
        let err = String::from_utf8(output.stderr).expect("text");
        Self {
            out: output.stdout,
            err,
            code: output.status.code(),
        }
    }

    /// Asserts success and returns what was said on standard error.
    #[track_caller]
    fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.err
    }

    /// Asserts success and returns standard output.
    #[track_caller]
    fn prints(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        String::from_utf8(self.out).unwrap()
    }

    /// Asserts that the command failed, with exactly this as the last line on standard error.
    #[track_caller]
    fn fails_with(self, line: &str) {
        assert_eq!(
            self.err.lines().last(),
            Some(format!("error: {line}").as_str())
        );
        assert_eq!(self.code, Some(1));
    }
}

/// A length of time, in milliseconds, that is another one in each run of the tests.
fn random_milliseconds(range: std::ops::Range<u64>) -> u64 {
    let random = RandomState::new().build_hasher().finish();
    range.start + random % (range.end - range.start)
}

/// A folder of one test.
struct Folder(PathBuf);

impl Folder {
    /// The error for a file of the folder that cannot be read: it has the whole path.
    fn cannot_read(&self, file: &str, why: &str) -> String {
        format!("cannot read {}: {why}", self.0.join(file).display())
    }

    /// An empty one.
    fn new(name: &str) -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// One with the games, as `games.pgn`.
    fn with_games(name: &str) -> Self {
        let folder = Self::new(name);
        fs::write(folder.0.join("games.pgn"), GAMES).unwrap();
        folder
    }

    /// Runs `nnue-train data` in the folder; arguments are separated by spaces.
    fn data(&self, arguments: &str) -> Run {
        self.data_reading(b"", arguments)
    }

    /// The same with something on standard input.
    fn data_reading(&self, input: &[u8], arguments: &str) -> Run {
        let mut child = self.start(&format!("data {arguments}"));
        // it may end without reading
        let _ = child.stdin.take().expect("a pipe").write_all(input);
        Run::of(child)
    }

    /// Starts `nnue-train` in the folder.
    fn start(&self, arguments: &str) -> Child {
        Self::started(&mut self.command(arguments))
    }

    /// Runs `nnue-train` with a level that does not exist in the environment.
    #[track_caller]
    fn assert_level_is_refused(&self, arguments: &str) {
        let mut command = self.command(arguments);
        let error = "garbage".parse::<nnue::Level>().unwrap_err();
        Run::of(Self::started(command.env("NNUE_LEVEL", "garbage")))
            .fails_with(&format!("NNUE_LEVEL: {error}"));
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_nnue-train"));
        command.args(arguments.split(' ')).current_dir(&self.0);
        command
    }

    fn started(command: &mut Command) -> Child {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the command runs")
    }

    /// The contents of a file.
    fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn write(&self, name: &str, contents: &[u8]) {
        fs::write(self.0.join(name), contents).unwrap();
    }

    /// The names of its files, in order.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}
