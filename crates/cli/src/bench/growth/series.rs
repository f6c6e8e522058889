//! Measurements of one kind of work, and a line fitted to them.

use super::fit::{Line, Terms};

#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    /// the amounts that it should depend on
    pub(super) terms: Terms,
    pub(super) ns: f64,
    /// lower bound in nanoseconds, from the limits of the machine
    pub(super) least: f64,
}

/// Measurements of one kind of work, as a table.
pub(super) struct Series {
    pub(super) title: String,
    /// units of the terms
    pub(super) amounts: [&'static str; 3],
    /// header of the row names
    pub(super) head: &'static str,
    pub(super) columns: Vec<String>,
    /// by name
    pub(super) rows: Vec<(String, Vec<Point>)>,
}

impl Series {
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
