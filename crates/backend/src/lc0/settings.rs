//! Settings of a network.

use super::HistoryFill;
use crate::options::{Float, Integer, Word};

pub(super) const FILL: Word<HistoryFill> = Word {
    name: "fill",
    words: &[
        ("fen_only", HistoryFill::FenOnly),
        ("no", HistoryFill::No),
        ("always", HistoryFill::Always),
    ],
    about: "how missing history is filled: repeat the oldest position (except at the start position), leave empty, always repeat",
};
pub(super) const TEMPERATURE: Float = Float {
    name: "temperature",
    default: 1.0,
    range: 0.1..=10.0,
    about: "above 1 the policy is less sure of itself; searches of lc0 have 1.359",
};

pub(super) const TOGETHER: Integer = Integer {
    name: "together",
    default: 16,
    range: 1..=1024,
    about: "positions that a thread takes through a layer before the next one; answers do not depend on it",
};

/// Settings of a network.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// threads per batch, 0 for one per core
    pub threads: usize,
    /// positions per thread and layer, at least 1: more positions share the loaded weights, fewer fit in the
    /// cache
    pub together: usize,
    /// how missing history is filled
    pub fill: HistoryFill,
    /// temperature of the policy: above 1 it is flatter
    pub temperature: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 0,
            together: 16,
            fill: HistoryFill::FenOnly,
            temperature: 1.0,
        }
    }
}
