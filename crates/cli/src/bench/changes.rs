//! Measures how long it takes to find the pairs of pieces that a move changes, without reading weights.

use nnue::AvailableLevel;
use nnue_runtime::features::ChangedRows;

use super::data::Line;
use super::replay::plies;
use super::rows::FeatureRows;
use super::timer::{Timer, Times};

/// Finds the pair rows that leave and enter both accumulators, ply by ply.
pub(super) fn find(
    finder: &dyn FeatureRows,
    level: AvailableLevel,
    runs: &[Line],
    timer: Timer,
) -> Times {
    let mut rows = ChangedRows::new();
    let mut part = |run: &Line| timer.time(|| finder.find(level, &run.steps, &mut rows));
    Times {
        parts: runs.iter().map(&mut part).collect(),
        operations: plies(runs),
    }
}
