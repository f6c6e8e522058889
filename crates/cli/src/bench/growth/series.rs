//! What was measured for one kind of work, and the line through it.

use super::fit::{Line, Terms};

/// Measured nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// what they should depend on
    pub(super) terms: Terms,
    /// nanoseconds of an operation
    pub(super) ns: f64,
    /// nanoseconds that it takes at least, by the limits of the machine
    pub(super) least: f64,
}

/// Points of one kind of work, as a table.
pub(super) struct Series {
    pub(super) title: String,
    /// what the terms count
    pub(super) amounts: [&'static str; 3],
    /// what the names of the rows are
    pub(super) head: &'static str,
    pub(super) columns: Vec<String>,
    /// by name
    pub(super) rows: Vec<(String, Vec<Point>)>,
}

impl Series {
    /// The line through all points.
    pub(super) fn line(&self) -> Line {
        let points: Vec<_> = self
            .rows
            .iter()
            .flat_map(|(_, points)| points)
            .map(|point| (point.terms, point.ns))
            .collect();
        Line::through(&points)
    }
}
