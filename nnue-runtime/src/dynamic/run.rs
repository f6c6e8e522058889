//! The interface of steps.

use super::scratch::Scratch;
use crate::simd::{AvailableLevel, Simd, Task};

/// The input of a forward pass.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    pub(super) level: AvailableLevel,
    /// of the perspectives that layers read
    pub(super) accumulators: &'a [&'a [i16]],
    pub(super) stack: usize,
}

/// A step, which writes one place or one accumulator buffer of the scratch memory.
pub(super) trait Run: Send + Sync {
    fn run(&self, start: Start<'_>, scratch: &mut Scratch);
}

/// A step that is compiled as a whole for each level, not only its kernel: one call, whatever the
/// step reads.
///
/// All steps of a pass in one such function would be slower: the compiler would compute the
/// constants of every kernel before the first step.
pub(super) trait RunAt {
    /// Computes the step in layer stack `stack`.
    fn run_at<S: Simd>(&self, simd: S, stack: usize, scratch: &mut Scratch);
}

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
