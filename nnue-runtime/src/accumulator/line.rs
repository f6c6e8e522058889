//! The line of a search: a record of each ply's change, and the accumulators that were computed.
//! All games share this; a [`Game`] defines how its accumulators follow from each other.
//!
//! ```text
//!   plies          root │ change │ change │ ..  top       located: per side, where the accumulator is, if it was computed
//!   accumulators   pair │ pair   │ pair   │ ..            a ply whose rows do not change shares the pair of an earlier one
//!   work           the refresh cache, scratch lists       of the game
//! ```

use alloc::vec::Vec;

use super::Perspectives;
use crate::board::Color;
use crate::simd::AvailableLevel;
use crate::transform::Transform;

/// How the accumulators of a game follow its positions. There are two: [`Chess`](super::Chess),
/// over the library's feature sets, and [`Custom`](crate::game::Custom), over user-defined
/// [`Inputs`](crate::game::Inputs).
///
/// Programs name it in bounds and declarations, and call none of its functions.
pub trait Game<T: Transform>: Sized + 'static {
    /// The change of a move, as the program's move generator describes it.
    type Change: Send + Sync + 'static;
    /// A ply's record of its change.
    type Record: Send + Sync + 'static;
    /// The location of a side's accumulator, and the data that decides whether it can be used.
    type Place: Copy + Send + Sync + 'static;
    /// The refresh cache and scratch lists.
    type Work: Clone + Send + Sync + 'static;
    /// The part of a position that accumulators depend on.
    type Board<'a>: ?Sized;
    /// A batch's data about its positions, and scratch lists.
    type Batch: Send + Sync + 'static;

    /// The place of an accumulator that was not computed.
    const UNKNOWN: Self::Place;

    /// The record of a move; `None` if the side to move passed or there was no move.
    fn record(change: Option<Self::Change>) -> Self::Record;

    /// A copy of a record.
    fn copied(record: &Self::Record) -> Self::Record
    where
        Self::Change: Clone;

    /// The initial state, with an empty cache.
    fn work() -> Self::Work;

    /// Empties the cache.
    fn clear(work: &mut Self::Work);

    /// The side to move.
    fn side_to_move(board: &Self::Board<'_>) -> Color;

    /// Brings the accumulators of the top up to date and returns them in the order of
    /// [`Perspectives::sides`].
    fn current<'l>(
        line: &'l mut Line<Self, T>,
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        perspectives: Perspectives,
    ) -> [&'l T::Accumulator; 2];

    /// Computes the accumulator of one side, from the bias and all its rows.
    fn build_into(
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        side: Color,
        target: &mut T::Accumulator,
    );

    /// [`build_into`](Self::build_into) a new accumulator.
    fn build(
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        side: Color,
    ) -> T::Accumulator {
        let mut target = T::zeroed();
        Self::build_into(level, transformer, board, side, &mut target);
        target
    }

    /// Calls `read` with the active rows of one side, in any order: of the set of pieces, and of
    /// the sets of pairs.
    fn active<R>(
        transformer: &T,
        board: &Self::Board<'_>,
        side: Color,
        read: impl FnOnce(&mut [u32], &mut [u32]) -> R,
    ) -> R;

    /// Pairs of accumulators that a batch needs in addition to one per position.
    const SPARE: usize = 0;

    /// An empty batch.
    fn batch() -> Self::Batch;

    /// Removes all positions from the batch.
    fn empty(batch: &mut Self::Batch);

    /// Adds a position to the batch.
    fn add(
        batch: &mut Self::Batch,
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        perspectives: Perspectives,
    );

    /// Computes everything that [`read`](Self::read) needs.
    ///
    /// # Panics
    ///
    /// If there are fewer pairs of accumulators than positions and [`SPARE`](Self::SPARE) together.
    fn compute(
        batch: &mut Self::Batch,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    );

    /// The accumulators of a position in the batch, by side. Only the sides that the network reads
    /// are valid.
    ///
    /// # Panics
    ///
    /// If there is no such position, or nothing was computed.
    fn read<'a>(
        batch: &mut Self::Batch,
        level: AvailableLevel,
        transformer: &T,
        position: usize,
        accumulators: &'a mut [[T::Accumulator; 2]],
    ) -> &'a [T::Accumulator; 2] {
        let _ = (batch, level, transformer);
        &accumulators[position]
    }
}

/// Plies of a new line.
const DEPTH: usize = 64;

/// The fewest plies by which a line grows.
const STEP: usize = 32;

/// The plies of a search and their accumulators.
pub struct Line<G: Game<T>, T: Transform> {
    /// from the root to the current position; never empty
    pub(crate) plies: Vec<Ply<G::Record, G::Place>>,
    /// one pair per ply, at least as long as `plies`
    pub(crate) accumulators: Vec<[T::Accumulator; 2]>,
    pub(crate) work: G::Work,
}

/// One ply: its change, and where its accumulators are.
#[derive(Clone, Copy)]
pub(crate) struct Ply<R, P> {
    pub(crate) change: R,
    /// By side. An index is at most the ply's own.
    pub(crate) located: [P; 2],
}

impl<G: Game<T>, T: Transform> Line<G, T> {
    /// A line of only the root, with an empty cache.
    pub(crate) fn new() -> Self {
        let mut line = Self {
            plies: Vec::with_capacity(DEPTH),
            accumulators: Vec::new(),
            work: G::work(),
        };
        line.plies.push(Self::ply(None));
        line.grow();
        line
    }

    #[inline(always)]
    fn ply(change: Option<G::Change>) -> Ply<G::Record, G::Place> {
        Ply {
            change: G::record(change),
            located: [G::UNKNOWN; 2],
        }
    }

    /// Pushes a move; `None` if the side to move passed.
    #[inline(always)]
    pub(crate) fn push(&mut self, change: Option<G::Change>) {
        self.plies.push(Self::ply(change));
        if self.plies.len() > self.accumulators.len() {
            self.grow();
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        self.pop_record();
    }

    /// [`pop`](Self::pop) that returns the record of the move.
    #[inline(always)]
    pub(crate) fn pop_record(&mut self) -> Option<G::Record> {
        assert!(self.plies.len() > 1, "pop without push");
        self.plies.pop().map(|ply| ply.change)
    }

    #[inline(always)]
    pub(crate) fn truncate(&mut self, depth: usize) {
        let now = self.depth();
        assert!(
            depth <= now,
            "truncate to {depth} moves: the stack has only {now}"
        );
        self.plies.truncate(depth + 1);
    }

    /// The number of moves since the root: the index of the top.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.plies.len() - 1
    }

    /// Discards the line and its accumulators, and keeps the cache.
    pub(crate) fn reset(&mut self) {
        self.plies.clear();
        self.plies.push(Self::ply(None));
    }

    /// Discards all accumulators, but not the line.
    #[cold]
    pub(crate) fn forget(&mut self) {
        self.plies
            .iter_mut()
            .for_each(|ply| ply.located = [G::UNKNOWN; 2]);
        G::clear(&mut self.work);
    }

    pub(crate) fn reserve(&mut self, plies: usize) {
        while self.accumulators.len() < self.plies.len() + plies {
            self.grow();
        }
    }

    /// Makes room for more plies: at first for [`DEPTH`], then for a quarter more. An accumulator has kilobytes, so a vector that
    /// doubles would keep twice what the deepest line needs.
    #[cold]
    fn grow(&mut self) {
        let len = self.accumulators.len();
        let more = if len == 0 { DEPTH } else { (len / 4).max(STEP) };
        self.accumulators.reserve_exact(more);
        self.accumulators
            .resize_with(len + more, || [T::zeroed(), T::zeroed()]);
    }
}

/// A copy has only the accumulators of its plies, and grows when it needs more.
impl<G: Game<T>, T: Transform> Clone for Line<G, T>
where
    G::Change: Clone,
{
    fn clone(&self) -> Self {
        let plies = self.plies.iter().map(|ply| Ply {
            change: G::copied(&ply.change),
            located: ply.located,
        });
        Self {
            plies: plies.collect(),
            accumulators: self.accumulators[..self.plies.len()].to_vec(),
            work: self.work.clone(),
        }
    }
}
