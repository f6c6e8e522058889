//! What every step of a forward pass is.

use super::scratch::Scratch;
use crate::simd::{AvailableLevel, Simd, Task};

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

/// A step all of which is compiled for each level, and not its kernel alone: one call, whatever the step reads.
///
/// All steps of a pass in one such function would be slower: the compiler computes constants of every kernel before the first step.
pub(super) trait RunAt {
    /// Computes it in layer stack `stack`.
    fn run_at<S: Simd>(&self, simd: S, stack: usize, scratch: &mut Scratch);
}

/// A step with what it needs.
pub(super) struct Whole<'a, T> {
    pub(super) step: &'a T,
    pub(super) stack: usize,
    pub(super) scratch: &'a mut Scratch,
}

impl<T: RunAt> Task for Whole<'_, T> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        self.step.run_at(simd, self.stack, self.scratch);
    }
}
