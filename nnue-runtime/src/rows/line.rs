//! A line of changes of a position, and candidates: small changes of its last position, of which only the
//! values are wanted.
//!
//! ```text
//!   root ── step ── step ── top ──┬─ candidate ──► layers      one pair of accumulators, overwritten by the next
//!                                 └─ candidate ──► layers      candidate, whose rows are prefetched meanwhile
//! ```

use alloc::vec::Vec;

use nnue_spec::rows::{Candidate, CandidateError, RowLists, RowSets, RowsError, RowsShape};

use super::given::{Given, Step, list_of};
use crate::accumulator::{Line, Perspectives};
use crate::game::{Custom, Inputs};
use crate::simd::AvailableLevel;
use crate::transform::{RowChanges, Transform, Upcoming};

/// What computes accumulators, and which it reads.
pub(crate) struct Reader<'a, T> {
    pub(crate) level: AvailableLevel,
    pub(crate) transformer: &'a T,
    pub(crate) perspectives: Perspectives,
}

/// A position, the changes that led to it, and its accumulators.
pub(crate) struct RowsLine<T: Transform> {
    line: Line<Custom<Given>, T>,
    rows: RowSets,
    /// by ply, whether Black was to move before it
    movers: Vec<bool>,
    /// steps that were popped, for their memory
    spare: Vec<Step>,
}

impl<T: Transform> RowsLine<T> {
    pub(crate) fn new(shape: &RowsShape<'_>) -> Self {
        Self {
            line: Line::new(),
            rows: RowSets::new(shape),
            movers: Vec::new(),
            spare: Vec::new(),
        }
    }

    pub(crate) fn rows(&self) -> &RowSets {
        &self.rows
    }

    pub(crate) fn set_black_to_move(&mut self, black: bool) {
        self.rows.set_black_to_move(black);
    }

    /// Makes another position the root. An error changes nothing.
    pub(crate) fn set<E>(
        &mut self,
        set: impl FnOnce(&mut RowSets) -> Result<(), E>,
    ) -> Result<(), E> {
        set(&mut self.rows)?;
        self.make_root();
        Ok(())
    }

    /// Forgets the changes before the position.
    pub(crate) fn make_root(&mut self) {
        self.line.reset();
        self.movers.clear();
    }

    #[inline]
    pub(crate) fn push(
        &mut self,
        added: RowLists<'_>,
        removed: RowLists<'_>,
    ) -> Result<(), RowsError> {
        self.rows.change(added, removed)?;
        self.movers.push(self.rows.black_to_move());
        let mut step = self.spare.pop().unwrap_or_default();
        step.set(added, removed);
        self.line.push(Some(step));
        Ok(())
    }

    /// Takes back the last step.
    pub(crate) fn pop(&mut self) {
        if let Some(Some(step)) = self.line.pop_record() {
            self.rows.undo(step.added(), step.removed());
            self.spare.push(step);
        }
        if let Some(black) = self.movers.pop() {
            self.rows.set_black_to_move(black);
        }
    }

    pub(crate) fn depth(&self) -> usize {
        self.line.depth()
    }

    /// Discards all accumulators.
    pub(crate) fn forget(&mut self) {
        self.line.forget();
    }

    /// The accumulators of the position in reading order, brought up to date.
    #[inline]
    pub(crate) fn current(&mut self, reader: &Reader<'_, T>) -> ([&T::Accumulator; 2], &RowSets) {
        let places = self.places(reader);
        let Self { line, rows, .. } = self;
        let accumulators = places.map(|(at, side)| &line.accumulators[at][side]);
        (accumulators, rows)
    }

    /// Where the accumulators of the position are, in reading order: each is brought up to date.
    ///
    /// A position that follows from none that was evaluated is computed from scratch. Then its parent is computed
    /// too, from which the next candidate follows.
    #[inline]
    fn places(&mut self, reader: &Reader<'_, T>) -> [(usize, usize); 2] {
        let Self { line, rows, .. } = self;
        let sides = reader.perspectives.sides(Given::side_to_move(rows));
        sides.map(|side| {
            let at = line.compute(reader.level, reader.transformer, rows, side);
            line.complete_parent(reader.level, reader.transformer, side, ());
            (at, side.index())
        })
    }

    /// Whether the position can be changed by each of the candidates.
    pub(crate) fn check_all(&mut self, candidates: &[Candidate<'_>]) -> Result<(), CandidateError> {
        for (candidate, &Candidate { added, removed }) in candidates.iter().enumerate() {
            self.rows
                .check(added, removed)
                .map_err(|error| CandidateError { candidate, error })?;
        }
        Ok(())
    }

    /// Calls `judge` with the accumulators of each candidate, all of which were [checked](Self::check_all).
    pub(crate) fn candidates(
        &mut self,
        reader: &Reader<'_, T>,
        candidates: &[Candidate<'_>],
        mut judge: impl FnMut([&T::Accumulator; 2]),
    ) {
        let to_move = Given::side_to_move(&self.rows);
        let (lists, perspectives) = (self.rows.lists(), reader.perspectives);
        let places = self.places(reader);
        let line = &mut self.line;
        line.reserve(1);
        let (known, free) = line.accumulators.split_at_mut(line.plies.len());
        let target = &mut free[0];
        for (index, candidate) in candidates.iter().enumerate() {
            let sides = perspectives.each(to_move).zip(places);
            for (side, (at, place)) in sides {
                let list = list_of(side, lists);
                let next = candidates
                    .get(index + 1)
                    .map_or(&[][..], |next| next.added.as_slice()[list]);
                let (added, removed) = (
                    candidate.added.as_slice()[list],
                    candidate.removed.as_slice()[list],
                );
                reader.transformer.derive(
                    reader.level,
                    Some(&known[at][place]),
                    &mut target[place],
                    RowChanges::pieces(added, removed),
                    Upcoming { pieces: next },
                );
            }
            judge(places.map(|(_, place)| &target[place]));
        }
    }
}

impl<T: Transform> Clone for RowsLine<T> {
    fn clone(&self) -> Self {
        Self {
            line: self.line.clone(),
            rows: self.rows.clone(),
            movers: self.movers.clone(),
            spare: Vec::new(),
        }
    }
}
