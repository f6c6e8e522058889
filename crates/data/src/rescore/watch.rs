//! How far the work has come.

use std::path::Path;

use crate::ReadError;

/// Is told how far the work has come, by any of the threads.
pub trait Watch: Sync {
    /// So many bytes of the inputs are to be read; `None` if that is not known. Told once, at the beginning.
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

    /// A table has columns that say nothing about a record: they are not read.
    fn leaves_out(&self, path: &Path, columns: &[&str]) {
        let _ = (path, columns);
    }

    /// A damaged place is left out.
    fn passed_over(&self, path: &Path, damage: &ReadError) {
        let _ = (path, damage);
    }
}

/// Nobody watches.
impl Watch for () {}
