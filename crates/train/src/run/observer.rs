//! Whoever watches a run.

use std::fmt;

/// Hears of a run while it goes on, on the thread that called it. `()` ignores everything.
pub trait Observer {
    /// A line of the log: files read and written, losses of a superbatch.
    fn line(&mut self, line: fmt::Arguments<'_>);

    /// A warning, in one line.
    fn note(&mut self, note: fmt::Arguments<'_>) {
        self.line(format_args!("note: {note}"));
    }

    /// The training begins, with so many positions (of a dense input: examples) left.
    fn begin(&mut self, positions: u64) {
        let _ = positions;
    }

    /// So many more positions were used.
    fn advance(&mut self, positions: u64) {
        let _ = positions;
    }

    /// Loss of the last batch whose loss is known, and the learning rate.
    fn batch(&mut self, loss: f64, rate: f64) {
        let _ = (loss, rate);
    }

    /// The last superbatch is done.
    fn end(&mut self) {}
}

impl Observer for () {
    fn line(&mut self, _: fmt::Arguments<'_>) {}
}
