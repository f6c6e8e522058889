//! The line of a search: a record per ply of what changed, and the accumulators that were computed. Every game shares this; how
//! accumulators of a game follow from each other is a [`Game`].
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

/// How the accumulators of a game follow its positions. There are two: [`Chess`](super::Chess), over feature sets that the library
/// knows, and [`Custom`](crate::game::Custom), over [`Inputs`](crate::game::Inputs) of the program.
///
/// Programs name it in bounds and declarations, and call none of its functions.
pub trait Game<T: Transform>: Sized + 'static {
    /// What a move changes, as the program's move generator says it.
    type Change: Send + Sync + 'static;
    /// What a ply keeps of it.
    type Record: Send + Sync + 'static;
    /// Where the accumulator of a side is, and what else is needed to know whether it is of use.
    type Place: Copy + Send + Sync + 'static;
    /// The refresh cache and scratch lists.
    type Work: Clone + Send + Sync + 'static;
    /// A position, as far as accumulators depend on it.
    type Board<'a>: ?Sized;
    /// What a batch remembers of its positions, and scratch lists.
    type Batch: Send + Sync + 'static;

    /// No accumulator was computed.
    const UNKNOWN: Self::Place;

    /// What a ply keeps of a move; nothing: the side to move passed, or there was no move at all.
    fn record(change: Option<Self::Change>) -> Self::Record;

    /// A copy of what a ply keeps.
    fn copied(record: &Self::Record) -> Self::Record
    where
        Self::Change: Clone;

    /// An empty cache.
    fn work() -> Self::Work;

    /// Empties the cache.
    fn clear(work: &mut Self::Work);

    /// Who moves next.
    fn side_to_move(board: &Self::Board<'_>) -> Color;

    /// The accumulators of the position at the top, in the order of [`Perspectives::sides`], brought up to date.
    fn current<'l>(
        line: &'l mut Line<Self, T>,
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        perspectives: Perspectives,
    ) -> [&'l T::Accumulator; 2];

    /// The accumulator of one side, from the bias and all its rows.
    fn build(
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        side: Color,
    ) -> T::Accumulator;

    /// Calls `read` with the active rows of one side, in any order: of the set of pieces, and of the sets of pairs.
    fn active<R>(
        transformer: &T,
        board: &Self::Board<'_>,
        side: Color,
        read: impl FnOnce(&mut [u32], &mut [u32]) -> R,
    ) -> R;

    /// Pairs of accumulators that a batch needs besides those of its positions.
    const SPARE: usize = 0;

    /// A batch without positions.
    fn batch() -> Self::Batch;

    /// Takes all positions out of the batch.
    fn empty(batch: &mut Self::Batch);

    /// One more position in the batch.
    fn add(
        batch: &mut Self::Batch,
        level: AvailableLevel,
        transformer: &T,
        board: &Self::Board<'_>,
        perspectives: Perspectives,
    );

    /// Computes what [`read`](Self::read) needs.
    ///
    /// # Panics
    ///
    /// If there are fewer pairs of accumulators than positions and [`SPARE`](Self::SPARE) ones.
    fn compute(
        batch: &mut Self::Batch,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    );

    /// The accumulators of a position in the batch, by side: of the sides that are read.
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

/// The plies of a search and their accumulators.
pub struct Line<G: Game<T>, T: Transform> {
    /// from the root to the current position; never empty
    pub(crate) plies: Vec<Ply<G::Record, G::Place>>,
    /// one pair per ply, at least as long as `plies`
    pub(crate) accumulators: Vec<[T::Accumulator; 2]>,
    /// the refresh cache and scratch lists
    pub(crate) work: G::Work,
}

/// One ply: how its position came about, and where its accumulators are.
#[derive(Clone, Copy)]
pub(crate) struct Ply<R, P> {
    pub(crate) change: R,
    /// By side. An index is at most the ply's own.
    pub(crate) located: [P; 2],
}

impl<G: Game<T>, T: Transform> Line<G, T> {
    /// A root, with an empty cache.
    pub(crate) fn new() -> Self {
        const DEPTH: usize = 64;
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

    /// A move, or nothing if the side to move passed.
    #[inline(always)]
    pub(crate) fn push(&mut self, change: Option<G::Change>) {
        self.plies.push(Self::ply(change));
        if self.plies.len() > self.accumulators.len() {
            self.grow();
        }
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        assert!(self.plies.len() > 1, "pop without push");
        self.plies.pop();
    }

    /// Takes back moves until `depth` are left.
    #[inline(always)]
    pub(crate) fn truncate(&mut self, depth: usize) {
        let now = self.depth();
        assert!(
            depth <= now,
            "truncate to {depth} moves: the stack has only {now}"
        );
        self.plies.truncate(depth + 1);
    }

    /// Moves that were pushed and not popped: the index of the top.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.plies.len() - 1
    }

    /// Forgets the line and what was computed for it, and keeps the cache.
    pub(crate) fn reset(&mut self) {
        self.plies.clear();
        self.plies.push(Self::ply(None));
    }

    /// Forgets everything that was computed, but not the line.
    #[cold]
    pub(crate) fn forget(&mut self) {
        self.plies
            .iter_mut()
            .for_each(|ply| ply.located = [G::UNKNOWN; 2]);
        G::clear(&mut self.work);
    }

    /// Makes room for the accumulators of `plies` plies after the top.
    pub(crate) fn reserve(&mut self, plies: usize) {
        while self.accumulators.len() < self.plies.len() + plies {
            self.grow();
        }
    }

    /// Makes room for twice as many plies.
    #[cold]
    fn grow(&mut self) {
        let len = (2 * self.accumulators.len()).max(self.plies.capacity());
        self.accumulators
            .resize_with(len, || [T::zeroed(), T::zeroed()]);
    }
}

/// A copy has the accumulators of its plies, and makes room for more when it needs it.
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
