//! The progress of a job.

use std::path::Path;

use crate::ReadError;

/// Receives the progress of a job, from any of its threads.
pub trait Watch: Sync {
    /// The number of bytes to read; `None` if it is not known. Called once, at the beginning.
    fn begins(&self, bytes: Option<u64>) {
        let _ = bytes;
    }

    /// So many more bytes of the inputs were read.
    fn read(&self, bytes: u64) {
        let _ = bytes;
    }

    /// So many more positions are in the output.
    fn written(&self, positions: u64) {
        let _ = positions;
    }

    /// These columns of a table are not read: they say nothing about a record.
    fn leaves_out(&self, path: &Path, columns: &[&str]) {
        let _ = (path, columns);
    }

    /// A damaged place was skipped.
    fn passed_over(&self, path: &Path, damage: &ReadError) {
        let _ = (path, damage);
    }
}

/// Ignores the progress.
impl Watch for () {}
