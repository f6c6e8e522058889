//! Progress bars on standard error, if it is a terminal.

#[cfg(feature = "train")]
use std::fmt;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

#[cfg(feature = "train")]
use crate::note;

const DRAWN: u8 = 10;

/// A progress bar, which disappears when dropped.
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// A bar for `total` steps of `what`.
    pub(crate) fn new(what: &'static str, total: u64) -> Self {
        Self::with("{msg} {pos} of {len} [{bar:30}] {eta}", what, Some(total))
    }

    /// A counter without a known total.
    pub(crate) fn endless(what: &'static str) -> Self {
        Self::with("{msg} {pos}", what, None)
    }

    pub(crate) fn bytes(what: &'static str, total: u64) -> Self {
        Self::with(
            "{msg} {bytes} of {total_bytes} [{bar:30}] {eta}",
            what,
            Some(total),
        )
    }

    /// A bar for `total` items that shows items per second and the text of [`say`](Self::say).
    #[cfg(any(feature = "backends", feature = "train"))]
    pub(crate) fn rated(what: &'static str, total: u64) -> Self {
        Self::with("{msg} [{bar:30}] {per_sec} {eta}", what, Some(total))
    }

    #[cfg(any(feature = "rescore", feature = "train"))]
    pub(crate) fn say(&self, text: String) {
        self.0.set_message(text);
    }

    /// Writes a permanent line above the bar.
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

    pub(crate) fn step(&self) {
        self.0.inc(1);
    }

    /// Advances by this many bytes or positions.
    pub(crate) fn advance(&self, bytes: u64) {
        self.0.inc(bytes);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
