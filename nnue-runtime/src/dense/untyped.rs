//! Networks whose declaration is read at run time.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use nnue_format::{LoadError, dense};
use nnue_spec::dense::DenseDesc;

use super::Scratch;
use super::plan::Plan;
use crate::simd::AvailableLevel;

/// A network over a dense input without a declared type, for tools that read declarations: the same
/// kernels as [`Network`](super::Network), with lengths that are checked at every evaluation.
pub struct Untyped {
    plan: Plan,
    /// numbers per plane, and of the whole input
    pixels: usize,
    inputs: usize,
    outputs: usize,
}

impl Untyped {
    /// A network with these weights, in the order of [`DenseDesc::tensors`].
    ///
    /// # Errors
    ///
    /// [`LoadError`]: there are more or fewer numbers than declared, one is infinite or NaN, or a
    /// variance is negative.
    pub fn new(net: &DenseDesc<'_>, tensors: &[Vec<f32>]) -> Result<Self, LoadError> {
        dense::check(net, tensors)?;
        let (input, outputs) = (net.input(), net.output().len());
        Ok(Self {
            plan: Plan::new(net, tensors),
            pixels: input.pixels(),
            inputs: input.len(),
            outputs,
        })
    }

    /// The outputs for an input, whose planes are in the order of channels, rows and columns.
    ///
    /// # Panics
    ///
    /// If the length of the input differs from the declaration.
    pub fn evaluate(
        &self,
        level: AvailableLevel,
        scratch: &mut Scratch,
        input: &[f32],
    ) -> Vec<f32> {
        assert_eq!(
            input.len(),
            self.inputs,
            "the input has its declared length"
        );
        let mut output = vec![0.0; self.outputs];
        self.plan.run(
            level,
            scratch,
            |channel, pixel| input[channel * self.pixels + pixel],
            &mut output,
        );
        output
    }
}

impl fmt::Debug for Untyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Untyped")
            .field("inputs", &self.inputs)
            .field("outputs", &self.outputs)
            .finish()
    }
}
