//! The command as its users meet it: what it prints, and what it says when something is wrong.

#[cfg(feature = "backends")]
mod backends;
mod bullet;
mod calibrate;
#[cfg(feature = "graphs")]
mod compiled_graphs;
mod compressed;
mod convert;
mod declared;
mod dense;
mod errors;
mod eval;
#[cfg(target_os = "linux")]
mod hostile;
#[cfg(feature = "graphs")]
mod hostile_graphs;
#[cfg(feature = "graphs")]
mod import;
mod import_net;
mod optimize;
mod plot;
mod quantize;
mod rescore;
mod rows;
mod tools;
mod train;
#[cfg(target_os = "linux")]
mod whole_files;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the command gave.
struct Run {
    out: String,
    err: String,
    code: Option<i32>,
}

impl Run {
    /// Asserts success and returns standard output.
    #[track_caller]
    fn succeeds(self) -> String {
        assert_eq!(self.code, Some(0), "{}", self.err);
        self.out
    }

    /// Asserts that the command failed with exactly this line on standard error.
    #[track_caller]
    fn fails_with(self, line: &str) {
        assert_eq!(self.err, format!("error: {line}\n"));
        assert_eq!(self.code, Some(1));
    }

    /// Asserts that the command failed because it cannot read `path`, and named all of it.
    #[track_caller]
    fn fails_to_read(self, path: &str, why: &str) {
        let path = std::path::absolute(path).expect("a path");
        self.fails_with(&format!("cannot read {}: {why}", path.display()));
    }

    /// Asserts that the command failed with one line that contains each of these words.
    #[track_caller]
    fn fails_naming(self, words: &[&str]) {
        assert_eq!(self.code, Some(1), "{}", self.err);
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.starts_with("error: "), "{}", self.err);
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in: {}", self.err);
        }
    }
}

fn nnue(arguments: &[&str]) -> Run {
    nnue_reading("", arguments)
}

/// Runs the command with `input` on its standard input.
fn nnue_reading(input: &str, arguments: &[&str]) -> Run {
    run(
        Command::new(env!("CARGO_BIN_EXE_nnue")).args(arguments),
        input,
    )
}

/// Runs the command with a level named in the environment.
fn nnue_at(level: &str, arguments: &[&str]) -> Run {
    run(
        Command::new(env!("CARGO_BIN_EXE_nnue"))
            .args(arguments)
            .env(nnue::Choice::VARIABLE, level),
        "",
    )
}

fn run(command: &mut Command, input: &str) -> Run {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    // a command that needs no input may have ended already
    let _ = child
        .stdin
        .take()
        .expect("it is piped")
        .write_all(input.as_bytes());
    finished(child.wait_with_output().expect("the command ends"))
}

fn finished(output: Output) -> Run {
    let text = |bytes| String::from_utf8(bytes).expect("the command writes text");
    Run {
        out: text(output.stdout),
        err: text(output.stderr),
        code: output.status.code(),
    }
}

/// A file for this test run, with these contents.
fn file(name: &str, contents: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, contents).expect("the folder for temporary files can be written");
    path
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of ASCII letters")
}
