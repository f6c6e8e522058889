//! Runs the commands of a check and records their output.

use std::io::{BufRead, BufReader, PipeReader, pipe};
use std::process::{Command, Stdio};

use super::console::Log;
use crate::repo::{Failure, Outcome};

/// QEMU's warning about each processor feature that it does not emulate.
const NOISE: &str = "TCG doesn't support";

pub(super) struct Shell<'a> {
    log: &'a Log<'a>,
}

impl<'a> Shell<'a> {
    pub(super) fn new(log: &'a Log<'a>) -> Self {
        Self { log }
    }

    pub(super) fn say(&self, line: impl AsRef<str>) {
        self.log.line(line.as_ref());
    }

    /// Runs a command and shows its output; fails if the command does.
    pub(super) fn run(&self, command: Command) -> Outcome {
        self.output(command).map(drop)
    }

    /// The same; returns stdout and stderr, since an emulated board writes to stderr.
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
        drop(command); // closes the pipe's write ends
        let printed = self.show(reader);
        let status = child.wait().map_err(failure)?;
        if status.success() {
            Ok(printed)
        } else {
            Err(Failure::new(format!("{what}: {status}")))
        }
    }

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
