//! The ways to evaluate positions that are compared.

use std::fmt;

use nnue::Evaluation;

use crate::input::Placement;
use crate::network::{AnyNetwork, Batches, Stack};

/// Positions that are timed together where they are evaluated one by one.
const TOGETHER: usize = 256;

/// How positions are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// each from nothing, into accumulators of its own
    Fresh,
    /// each in a stack whose refresh cache is emptied before
    Cleared,
    /// each in a stack whose refresh cache knows the positions before it
    Warm,
    /// many by one call
    Batches {
        /// positions of a call
        size: usize,
        /// threads that share them
        threads: usize,
    },
}

impl Way {
    /// One position after the other. All others are compared with these.
    pub(super) const SINGLE: [Self; 3] = [Self::Fresh, Self::Cleared, Self::Warm];

    /// How many positions batches have.
    pub(super) const SIZES: [usize; 3] = [16, 256, 4096];

    /// Positions of a call, or of a part whose time is taken.
    pub(super) const fn together(self) -> usize {
        match self {
            Self::Batches { size, .. } => size,
            _ => TOGETHER,
        }
    }

    /// Threads that evaluate.
    pub(super) const fn threads(self) -> usize {
        match self {
            Self::Batches { threads, .. } => threads,
            _ => 1,
        }
    }

    /// The name in the report.
    pub(super) fn name(self) -> String {
        match self {
            Self::Fresh => "fresh".into(),
            Self::Cleared => "stack, cache cleared".into(),
            Self::Warm => "stack, cache warm".into(),
            Self::Batches { size, .. } => format!("batches of {size}"),
        }
    }

    /// What evaluates positions of `network` this way.
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

/// Evaluates positions in one of the ways.
pub(super) trait Evaluate {
    /// `values[i]` becomes that of `positions[i]`.
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]);
}

/// Each from nothing.
struct Fresh<'n>(&'n dyn AnyNetwork);

impl Evaluate for Fresh<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        for (position, value) in positions.iter().zip(values) {
            *value = self.0.evaluate(position).evaluation;
        }
    }
}

/// Each in the same stack, at its root.
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

/// All by one call.
struct Together<'n>(Box<dyn Batches + 'n>);

impl Evaluate for Together<'_> {
    fn evaluate(&mut self, positions: &[Placement], values: &mut [Evaluation]) {
        self.0.evaluate(positions, values);
    }
}
