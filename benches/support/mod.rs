//! What the benches share: boards, lines of play, the clock, and this project's side of every workload.

mod board;
mod clock;
mod files;
mod lines;
mod ours;

pub(crate) use board::Board;
pub(crate) use clock::Record;
pub(crate) use files::NetworkFile;
pub(crate) use lines::{LONGEST, Line, Play};
pub(crate) use ours::{Forward, Plies, Refresh};

/// Something to be measured that does the same operations, in the same sections, at every pass.
pub(crate) trait Workload {
    /// Does all operations once. `record`, emptied first, gets the value of each and the times of the sections.
    ///
    /// The preparation of an operation (the root of a line) is outside the sections.
    fn pass(&mut self, record: &mut Record);
}
