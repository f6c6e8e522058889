//! What comes out of the last layer of a network.

use nnue_spec::{RawOutput, Wdl};

use crate::feature_floats::MOST;

/// The type of a network's raw output, before it becomes a value: `i32`, or `f32` or [`Wdl`] after layers of floats.
pub trait Output: Copy + Send + Sync + 'static {
    /// The output as a value of the one type from which positional parts are made.
    fn raw(self) -> RawOutput;

    /// The output with a float of the active features added to each of its neurons; whole numbers have none.
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
