//! Accumulators over user-defined inputs.

use core::marker::PhantomData;

use super::batch::CustomBatch;
use super::cache::RefreshCache;
use super::rows::{ChangedRows, Rows};
use super::{Architecture, Inputs};
use crate::accumulator::{Game, Line, Perspectives};
use crate::architecture::{Reads, ReadsGolden};
use crate::board::Color;
use crate::simd::AvailableLevel;
use crate::transform::{Frame, RowChanges, Transform};

/// The game of networks over the user-defined [`Inputs`] `I`.
pub struct Custom<I>(PhantomData<fn() -> I>);

pub(super) type CustomLine<I, T> = Line<Custom<I>, T>;

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

impl<I: Inputs, T: Transform> Game<T> for Custom<I> {
    type Change = I::Change;
    /// `None`: the root, or a null move.
    type Record = Option<I::Change>;
    type Place = Option<Computed<I::View>>;
    type Work = Work<T>;
    type Board<'a> = I::Position;
    type Batch = CustomBatch;

    const UNKNOWN: Self::Place = None;

    #[inline(always)]
    fn record(change: Option<I::Change>) -> Option<I::Change> {
        change
    }

    fn copied(record: &Option<I::Change>) -> Option<I::Change>
    where
        I::Change: Clone,
    {
        record.clone()
    }

    fn work() -> Work<T> {
        Work {
            cache: RefreshCache::new(I::SLOTS.max(1)),
            active: Rows::new::<I>(),
            last: ChangedRows::new::<I>(),
            older: ChangedRows::new::<I>(),
        }
    }

    fn clear(work: &mut Work<T>) {
        work.cache.clear();
    }

    fn side_to_move(position: &I::Position) -> Color {
        I::side_to_move(position)
    }

    fn current<'l>(
        line: &'l mut Line<Self, T>,
        level: AvailableLevel,
        transformer: &T,
        position: &I::Position,
        perspectives: Perspectives,
    ) -> [&'l T::Accumulator; 2] {
        let sides = perspectives.sides(I::side_to_move(position));
        let places = sides.map(|side| {
            (
                line.compute(level, transformer, position, side),
                side.index(),
            )
        });
        places.map(|(at, side)| &line.accumulators[at][side])
    }

    fn build(
        level: AvailableLevel,
        transformer: &T,
        position: &I::Position,
        side: Color,
    ) -> T::Accumulator {
        <Self as Game<T>>::active(transformer, position, side, |rows, _| {
            let mut accumulator = T::zeroed();
            transformer.pass(
                level,
                Frame::Build {
                    target: &mut accumulator,
                },
                RowChanges::pieces(rows, &[]),
            );
            accumulator
        })
    }

    fn active<R>(
        _: &T,
        position: &I::Position,
        side: Color,
        read: impl FnOnce(&mut [u32], &mut [u32]) -> R,
    ) -> R {
        let mut rows = Rows::new::<I>();
        I::active(position, side, I::view(position, side), &mut rows);
        read(rows.as_mut_slice(), &mut [])
    }

    fn batch() -> CustomBatch {
        CustomBatch::new::<I>()
    }

    fn empty(batch: &mut CustomBatch) {
        batch.empty();
    }

    fn add(
        batch: &mut CustomBatch,
        _: AvailableLevel,
        _: &T,
        position: &I::Position,
        perspectives: Perspectives,
    ) {
        batch.add::<I>(position, perspectives);
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

/// The position type of a network's inputs.
type PositionOf<A> = <<A as Architecture>::Inputs as Inputs>::Position;

impl<A: Architecture> Reads<A, PositionOf<A>> for Custom<A::Inputs> {
    #[inline(always)]
    fn with<R>(position: &PositionOf<A>, read: impl FnOnce(&PositionOf<A>) -> R) -> R {
        read(position)
    }

    fn bucket(position: &PositionOf<A>, _: &PositionOf<A>) -> usize {
        A::stack(position).min(A::SPEC.stacks.count - 1)
    }
}

impl<A: Architecture> ReadsGolden<A> for Custom<A::Inputs> {
    fn with_golden<R>(index: usize, read: impl FnOnce(&PositionOf<A>, usize) -> R) -> Option<R> {
        A::golden(index, |position| {
            read(position, <Self as Reads<A, _>>::bucket(position, position))
        })
    }
}
