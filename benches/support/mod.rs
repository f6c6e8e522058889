//! What the benches share: boards, lines of play, the clock, and this project's side of every workload.
#![allow(dead_code, unused_imports, reason = "each bench uses a part of it")]

mod board;
mod clock;
mod files;
mod lines;
mod ours;

pub(crate) use board::Board;
pub(crate) use clock::Record;
pub(crate) use files::NetworkFile;
pub(crate) use lines::{Family, LONGEST, Line, Play};
pub(crate) use ours::{Children, Forward, Ours, Plies, Refresh, Warm};

use nnue::{AvailableLevel, Level};

/// Something to be measured that does the same operations, in the same sections, at every pass.
pub(crate) trait Workload {
    /// Does all operations once. `record`, emptied first, gets the value of each and the times of the sections.
    ///
    /// The preparation of an operation (the root of a line) is outside the sections.
    fn pass(&mut self, record: &mut Record);
}

/// The best level of this processor and, if that is another, AVX2.
pub(crate) fn best_and_avx2() -> Vec<AvailableLevel> {
    let mut levels = vec![Level::detect()];
    levels.extend(
        Level::Avx2
            .check()
            .ok()
            .filter(|level| !levels.contains(level)),
    );
    levels
}
