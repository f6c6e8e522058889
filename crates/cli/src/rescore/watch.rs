//! Shows progress on standard error.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crate::note::note;
use crate::progress::Progress;
use nnue_data::ReadError;
use nnue_data::rescore::Watch;

/// Most damaged places reported one by one.
pub(super) const TOLD: u64 = 10;

/// A bar by input bytes, with positions per second.
pub(super) struct Progressing {
    bar: Mutex<Option<Progress>>,
    begin: Instant,
    written: AtomicU64,
    damaged: AtomicU64,
}

impl Default for Progressing {
    fn default() -> Self {
        let (written, damaged) = (AtomicU64::new(0), AtomicU64::new(0));
        Self {
            bar: Mutex::new(None),
            begin: Instant::now(),
            written,
            damaged,
        }
    }
}

impl Progressing {
    fn with(&self, tell: impl FnOnce(&Progress)) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(PoisonError::into_inner) {
            tell(bar);
        }
    }

    /// Removes the bar; returns the number of damaged places.
    pub(super) fn finish(&self) -> u64 {
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.damaged.load(Ordering::Relaxed)
    }
}

impl Watch for Progressing {
    fn begins(&self, bytes: Option<u64>) {
        let bar = match bytes {
            Some(total) => Progress::bytes("reading", total),
            None => Progress::endless("reading: byte"),
        };
        *self.bar.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar);
    }

    fn read(&self, bytes: u64) {
        self.with(|bar| bar.advance(bytes));
    }

    fn written(&self, positions: u64) {
        let all = self.written.fetch_add(positions, Ordering::Relaxed) + positions;
        let rate = all as f64 / self.begin.elapsed().as_secs_f64().max(1e-3);
        self.with(|bar| bar.say(format!("{all} positions, {rate:.0} a second;")));
    }

    fn leaves_out(&self, path: &Path, columns: &[&str]) {
        let names: Vec<String> = columns
            .iter()
            .map(|name| format!("`{}`", name.escape_debug()))
            .collect();
        note!(
            "{}: not read, and not in the output: {}",
            path.display(),
            names.join(", ")
        );
    }

    fn passed_over(&self, path: &Path, damage: &ReadError) {
        if self.damaged.fetch_add(1, Ordering::Relaxed) < TOLD {
            note!("{}: {damage}; it is left out", path.display());
        }
    }
}
