//! Positions of a batch that have nearly all pieces in common, like the children of a position.
//!
//! ```text
//!   middle                  a board with, on each square, what most members have there; its accumulators are built once
//!     │
//!     │ the two to four rows in which a member differs
//!     ▼
//!   member ──► layers       one pair of accumulators, which the next member overwrites
//! ```
//!
//! The accumulators of a batch have left the nearest cache when the layers read them. Those of a
//! family are computed from the middle when they are read, one position after the other. For
//! children, the middle is their parent.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::rows::Rows;
use crate::board::{Color, Planes};
use crate::both::both;
use crate::features::{Sets, View};
use crate::simd::AvailableLevel;
use crate::transform::{Transform, Upcoming};

/// Extra accumulators that a family needs: of the middle, and of the member that is read.
pub(super) const SPARE: usize = 2;

/// The least number of members that justifies a middle.
const LEAST: usize = 4;

/// By how many pieces a member may differ from the middle: castling moves two pieces.
const FARTHEST: u32 = 4;

/// The members of a batch, and scratch lists.
pub(super) struct Family {
    middle: Planes,
    /// by side, the view of all members
    views: [View; 2],
    /// by position of the batch: whether it is a member; empty if there is no family
    members: Vec<bool>,
    /// scratch, by side: the rows that lead to the member `listed`
    rows: [Box<Rows>; 2],
    listed: Option<usize>,
}

impl Family {
    pub(super) fn new() -> Self {
        let view = View {
            perspective: Color::White,
            orientation: 0,
            slot: 0,
            base: 0,
        };
        let rows = [Rows::new(), Rows::new()];
        Self {
            middle: Planes::default(),
            views: [view; 2],
            members: Vec::new(),
            rows,
            listed: None,
        }
    }

    #[inline(always)]
    pub(super) fn has(&self, position: usize) -> bool {
        self.members.get(position).copied().unwrap_or(false)
    }

    pub(super) fn clear(&mut self) {
        self.members.clear();
        self.listed = None;
    }

    /// Finds the members among `boards`. `views` has the views of both sides of each board, one
    /// after the other. A family has at least half of all boards, or no members.
    pub(super) fn find(
        &mut self,
        boards: &[Planes],
        mut views: impl Iterator<Item = View> + Clone,
    ) {
        self.clear();
        let most = |side: Color| majority(views.clone().filter(|view| view.perspective == side));
        let [Some(white), Some(black)] = both(Color::ALL, most) else {
            return;
        };
        let middle = Planes::majority(boards);
        let is_member = |board: &Planes| {
            let sees_so = |view: View| view == white || view == black;
            let by_both = views.by_ref().take(2).filter(|view| sees_so(*view)).count() == 2;
            by_both && board.distance(&middle) <= FARTHEST
        };
        self.members.extend(boards.iter().map(is_member));
        (self.middle, self.views) = (middle, [white, black]);
        let count = self.members.iter().filter(|member| **member).count();
        if count < LEAST || 2 * count < boards.len() {
            self.clear();
        }
    }

    /// Computes the accumulators of the middle, if there is one.
    pub(super) fn compute_middle<T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        accumulators: &mut [[T::Accumulator; 2]],
    ) {
        if self.members.is_empty() {
            return;
        }
        for (view, target) in self.views.iter().zip(&mut accumulators[self.members.len()]) {
            let rows = &mut self.rows[0];
            rows.clear();
            rows.added.collect_active(sets, *view, &self.middle);
            transformer.derive(level, None, target, rows.as_changes(), Upcoming::default());
        }
    }

    /// The accumulators of the member `position`, computed now. Lists the rows of the member after
    /// it, which is the most likely to be read next.
    pub(super) fn member<'a, T: Transform>(
        &mut self,
        sets: impl Sets,
        level: AvailableLevel,
        transformer: &T,
        boards: &[Planes],
        position: usize,
        accumulators: &'a mut [[T::Accumulator; 2]],
    ) -> &'a [T::Accumulator; 2] {
        if self.listed != Some(position) {
            self.list(sets, boards, position);
        }
        let (middle, member) = accumulators[boards.len()..].split_at_mut(1);
        let rows = both(self.rows.each_ref(), |rows| rows.as_changes());
        transformer.pass_both(level, middle[0].each_ref(), member[0].each_mut(), rows);
        if let Some(next) = (position + 1..boards.len()).find(|&next| self.has(next)) {
            self.list(sets, boards, next);
            for rows in &self.rows {
                rows.as_changes().prefetch(transformer);
            }
        }
        &member[0]
    }

    #[inline]
    fn list(&mut self, sets: impl Sets, boards: &[Planes], position: usize) {
        for (rows, view) in self.rows.iter_mut().zip(self.views) {
            rows.set_to_difference(sets, view, &self.middle, &boards[position]);
        }
        self.listed = Some(position);
    }
}

/// The element that makes up more than half of `all`, if there is one.
fn majority<T: PartialEq>(all: impl Iterator<Item = T> + Clone) -> Option<T> {
    let (mut most, mut lead) = (None, 0_usize);
    for one in all.clone() {
        match lead {
            0 => (most, lead) = (Some(one), 1),
            _ if most.as_ref() == Some(&one) => lead += 1,
            _ => lead -= 1,
        }
    }
    let (count, total) = all.fold((0, 0), |(count, total), one| {
        (count + usize::from(most.as_ref() == Some(&one)), total + 1)
    });
    most.filter(|_| 2 * count > total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_majority_is_more_than_half() {
        assert_eq!(majority([1, 2, 1, 3, 1].into_iter()), Some(1));
        assert_eq!(majority([1, 2, 1, 3].into_iter()), None);
        assert_eq!(majority([3, 2, 2].into_iter()), Some(2));
        assert_eq!(majority(core::iter::empty::<u8>()), None);
    }
}
