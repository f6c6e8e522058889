//! The rows of pairs that a change removes and adds.

use alloc::boxed::Box;

use super::row_list::RowList;
use super::threats::AttackList;
use crate::board::Color;

/// What becomes of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowChange {
    /// it was active and is no more
    Removed,
    /// it is active and was not
    Added,
}

impl RowChange {
    /// What becomes of the rows of the board before, and of those of the board after.
    pub const ALL: [Self; 2] = [Self::Removed, Self::Added];

    /// What becomes of the rows of the board before, if this becomes of those of the board after.
    #[inline(always)]
    pub(super) const fn other(self) -> Self {
        match self {
            Self::Removed => Self::Added,
            Self::Added => Self::Removed,
        }
    }
}

/// No set of pairs has more rows on a board than 64 pieces that each attack 8 others, and there are at most three sets.
pub(crate) const MOST_PAIRS: usize = 3 * 8 * 64;

/// For each side the rows of pairs that a change removes and adds, and the room to find them. To be kept: it is never
/// cleared as a whole.
#[derive(Debug)]
pub struct ChangedRows {
    /// by what becomes of the rows, and by side; the last vector may be longer than the list
    rows: [[RowList<{ MOST_PAIRS + 16 }>; 2]; 2],
    /// scratch
    pub(super) attacks: AttackList,
}

impl ChangedRows {
    /// Empty lists.
    pub fn new() -> Box<Self> {
        let lists = || [RowList::new(), RowList::new()];
        Box::new(Self { rows: [lists(), lists()], attacks: AttackList::new() })
    }

    /// Empties the lists of a side.
    #[inline(always)]
    pub fn clear(&mut self, side: Color) {
        self.rows.iter_mut().for_each(|lists| lists[side.index()].clear());
    }

    /// The rows of a side.
    #[inline(always)]
    pub fn of(&self, change: RowChange, side: Color) -> &[u32] {
        self.rows[change as usize][side.index()].as_slice()
    }

    /// One more row.
    ///
    /// # Panics
    ///
    /// If there are more than any boards have.
    #[inline(always)]
    pub fn push(&mut self, change: RowChange, side: Color, row: u32) {
        self.list(change, side).push(row);
    }

    #[inline(always)]
    pub(super) fn list(&mut self, change: RowChange, side: Color) -> &mut RowList<{ MOST_PAIRS + 16 }> {
        &mut self.rows[change as usize][side.index()]
    }

    /// Calls `f` with every row of a side, and perhaps with some others, eight at a time: how many rows there are is not
    /// predictable.
    #[inline(always)]
    pub(crate) fn for_each_and_more(&self, side: Color, mut f: impl FnMut(u32)) {
        for lists in &self.rows {
            lists[side.index()].eights().iter().flatten().for_each(|&row| f(row));
        }
    }
}
