//! Shows training progress on standard error.

use std::fmt;

use nnue_train::run::Observer;

use crate::note;
use crate::progress::Progress;

/// Prints lines and, below them, a progress bar while training runs.
#[derive(Default)]
pub(super) struct Watch(Option<Progress>);

impl Observer for Watch {
    fn line(&mut self, line: fmt::Arguments<'_>) {
        match &self.0 {
            Some(progress) => progress.line(line),
            None => note::line(line),
        }
    }

    fn begin(&mut self, positions: u64) {
        self.0 = Some(Progress::rated("training", positions));
    }

    fn advance(&mut self, positions: u64) {
        if let Some(progress) = &self.0 {
            progress.advance(positions);
        }
    }

    fn batch(&mut self, loss: f64, rate: f64) {
        if let Some(progress) = &self.0 {
            progress.say(format!("loss {loss:.5}, rate {rate:.2e}"));
        }
    }

    fn end(&mut self) {
        self.0 = None;
    }
}
