//! What comes out of the last layer of a network.

use nnue_spec::{RawOutput, Wdl};

/// The type of a network's raw output, before it becomes a value: `i32`, or `f32` or [`Wdl`] after layers of floats.
pub trait Output: Copy + Send + Sync + 'static {
    /// The output as a value of the one type from which positional parts are made.
    fn raw(self) -> RawOutput;
}

impl Output for i32 {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Sum(self)
    }
}

impl Output for f32 {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Float(self)
    }
}

impl Output for Wdl {
    #[inline(always)]
    fn raw(self) -> RawOutput {
        RawOutput::Wdl(self)
    }
}
