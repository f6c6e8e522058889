//! Observers of a run.

use std::fmt;

/// Receives the progress of a run, on the thread that called it. `()` ignores everything.
pub trait Observer {
    /// A line of the log: files read and written, losses of a superbatch.
    fn line(&mut self, line: fmt::Arguments<'_>);

    /// A warning, in one line.
    fn note(&mut self, note: fmt::Arguments<'_>) {
        self.line(format_args!("note: {note}"));
    }

    /// Training starts, with this many positions (examples, with a dense input) left.
    fn begin(&mut self, positions: u64) {
        let _ = positions;
    }

    /// This many more positions were processed.
    fn advance(&mut self, positions: u64) {
        let _ = positions;
    }

    /// The last known loss of a batch, and the learning rate.
    fn batch(&mut self, loss: f64, rate: f64) {
        let _ = (loss, rate);
    }

    /// The metrics of a superbatch: a row of `log.csv`.
    fn metrics(&mut self, row: &[(String, f64)]) {
        let _ = row;
    }

    /// Asked after each batch: whether to stop the run, which then ends with
    /// [`Error::Stopped`](super::Error::Stopped) and can be resumed.
    fn should_stop(&mut self) -> bool {
        false
    }

    /// The last superbatch is done.
    fn end(&mut self) {}
}

impl Observer for () {
    fn line(&mut self, _: fmt::Arguments<'_>) {}
}
