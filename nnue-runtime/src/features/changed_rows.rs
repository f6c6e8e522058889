//! The rows of pairs that a change removes and adds.

use alloc::boxed::Box;

use super::row_change::RowChange;
use super::row_list::RowList;
use super::threats::AttackList;
use crate::board::Color;

/// The most rows of a list: 64 pieces that each attack 8 others, in three sets.
pub(crate) const MOST_PAIRS: usize = 3 * 8 * 64;

/// For each side, the rows of pairs that a change removes and adds, with scratch space to find
/// them. Keep it between changes: it is large, and never cleared as a whole.
#[derive(Debug)]
pub struct ChangedRows {
    /// by kind of change and by side; the last vector may extend past the end of the list
    rows: [[RowList<{ MOST_PAIRS + 16 }>; 2]; 2],
    /// scratch
    pub(super) attacks: AttackList,
}

impl ChangedRows {
    /// Empty lists.
    pub fn new() -> Box<Self> {
        let lists = || [RowList::new(), RowList::new()];
        Box::new(Self {
            rows: [lists(), lists()],
            attacks: AttackList::new(),
        })
    }

    /// Empties the lists of a side.
    #[inline(always)]
    pub fn clear(&mut self, side: Color) {
        self.rows
            .iter_mut()
            .for_each(|lists| lists[side.index()].clear());
    }

    /// The rows of a side.
    #[inline(always)]
    pub fn of(&self, change: RowChange, side: Color) -> &[u32] {
        self.rows[change as usize][side.index()].as_slice()
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// If there are more rows than any board has.
    #[inline(always)]
    pub fn push(&mut self, change: RowChange, side: Color, row: u32) {
        self.list(change, side).push(row);
    }

    #[inline(always)]
    pub(super) fn list(
        &mut self,
        change: RowChange,
        side: Color,
    ) -> &mut RowList<{ MOST_PAIRS + 16 }> {
        &mut self.rows[change as usize][side.index()]
    }
}
