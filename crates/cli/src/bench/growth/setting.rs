//! How everything is measured.

use nnue::AvailableLevel;

use super::super::timer::Timer;

/// A level, and how often its work is repeated.
pub(super) struct Setting {
    pub(super) level: AvailableLevel,
    /// why it was chosen
    pub(super) reason: String,
    pub(super) repetitions: usize,
    pub(super) timer: Timer,
}
