//! What every step of a forward pass is.

use super::scratch::Scratch;
use crate::simd::AvailableLevel;

/// What a forward pass starts from.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) level: AvailableLevel,
    /// of the perspectives that layers read
    pub(super) accumulators: &'a [&'a [i16]],
    /// the layer stack
    pub(super) stack: usize,
}

/// A step, which writes one place of the scratch memory or one of its buffers.
pub(super) trait Run: Send + Sync {
    /// Computes it.
    fn run(&self, start: Start<'_>, scratch: &mut Scratch);
}
