//! A network of subnets: loading, writing, evaluating.

use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
#[cfg(feature = "std")]
use std::path::Path;

use nnue_format::{LoadError, subnets};

use super::plan::{Asked, Plan, Workspace};
use super::{ActiveRows, Architecture, Named, Parameters};
#[cfg(feature = "std")]
use crate::network::read_at_most;
use crate::simd::{AvailableLevel, Choice, Reason};

/// A network of the declared architecture `A`, made of subnets.
///
/// It never changes while it evaluates; it is `Send + Sync`, and threads share one.
pub struct Network<A: Architecture> {
    choice: Choice,
    parameters: Parameters,
    plan: Plan,
    architecture: PhantomData<A>,
}

impl<A: Architecture> Network<A> {
    /// A network with these weights, for the level of [`Choice::now`].
    ///
    /// # Errors
    ///
    /// [`LoadError`]: there are more or fewer numbers than declared, they have another type, or one
    /// is infinite or NaN.
    pub fn from_parameters(parameters: Parameters) -> Result<Self, LoadError> {
        subnets::check(&A::SPEC, &parameters)?;
        Ok(Self::new(parameters))
    }

    /// A network with random weights, for tests and measurements. They depend only on `seed`, so
    /// every processor gets the same; another version of this crate may generate others.
    pub fn random(seed: u64) -> Self {
        Self::new(subnets::random(&A::SPEC, seed))
    }

    fn new(parameters: Parameters) -> Self {
        assert_eq!(
            A::Move::PRODUCTS,
            A::SPEC.products.len(),
            "a move has a pair of subnets for each product"
        );
        let plan = Plan::new(&A::SPEC, &parameters.numbers);
        Self {
            choice: Choice::now(),
            parameters,
            plan,
            architecture: PhantomData,
        }
    }

    /// Loads a file: the numbers of all subnets, then the terms, little endian, without a header.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the file cannot be read, or is not exactly one network of this declaration.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        // One more byte than a network has, to detect files that are too long.
        Self::from_bytes(&read_at_most(path.as_ref(), subnets::size(&A::SPEC) + 1)?)
    }

    /// Loads the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the bytes are not exactly one network of this declaration.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        Ok(Self::new(subnets::read(&A::SPEC, bytes)?))
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        subnets::to_bytes(&self.parameters)
    }

    /// The weights.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
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

    /// Computes the logits of `moves` in `position`, from the side to move's point of view, in the
    /// order of `moves`.
    ///
    /// Each subnet that moves name is computed once; the others cost nothing. A move may be listed
    /// more than once. [`softmax`](crate::softmax) turns logits into probabilities.
    ///
    /// # Panics
    ///
    /// If there are not as many logits as moves, or a move names a subnet or a term that the
    /// network does not have.
    pub fn policy<P: ?Sized>(&self, position: &P, moves: &[A::Move], logits: &mut [f32])
    where
        A::Inputs: ActiveRows<P>,
    {
        self.policy_with(position, moves, logits, &mut Workspace::new());
    }

    /// [`policy`](Self::policy) in memory that the program keeps.
    ///
    /// # Panics
    ///
    /// As [`policy`](Self::policy).
    pub fn policy_with<P: ?Sized>(
        &self,
        position: &P,
        moves: &[A::Move],
        logits: &mut [f32],
        workspace: &mut Workspace,
    ) where
        A::Inputs: ActiveRows<P>,
    {
        assert_eq!(moves.len(), logits.len(), "each move has a logit");
        workspace.rows.clear();
        A::Inputs::active(position, &mut workspace.rows);
        workspace.rows.sort_unstable();
        let asked = Asked {
            level: self.level(),
            terms: &self.parameters.terms,
            moves,
            logits,
        };
        self.plan.run(&A::SPEC, asked, workspace);
    }
}

impl<A: Architecture> fmt::Debug for Network<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("name", &A::SPEC.name)
            .field("level", &self.level())
            .finish_non_exhaustive()
    }
}
