//! Accumulators of a batch: many positions that do not follow from each other.
//!
//! ```text
//!   side and slot      rows, ascending
//!   white, 0           3 8 40 ..            built from the bias
//!   white, 0           3 8 41 ..      ◄──── from the one before, by the rows in which they differ, where these are fewer
//!   white, 1           ..
//! ```
//!
//! Lists are compared, not views: a list determines its accumulator. Rows that no earlier list has
//! are prefetched while the previous accumulator is computed.

use alloc::vec::Vec;

use super::Inputs;
use super::rows::{ChangedRows, Rows};
use crate::accumulator::{NewRows, Perspectives};
use crate::board::Color;
use crate::simd::AvailableLevel;
use crate::transform::{RowChanges, Transform, Upcoming};

/// The positions of a batch, and scratch lists.
pub struct CustomBatch {
    positions: usize,
    wanted: Vec<Wanted>,
    rows: Vec<u32>,
    /// scratch: the rows of an accumulator
    active: Rows,
    /// scratch: the rows in which two accumulators differ
    changed: ChangedRows,
    /// scratch: the rows of the next accumulator that no earlier one has
    new: NewRows,
}

/// An accumulator that layers read.
#[derive(Clone, Copy)]
struct Wanted {
    side: Color,
    /// accumulators of a slot are likely to be similar
    slot: usize,
    position: usize,
    /// start and end of its rows
    rows: [usize; 2],
}

impl CustomBatch {
    pub(super) fn new<I: Inputs>() -> Self {
        let (active, changed) = (Rows::new::<I>(), ChangedRows::new::<I>());
        Self {
            positions: 0,
            wanted: Vec::new(),
            rows: Vec::new(),
            active,
            changed,
            new: NewRows::new(),
        }
    }

    pub(super) fn empty(&mut self) {
        self.positions = 0;
        self.wanted.clear();
        self.rows.clear();
    }

    pub(super) fn add<I: Inputs>(&mut self, position: &I::Position, perspectives: Perspectives) {
        for side in perspectives.each(I::side_to_move(position)) {
            let view = I::view(position, side);
            self.active.clear();
            I::active(position, side, view, &mut self.active);
            self.active.sort();
            let first = self.rows.len();
            self.rows.extend_from_slice(self.active.as_slice());
            let rows = [first, self.rows.len()];
            self.wanted.push(Wanted {
                side,
                slot: I::slot(view),
                position: self.positions,
                rows,
            });
        }
        self.positions += 1;
    }

    pub(super) fn compute<T: Transform>(
        &mut self,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        let Self {
            wanted,
            rows: all,
            changed,
            new,
            ..
        } = self;
        let rows = |wanted: &Wanted| &all[wanted.rows[0]..wanted.rows[1]];
        wanted.sort_unstable_by(|a, b| (a.side, a.slot, rows(a)).cmp(&(b.side, b.slot, rows(b))));
        new.forget(
            all.iter()
                .max()
                .map_or(0, |&greatest| greatest as usize + 1),
        );
        wanted
            .first()
            .into_iter()
            .for_each(|first| new.set(rows(first)));
        for (at, now) in wanted.iter().enumerate() {
            let side = now.side.index();
            let before = wanted[..at]
                .last()
                .filter(|before| before.side == now.side)
                .filter(|before| {
                    changed.set_to_difference(rows(before), rows(now));
                    changed.len() < rows(now).len()
                });
            new.set(wanted.get(at + 1).map_or(&[], rows));
            let next = Upcoming {
                pieces: new.as_slice(),
            };
            match before
                .map(|before| accumulators.get_disjoint_mut([before.position, now.position]))
            {
                Some(Ok([source, target])) => {
                    let changed = RowChanges::pieces(changed.added(), changed.removed());
                    transformer.derive(
                        level,
                        Some(&source[side]),
                        &mut target[side],
                        changed,
                        next,
                    );
                }
                _ => {
                    let target = &mut accumulators[now.position][side];
                    transformer.derive(
                        level,
                        None,
                        target,
                        RowChanges::pieces(rows(now), &[]),
                        next,
                    );
                }
            }
        }
    }
}
