//! A line on standard error that says how far long work has come, when someone watches.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// How often the line changes at most.
const INTERVAL: Duration = Duration::from_millis(100);

/// Progress of one piece of work.
pub(crate) struct Progress {
    what: &'static str,
    total: usize,
    done: usize,
    shown: Option<Instant>,
    watched: bool,
}

impl Progress {
    /// `total` steps of `what` are to be done.
    pub(crate) fn new(what: &'static str, total: usize) -> Self {
        Self { what, total, done: 0, shown: None, watched: io::stderr().is_terminal() }
    }

    /// One more step is done.
    pub(crate) fn step(&mut self) {
        self.done += 1;
        if self.watched && self.shown.is_none_or(|shown| shown.elapsed() >= INTERVAL) {
            self.shown = Some(Instant::now());
            eprint!("\r{} {} of {}\x1b[K", self.what, self.done, self.total);
            let _ = io::stderr().flush();
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }
}
