//! Memory of an evaluation.

use alloc::vec::Vec;
use core::fmt;

use crate::memory::Line;

/// The memory that an evaluation of a dense input needs for its values, for [`Network::evaluate_in`](super::Network::evaluate_in). It
/// grows to what the greatest network needs and can be used with any.
#[derive(Clone, Default)]
pub struct Scratch {
    /// the values
    pub(super) lines: Vec<Line>,
    /// a value with zeros around it
    pub(super) padded: Vec<Line>,
}

impl Scratch {
    /// No memory yet.
    pub const fn new() -> Self {
        Self {
            lines: Vec::new(),
            padded: Vec::new(),
        }
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.lines.capacity() + self.padded.capacity();
        f.debug_struct("Scratch")
            .field("bytes", &(64 * lines))
            .finish()
    }
}
