//! Texts of an Arrow array, in memory of our own.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// How an array stores texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// one after the other, with offsets of 32 bits
    Offsets32,
    /// the same with 64 bits
    Offsets64,
    /// short ones in 16 bytes, others in any of several buffers
    Views,
}

impl Layout {
    /// That of a format of the C data interface.
    pub(super) fn of(format: &str) -> Option<Self> {
        match format {
            "u" => Some(Self::Offsets32),
            "U" => Some(Self::Offsets64),
            "vu" => Some(Self::Views),
            _ => None,
        }
    }
}

/// Texts one after the other; a null is none.
#[derive(Default)]
pub(super) struct Texts {
    all: String,
    ranges: Vec<Option<Range<usize>>>,
}

impl Texts {
    /// Appends a text.
    pub(super) fn push(&mut self, bytes: &[u8]) -> PyResult<()> {
        let text = std::str::from_utf8(bytes).map_err(|error| {
            PyValueError::new_err(format!(
                "text {} of the Arrow array is not UTF-8: {error}",
                self.ranges.len()
            ))
        })?;
        let start = self.all.len();
        self.all.push_str(text);
        self.ranges.push(Some(start..self.all.len()));
        Ok(())
    }

    pub(super) fn push_null(&mut self) {
        self.ranges.push(None);
    }

    /// All texts in order.
    pub(super) fn list(&self) -> Vec<Option<&str>> {
        let text = |range: &Option<Range<usize>>| range.clone().map(|range| &self.all[range]);
        self.ranges.iter().map(text).collect()
    }
}
