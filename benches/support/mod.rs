//! What the benches share: boards, lines of play, the clock, and this project's side of every workload.

mod board;
mod clock;
mod files;
mod lines;
mod ours;

use std::time::Duration;

pub(crate) use board::Board;
pub(crate) use clock::Stopwatch;
pub(crate) use files::NetworkFile;
pub(crate) use lines::{Line, Play};
pub(crate) use ours::{Forward, Plies, Refresh};

/// Something to be measured that does the same operations at every pass.
pub(crate) trait Workload {
    /// Does all operations once, writes the value of each into `values` (emptied first) and says how long they took.
    ///
    /// What prepares an operation (the root of a line, the refresh of a peer's accumulator) is not counted.
    fn pass(&mut self, values: &mut Vec<i32>) -> Duration;
}
