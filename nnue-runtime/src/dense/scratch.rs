//! Memory of an evaluation.

use alloc::vec::Vec;
use core::fmt;

use crate::memory::Line;

/// The memory for the values of an evaluation over a dense input, for
/// [`Network::evaluate_in`](super::Network::evaluate_in). It grows to the size that the largest
/// network needs and can be shared by all networks of a thread.
#[derive(Clone, Default)]
pub struct Scratch {
    pub(super) lines: Vec<Line>,
    /// a value with a margin of zeros
    pub(super) padded: Vec<Line>,
}

impl Scratch {
    /// Empty scratch memory.
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
