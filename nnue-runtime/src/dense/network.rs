//! A network over a dense input: loading, writing, evaluating.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::path::Path;

use nnue_format::{LoadError, dense};

use super::plan::Plan;
use super::{Architecture, Input, Scratch, Zeroed};
#[cfg(feature = "std")]
use crate::network::read_at_most;
use crate::simd::{AvailableLevel, Choice, Reason};

/// A network of the declared architecture `A`, which reads a dense input.
///
/// It never changes while it evaluates; it is `Send + Sync`, and threads share one.
pub struct Network<A: Architecture> {
    choice: Choice,
    tensors: Vec<Vec<f32>>,
    plan: Plan,
    architecture: PhantomData<A>,
}

impl<A: Architecture> Network<A> {
    /// A network with these weights, in the order of
    /// [`DenseDesc::tensors`](super::DenseDesc::tensors), for the level of [`Choice::now`].
    ///
    /// # Errors
    ///
    /// [`LoadError`]: there are more or fewer numbers than declared, one is infinite or NaN, or a
    /// variance is negative.
    pub fn from_tensors(tensors: Vec<Vec<f32>>) -> Result<Self, LoadError> {
        dense::check(&A::SPEC, &tensors)?;
        Ok(Self::new(tensors))
    }

    /// A network with random weights, for tests and measurements. They depend only on `seed`, so
    /// every processor gets the same; another version of this crate may generate others.
    pub fn random(seed: u64) -> Self {
        Self::new(dense::random(&A::SPEC, seed))
    }

    fn new(tensors: Vec<Vec<f32>>) -> Self {
        const {
            let (input, output) = (A::SPEC.input(), A::SPEC.output());
            assert!(
                !input.is_empty() && size_of::<A::Output>() == 4 * output.len(),
                "the output has its declared length"
            );
        }
        assert_eq!(
            A::Input::len(A::SPEC.input().pixels()),
            A::SPEC.input().len(),
            "the input has its declared length"
        );
        let plan = Plan::new(&A::SPEC, &tensors);
        Self {
            choice: Choice::now(),
            tensors,
            plan,
            architecture: PhantomData,
        }
    }

    /// Loads a file: the floats of all tensors, little endian, without a header.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the file cannot be read, or is not exactly one network of this declaration.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        // One more byte than a network has, to detect files that are too long.
        Self::from_bytes(&read_at_most(path.as_ref(), dense::size(&A::SPEC) + 1)?)
    }

    /// Loads the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the bytes are not exactly one network of this declaration.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(Self::new(dense::read(&A::SPEC, bytes)?))
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        dense::to_bytes(&self.tensors)
    }

    /// The weights, in the order of [`DenseDesc::tensors`](super::DenseDesc::tensors).
    pub fn tensors(&self) -> &[Vec<f32>] {
        &self.tensors
    }

    /// The same network for another level of this processor, for tests and measurements. All levels
    /// give the same results.
    #[must_use]
    pub fn with_level(mut self, level: AvailableLevel) -> Self {
        self.choice = Choice {
            level,
            reason: Reason::Given,
        };
        self
    }

    /// The level that evaluates.
    pub fn level(&self) -> AvailableLevel {
        self.choice.level
    }

    /// The level and why it was chosen.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }

    /// The outputs for an input: planes in the declared order of channels, rows and columns.
    ///
    /// Allocates memory for intermediate values; [`Self::evaluate_in`] does not.
    pub fn evaluate(&self, input: &A::Input) -> A::Output {
        self.evaluate_in(&mut Scratch::new(), input)
    }

    /// [`Self::evaluate`] with scratch memory that the caller keeps: one for each thread.
    pub fn evaluate_in(&self, scratch: &mut Scratch, input: &A::Input) -> A::Output {
        let pixels = A::SPEC.input().pixels();
        let mut output = A::Output::zeroed();
        self.plan.run(
            self.level(),
            scratch,
            |channel, pixel| input.get(channel, pixel, pixels),
            output.as_mut(),
        );
        output
    }
}

impl<A: Architecture> fmt::Debug for Network<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("architecture", &A::SPEC.name)
            .field("level", &self.level())
            .finish()
    }
}
