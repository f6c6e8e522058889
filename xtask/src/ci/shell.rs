//! Runs the commands of a check, and writes down what they print.

use std::io::{BufRead, BufReader, PipeReader, pipe};
use std::process::{Command, Stdio};

use super::console::Log;
use crate::repo::{Failure, Outcome};

/// What QEMU says of every feature of a processor that it does not emulate.
const NOISE: &str = "TCG doesn't support";

/// The commands of a check.
pub(super) struct Shell<'a> {
    log: &'a Log<'a>,
}

impl<'a> Shell<'a> {
    pub(super) fn new(log: &'a Log<'a>) -> Self {
        Self { log }
    }

    /// Prints a line.
    pub(super) fn say(&self, line: impl AsRef<str>) {
        self.log.line(line.as_ref());
    }

    /// Runs a command with its output shown; fails if it does.
    pub(super) fn run(&self, command: Command) -> Outcome {
        self.output(command).map(drop)
    }

    /// The same, and returns what it printed, on both streams: an emulated board writes to that of errors.
    pub(super) fn output(&self, mut command: Command) -> Outcome<String> {
        let what = format!("{command:?}");
        let failure = |error| Failure::new(format!("{what}: {error}"));
        let (reader, writer) = pipe().map_err(failure)?;
        let errors = writer.try_clone().map_err(failure)?;
        let mut child = command
            .stdin(Stdio::null())
            .stdout(writer)
            .stderr(errors)
            .spawn()
            .map_err(failure)?;
        drop(command); // and with it the pipe's other ends
        let printed = self.show(reader);
        let status = child.wait().map_err(failure)?;
        if status.success() {
            Ok(printed)
        } else {
            Err(Failure::new(format!("{what}: {status}")))
        }
    }

    /// Prints lines as they come, and returns all of them.
    fn show(&self, source: PipeReader) -> String {
        let mut source = BufReader::new(source);
        let (mut line, mut all) = (Vec::new(), String::new());
        while source
            .read_until(b'\n', &mut line)
            .is_ok_and(|length| length > 0)
        {
            let text = String::from_utf8_lossy(&line);
            if !text.contains(NOISE) {
                self.log.line(&text);
                all.push_str(&text);
            }
            line.clear();
        }
        all
    }
}
