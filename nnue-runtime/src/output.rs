//! The output of the last layer.

use nnue_spec::{RawOutput, Wdl};

use crate::feature_floats::MOST;

/// The type of a network's raw output, before it becomes a value: `i32`, or `f32` or [`Wdl`] after
/// float layers.
pub trait Output: Copy + Send + Sync + 'static {
    /// The output as the common type from which values are computed.
    fn raw(self) -> RawOutput;

    /// Adds the floats of the active features to the neurons of the output; integers have none.
    #[must_use]
    fn plus(self, floats: [f32; MOST]) -> Self;
}

impl Output for i32 {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Sum(self)
    }

    #[inline(always)]
    fn plus(self, _: [f32; MOST]) -> Self {
        self
    }
}

impl Output for f32 {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Float(self)
    }

    #[inline(always)]
    fn plus(self, [float, ..]: [f32; MOST]) -> Self {
        self + float
    }
}

impl Output for Wdl {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Wdl(self)
    }

    #[inline(always)]
    fn plus(self, floats: [f32; MOST]) -> Self {
        let logits = self.logits();
        Self::new(core::array::from_fn(|neuron| {
            logits[neuron] + floats[neuron]
        }))
    }
}
