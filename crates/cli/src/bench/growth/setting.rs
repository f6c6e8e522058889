//! Parameters of a measurement.

use nnue::AvailableLevel;

use super::super::timer::Timer;

pub(super) struct Setting {
    pub(super) level: AvailableLevel,
    /// reason for the level
    pub(super) reason: String,
    pub(super) repetitions: usize,
    pub(super) timer: Timer,
}
