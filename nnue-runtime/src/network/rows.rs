//! Networks whose rows the caller lists: positions, and the stack that follows their changes.

use alloc::vec::Vec;
use core::fmt;

use nnue_spec::rows::{RowLists, RowSets, RowsError, RowsShape};

use super::seen::Seen;
use super::{Evaluation, Network};
use crate::accumulator::{Mismatch, first_mismatch};
use crate::architecture::{Accumulator, Model};
use crate::game::Architecture;
use crate::rows::{Candidate, CandidateError, Given, Reader, RowsLine};

/// Networks over `rows[N, active M]`. All functions that take a position take a [`RowSets`].
impl<A: Architecture<Inputs = Given>> Network<A> {
    /// The sizes of positions.
    pub fn rows_shape(&self) -> RowsShape<'static> {
        shape::<A>()
    }

    /// A position without active rows.
    pub fn rows(&self) -> RowSets {
        RowSets::new(&shape::<A>())
    }

    /// The evaluation of `rows`, computed from scratch. A [`RowsStack`] is faster where positions follow from
    /// each other, [`evaluate_batch`](Self::evaluate_batch) where many do not.
    ///
    /// # Panics
    ///
    /// If `rows` is a position of a network with another number of rows or lists.
    pub fn evaluate_listed(&self, rows: &RowSets) -> Evaluation {
        assert!(
            rows.fits(&shape::<A>()),
            "the rows of a network with other rows than `{}`",
            A::SPEC.name
        );
        self.evaluate_fresh(rows)
    }
}

fn shape<A: Model>() -> RowsShape<'static> {
    let nothing = RowsShape {
        rows: 0,
        most_active: 0,
        lists: 1,
        groups: &[],
    };
    A::SPEC.rows_shape().unwrap_or(nothing)
}

/// A position of a network over `rows[N, active M]`, and the accumulators along the changes that led to it.
///
/// [`set`](Self::set) gives the root, [`push_rows`](Self::push_rows) changes it, [`pop`](Self::pop) takes the
/// last change back. None of them touches an accumulator; [`evaluate`](Self::evaluate) adds and subtracts the
/// rows that changed since the nearest position that was evaluated. Each change is checked when it is pushed,
/// in time proportional to its own rows; one that is refused changes nothing.
///
/// A stack belongs to one thread; the network is shared. Using a stack with another network is allowed: it
/// discards its accumulators.
pub struct RowsStack<A: Model> {
    line: RowsLine<A::Transformer>,
    /// the id of the network that computed the accumulators; 0 for none
    network: usize,
}

impl<A: Architecture<Inputs = Given>> RowsStack<A> {
    /// A stack whose root has no active rows.
    pub fn new() -> Self {
        Self {
            line: RowsLine::new(&shape::<A>()),
            network: 0,
        }
    }

    /// The active rows.
    pub fn rows(&self) -> &RowSets {
        self.line.rows()
    }

    /// Makes a position with these rows the root, and forgets the changes before. The side to move stays.
    ///
    /// # Errors
    ///
    /// [`RowsError`]. Then nothing is changed.
    pub fn set<'a>(&mut self, lists: impl Into<RowLists<'a>>) -> Result<(), RowsError> {
        self.line.set(|rows| rows.set(lists))
    }

    /// [`set`](Self::set) with the rows and the side to move of a text: `3 17 40`, `3 17 | 8 9 b`.
    ///
    /// # Errors
    ///
    /// [`RowsError`]. Then nothing is changed.
    pub fn set_text(&mut self, text: &str) -> Result<(), RowsError> {
        self.line.set(|rows| rows.set_text(text))
    }

    /// Removes and adds rows, in this order.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: a row to remove is not active, one to add is active or does not exist, another number of
    /// lists than the network has perspectives, too many rows. Then nothing is changed.
    #[inline]
    pub fn push_rows<'a, 'r>(
        &mut self,
        added: impl Into<RowLists<'a>>,
        removed: impl Into<RowLists<'r>>,
    ) -> Result<(), RowsError> {
        self.line.push(added.into(), removed.into())
    }

    /// Takes back the last change, and the side to move before it.
    ///
    /// # Panics
    ///
    /// If there is none: more was popped than pushed.
    #[inline]
    pub fn pop(&mut self) {
        self.line.pop();
    }

    /// Makes the position the root: forgets the changes before, and keeps the rows.
    pub fn make_root(&mut self) {
        self.line.make_root();
    }

    /// The number of changes that were pushed and not popped.
    pub fn depth(&self) -> usize {
        self.line.depth()
    }

    /// Sets the side to move, whose list is read first. [`pop`](Self::pop) restores it.
    pub fn set_black_to_move(&mut self, black: bool) {
        self.line.set_black_to_move(black);
    }

    /// The evaluation of the position.
    #[inline]
    pub fn evaluate(&mut self, network: &Network<A>) -> Evaluation {
        let ([us, them], seen) = self.read(network);
        network.judge(us, them, seen)
    }

    /// The output of the last layer, before it becomes a value.
    pub fn output(&mut self, network: &Network<A>) -> A::Output {
        let ([us, them], seen) = self.read(network);
        network.output_with(us, them, seen)
    }

    /// Evaluates the positions after each of `candidates`, which are changes of the position. Replaces the
    /// contents of `evaluations`, one for each candidate and in the same order.
    ///
    /// Each evaluation equals that of [`push_rows`](Self::push_rows), [`evaluate`](Self::evaluate) and
    /// [`pop`](Self::pop), but no accumulator of a candidate is kept: the way to compare many candidates that
    /// share a base. The side to move is that of the position.
    ///
    /// # Errors
    ///
    /// [`CandidateError`]: a candidate cannot be applied. Then nothing is evaluated.
    pub fn evaluate_candidates(
        &mut self,
        network: &Network<A>,
        candidates: &[Candidate<'_>],
        evaluations: &mut Vec<Evaluation>,
    ) -> Result<(), CandidateError> {
        evaluations.clear();
        self.line.check_all(candidates)?;
        // A stack chosen by a function, and floats of features, depend on the rows of the candidate.
        if Network::<A>::HAS_FLOATS || A::SPEC.stacks.count > 1 {
            for Candidate { added, removed } in candidates {
                // It was checked.
                if self.push_rows(*added, *removed).is_ok() {
                    evaluations.push(self.evaluate(network));
                    self.pop();
                }
            }
            return Ok(());
        }
        self.bind(network);
        let seen = network.see(self.line.rows(), self.line.rows());
        self.line
            .candidates(&reader(network), candidates, |[us, them]| {
                evaluations.push(network.judge(us, them, seen));
            });
        Ok(())
    }

    /// Updates the accumulators as an evaluation would, then builds them from scratch and compares.
    ///
    /// # Errors
    ///
    /// The first value that differs, which would be a fault of this library.
    pub fn verify(&mut self, network: &Network<A>) -> Result<(), Mismatch> {
        self.bind(network);
        let (accumulators, rows) = self.line.current(&reader(network));
        for (side, incremental) in network.sides(rows).into_iter().zip(accumulators) {
            let fresh = network.build(rows, side);
            first_mismatch::<A::Transformer>(side, incremental, &fresh)?;
        }
        Ok(())
    }

    #[inline]
    fn read(&mut self, network: &Network<A>) -> ([&Accumulator<A>; 2], Seen) {
        self.bind(network);
        let (accumulators, rows) = self.line.current(&reader(network));
        (accumulators, network.see(rows, rows))
    }

    #[inline]
    fn bind(&mut self, network: &Network<A>) {
        if self.network != network.id {
            self.line.forget();
            self.network = network.id;
        }
    }
}

fn reader<A: Model>(network: &Network<A>) -> Reader<'_, A::Transformer> {
    Reader {
        level: network.level(),
        transformer: A::transformer(network.params()),
        perspectives: Network::<A>::PERSPECTIVES,
    }
}

impl<A: Model> Clone for RowsStack<A> {
    fn clone(&self) -> Self {
        Self {
            line: self.line.clone(),
            network: self.network,
        }
    }
}

impl<A: Architecture<Inputs = Given>> Default for RowsStack<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Model> fmt::Debug for RowsStack<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RowsStack")
            .field("network", &A::SPEC.name)
            .field("rows", self.line.rows())
            .field("depth", &self.line.depth())
            .finish()
    }
}
