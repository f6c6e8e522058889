//! A bar on standard error that says how far long work has come, if standard error is a terminal.

#[cfg(feature = "train")]
use std::fmt;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

#[cfg(feature = "train")]
use crate::note;

/// How often the bar is drawn in a second, at most.
const DRAWN: u8 = 10;

/// Progress of one piece of work. The bar disappears when it is dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// `total` steps of `what` are to be done.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        Self::with("{msg} {pos} of {len} [{bar:30}] {eta}", what, Some(total))
    }

    /// An unknown number of steps of `what` are to be done.
    pub(crate) fn endless(what: &'static str) -> Self {
        Self::with("{msg} {pos}", what, None)
    }

    /// `total` bytes are to be read.
    pub(crate) fn bytes(what: &'static str, total: u64) -> Self {
        Self::with(
            "{msg} {bytes} of {total_bytes} [{bar:30}] {eta}",
            what,
            Some(total),
        )
    }

    /// `total` of what is counted are to be done; how many a second is shown, and what [`say`](Self::say) says.
    #[cfg(any(feature = "backends", feature = "train"))]
    pub(crate) fn rated(what: &'static str, total: u64) -> Self {
        Self::with("{msg} [{bar:30}] {per_sec} {eta}", what, Some(total))
    }

    /// Says something else about the work.
    #[cfg(any(feature = "rescore", feature = "train"))]
    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Writes a line that stays, above the bar.
    #[cfg(feature = "train")]
    pub(crate) fn line(&self, line: fmt::Arguments<'_>) {
        self.0.suspend(|| note::line(line));
    }

    fn with(template: &str, what: &'static str, total: Option<u64>) -> Self {
        let target = ProgressDrawTarget::stderr_with_hz(DRAWN);
        let style =
            ProgressStyle::with_template(template).expect("the templates are written above");
        Self(
            ProgressBar::with_draw_target(total, target)
                .with_style(style.progress_chars("=> "))
                .with_message(what),
        )
    }

    /// One more step is done.
    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// So many more bytes are read, or positions used.
    pub(crate) fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
