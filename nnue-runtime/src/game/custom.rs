//! Accumulators over user-defined inputs.

use core::marker::PhantomData;

use super::batch::CustomBatch;
use super::cache::RefreshCache;
use super::rows::{ChangedRows, Rows};
use super::{Architecture, ChangedBy, Inputs, Plays, PositionOf, ViewOf};
use crate::accumulator::{Game, Line, Perspectives};
use crate::architecture::{Reads, ReadsGolden};
use crate::board::Color;
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The game over user-defined [`Inputs`]: of the network `A`, or of inputs themselves.
pub struct Custom<A>(PhantomData<fn() -> A>);

pub(super) type CustomLine<A, T> = Line<Custom<A>, T>;

/// The state of a line besides accumulators.
pub struct Work<T: Transform> {
    pub(super) cache: RefreshCache<T>,
    /// the active rows of the position at the last refresh
    pub(super) active: Rows,
    /// scratch: the rows of the last change, and those of earlier changes
    pub(super) last: ChangedRows,
    pub(super) older: ChangedRows,
}

impl<T: Transform> Clone for Work<T> {
    fn clone(&self) -> Self {
        Self {
            cache: self.cache.clone(),
            active: self.active.clone(),
            last: self.last.clone(),
            older: self.older.clone(),
        }
    }
}

/// An accumulator of a ply.
#[derive(Clone, Copy)]
pub struct Computed<V> {
    /// the side's view of the board
    pub(super) view: V,
    /// Index into [`Line::accumulators`], at most the ply's own: a ply without changed rows shares
    /// its parent's.
    pub(super) at: usize,
}

impl<A: Plays, T: Transform> Game<T> for Custom<A> {
    type Change = ChangedBy<A>;
    /// `None`: the root, or a null move.
    type Record = Option<ChangedBy<A>>;
    type Place = Option<Computed<ViewOf<A>>>;
    type Work = Work<T>;
    type Board<'a> = PositionOf<A>;
    type Batch = CustomBatch;

    const UNKNOWN: Self::Place = None;

    #[inline(always)]
    fn record(change: Option<ChangedBy<A>>) -> Option<ChangedBy<A>> {
        change
    }

    fn copied(record: &Option<ChangedBy<A>>) -> Option<ChangedBy<A>>
    where
        ChangedBy<A>: Clone,
    {
        record.clone()
    }

    fn work() -> Work<T> {
        Work {
            cache: RefreshCache::new(A::Inputs::SLOTS.max(1)),
            active: Rows::new::<A::Inputs>(),
            last: ChangedRows::new::<A::Inputs>(),
            older: ChangedRows::new::<A::Inputs>(),
        }
    }

    fn clear(work: &mut Work<T>) {
        work.cache.clear();
    }

    fn side_to_move(position: &PositionOf<A>) -> Color {
        A::Inputs::side_to_move(position)
    }

    fn current<'l>(
        line: &'l mut Line<Self, T>,
        level: AvailableLevel,
        transformer: &T,
        position: &PositionOf<A>,
        perspectives: Perspectives,
    ) -> [&'l T::Accumulator; 2] {
        let sides = perspectives.sides(A::Inputs::side_to_move(position));
        let places = sides.map(|side| {
            (
                line.compute(level, transformer, position, side),
                side.index(),
            )
        });
        places.map(|(at, side)| &line.accumulators[at][side])
    }

    fn build_into(
        level: AvailableLevel,
        transformer: &T,
        position: &PositionOf<A>,
        side: Color,
        target: &mut T::Accumulator,
    ) {
        <Self as Game<T>>::active(transformer, position, side, |rows, _| {
            transformer.pass(
                level,
                Frame::Build { target },
                RowChanges::pieces(rows, &[]),
            );
        });
    }

    fn active<R>(
        _: &T,
        position: &PositionOf<A>,
        side: Color,
        read: impl FnOnce(&mut [u32], &mut [u32]) -> R,
    ) -> R {
        let mut rows = Rows::new::<A::Inputs>();
        A::Inputs::active(position, side, A::Inputs::view(position, side), &mut rows);
        read(rows.as_mut_slice(), &mut [])
    }

    fn batch() -> CustomBatch {
        CustomBatch::new::<A::Inputs>()
    }

    fn empty(batch: &mut CustomBatch) {
        batch.empty();
    }

    fn add(
        batch: &mut CustomBatch,
        _: AvailableLevel,
        _: &T,
        position: &PositionOf<A>,
        perspectives: Perspectives,
    ) {
        batch.add::<A::Inputs>(position, perspectives);
    }

    fn compute(
        batch: &mut CustomBatch,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        batch.compute::<T>(level, transformer, accumulators);
    }
}

impl<A: Architecture> Reads<A, PositionOf<A>> for Custom<A> {
    #[inline(always)]
    fn with<R>(position: &PositionOf<A>, read: impl FnOnce(&PositionOf<A>) -> R) -> R {
        read(position)
    }

    fn bucket(position: &PositionOf<A>, _: &PositionOf<A>) -> usize {
        A::stack(position).min(A::SPEC.stacks.count - 1)
    }
}

impl<A: Architecture> ReadsGolden<A> for Custom<A> {
    fn with_golden<R>(index: usize, read: impl FnOnce(&PositionOf<A>, usize) -> R) -> Option<R> {
        A::golden(index, |position| {
            read(position, <Self as Reads<A, _>>::bucket(position, position))
        })
    }
}
