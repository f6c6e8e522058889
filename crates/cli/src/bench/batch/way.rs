//! The compared ways to evaluate positions.

use std::fmt;

use nnue::Evaluation;

use crate::input::Placement;
use crate::network::{AnyNetwork, Batches, Stack};

/// Positions in a timed part, if they are evaluated one by one.
const TOGETHER: usize = 256;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// each from scratch, into its own accumulators
    Fresh,
    /// each in a stack, after emptying its refresh cache
    Cleared,
    /// each in a stack with a refresh cache of earlier positions
    Warm,
    /// many per call
    Batches {
        /// positions per call
        size: usize,
        threads: usize,
    },
}

impl Way {
    /// The ways that evaluate one position at a time; the baselines of the comparison.
    pub(super) const SINGLE: [Self; 3] = [Self::Fresh, Self::Cleared, Self::Warm];

    pub(super) const SIZES: [usize; 3] = [16, 256, 4096];

    /// Positions per call, or per timed part.
    pub(super) const fn together(self) -> usize {
        match self {
            Self::Batches { size, .. } => size,
            _ => TOGETHER,
        }
    }

    pub(super) const fn threads(self) -> usize {
        match self {
            Self::Batches { threads, .. } => threads,
            _ => 1,
        }
    }

    pub(super) fn name(self) -> String {
        match self {
            Self::Fresh => "fresh".into(),
            Self::Cleared => "stack, cache cleared".into(),
            Self::Warm => "stack, cache warm".into(),
            Self::Batches { size, .. } => format!("batches of {size}"),
        }
    }

    pub(super) fn of<'n>(self, network: &'n dyn AnyNetwork) -> Box<dyn Evaluate + 'n> {
        match self {
            Self::Fresh => Box::new(Fresh(network)),
            Self::Cleared => Box::new(InStack {
                stack: network.stack(),
                keeps_cache: false,
            }),
            Self::Warm => Box::new(InStack {
                stack: network.stack(),
                keeps_cache: true,
            }),
            Self::Batches { threads, .. } => Box::new(Together(network.batches(threads))),
        }
    }
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())?;
        if self.threads() > 1 {
            write!(f, " on {} threads", self.threads())
        } else {
            Ok(())
        }
    }
}

pub(super) trait Evaluate {
    /// Writes the value of `positions[i]` to `values[i]`.
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]);
}

struct Fresh<'n>(&'n dyn AnyNetwork);

impl Evaluate for Fresh<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        for (position, value) in positions.iter().zip(values) {
            *value = self.0.evaluate(position).evaluation;
        }
    }
}

/// Evaluates each in the same stack, at its root.
struct InStack<'n> {
    stack: Box<dyn Stack + 'n>,
    keeps_cache: bool,
}

impl Evaluate for InStack<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        for (position, value) in positions.iter().zip(values) {
            if self.keeps_cache {
                self.stack.reset();
            } else {
                self.stack.clear();
            }
            *value = self.stack.evaluate(position).evaluation;
        }
    }
}

struct Together<'n>(Box<dyn Batches + 'n>);

impl Evaluate for Together<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        self.0.evaluate(positions, values);
    }
}
