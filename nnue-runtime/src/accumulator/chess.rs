//! Chess: accumulators over a set of pieces and sets of pairs of pieces.

use alloc::boxed::Box;
use core::marker::PhantomData;

use super::batch::ChessBatch;
use super::cache::RefreshCache;
use super::family;
use super::line::{Game, Line, Ply};
use super::pair_lists::PairLists;
use super::perspectives::Perspectives;
use super::rows::Rows;
use crate::board::{Change, Color, Snapshot};
use crate::features::{
    Declared, FeatureSet, MOST_PAIRS, PairSets, PairView, PieceMap, RowList, Sets, planes_of,
};
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The game of chess networks: `F` is the set of pieces, `X` the sets of pairs.
pub struct Chess<F, X = ()>(PhantomData<fn() -> (F, X)>);

/// Feature sets that are only known at run time, from the transformer.
#[derive(Clone, Copy, Debug)]
pub enum AtRunTime {}

/// The feature sets of a chess game with this transformer.
pub trait SetsOf<T>: Sized {
    /// The sets as a value.
    type Sets<'a>: Sets
    where
        T: 'a;

    /// An upper bound of the slots of the refresh cache.
    const SLOTS: usize;

    /// The sets whose rows `transformer` has.
    fn sets(transformer: &T) -> Self::Sets<'_>;
}

impl<F: FeatureSet, X: PairSets, T> SetsOf<T> for Chess<F, X> {
    type Sets<'a>
        = Declared<F, X>
    where
        T: 'a;

    const SLOTS: usize = F::SLOTS;

    #[inline(always)]
    fn sets(_: &T) -> Declared<F, X> {
        Declared::new()
    }
}

pub(super) type ChessLine<F, X, T> = Line<Chess<F, X>, T>;

/// A ply in chess; `located` has indices into [`Line::accumulators`].
pub(super) type ChessPly = Ply<Change, u32>;

/// The state of a chess line besides accumulators.
pub struct Work<T: Transform> {
    pub(super) cache: RefreshCache<T>,
    /// scratch
    pub(super) rows: Box<Rows>,
    /// scratch
    pub(super) pairs: PairLists,
}

/// A copy has a separate cache with the same accumulators; scratch space is empty.
impl<T: Transform> Clone for Work<T> {
    fn clone(&self) -> Self {
        Self {
            cache: self.cache.clone(),
            rows: Rows::new(),
            pairs: PairLists::new(),
        }
    }
}

/// Not an index of [`Line::accumulators`].
pub(super) const UNKNOWN: u32 = u32::MAX;

impl<F: 'static, X: 'static, T: Transform> Game<T> for Chess<F, X>
where
    Self: SetsOf<T>,
{
    type Change = Change;
    type Record = Change;
    type Place = u32;
    type Work = Work<T>;
    type Board<'a> = Snapshot<'a>;
    type Batch = ChessBatch;

    const UNKNOWN: u32 = UNKNOWN;
    const SPARE: usize = family::SPARE;

    #[inline(always)]
    fn record(change: Option<Change>) -> Change {
        change.unwrap_or_default()
    }

    fn copied(record: &Change) -> Change {
        *record
    }

    fn work() -> Work<T> {
        Work {
            cache: RefreshCache::new(Self::SLOTS),
            rows: Rows::new(),
            pairs: PairLists::new(),
        }
    }

    fn clear(work: &mut Work<T>) {
        work.cache.clear();
    }

    #[inline(always)]
    fn side_to_move(board: &Snapshot<'_>) -> Color {
        board.side_to_move
    }

    #[inline]
    fn current<'l>(
        line: &'l mut Line<Self, T>,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) -> [&'l T::Accumulator; 2] {
        line.current(level, transformer, board, perspectives)
    }

    fn build_into(
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        side: Color,
        target: &mut T::Accumulator,
    ) {
        <Self as Game<T>>::active(transformer, board, side, |rows, pairs| {
            let rows = RowChanges {
                added: rows,
                pairs_added: pairs,
                ..RowChanges::default()
            };
            rows.prefetch_refreshed(transformer);
            transformer.pass(level, Frame::Build { target }, rows);
        });
    }

    fn active<R>(
        transformer: &T,
        board: &Snapshot<'_>,
        side: Color,
        read: impl FnOnce(&mut [u32], &mut [u32]) -> R,
    ) -> R {
        let sets = Self::sets(transformer);
        let view = sets.view(side, board.kings[side.index()]);
        let mut rows = RowList::new();
        rows.collect_active(sets, view, &planes_of(sets, &board.bitboards()));
        let mut pairs = RowList::<MOST_PAIRS>::new();
        if sets.has_pairs() {
            let map = PieceMap::of_boards(board.bitboards());
            sets.active_pairs(
                &map,
                PairView::new(side, board.kings[side.index()]),
                |row| pairs.push(row),
            );
        }
        read(rows.as_mut_slice(), pairs.as_mut_slice())
    }

    fn batch() -> ChessBatch {
        ChessBatch::new()
    }

    fn empty(batch: &mut ChessBatch) {
        batch.empty();
    }

    fn add(
        batch: &mut ChessBatch,
        level: AvailableLevel,
        transformer: &T,
        board: &Snapshot<'_>,
        perspectives: Perspectives,
    ) {
        batch.add(Self::sets(transformer), level, board, perspectives);
    }

    fn compute(
        batch: &mut ChessBatch,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        batch.compute(Self::sets(transformer), level, transformer, accumulators);
    }

    #[inline]
    fn read<'a>(
        batch: &mut ChessBatch,
        level: AvailableLevel,
        transformer: &T,
        position: usize,
        accumulators: &'a mut [[T::Accumulator; 2]],
    ) -> &'a [T::Accumulator; 2] {
        batch.read(
            Self::sets(transformer),
            level,
            transformer,
            position,
            accumulators,
        )
    }
}
