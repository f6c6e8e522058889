//! What it costs to find out which pairs of pieces a move changes, without touching a weight.

use nnue::AvailableLevel;
use nnue_runtime::features::ChangedRows;

use super::data::Line;
use super::replay::plies;
use super::rows::FeatureRows;
use super::timer::{Timer, Times};

/// Lists the rows of pairs that leave and enter both accumulators, ply by ply.
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
