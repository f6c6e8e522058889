//! Branch-free lists of rows.

/// The active rows of a position for both perspectives.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    memory: [Vec<i32>; 2],
    lens: [usize; 2],
}

/// The rows of a perspective while they are collected; local, so that the length stays in a register.
pub(super) struct List<'a> {
    memory: &'a mut [i32],
    len: usize,
}

impl Rows {
    /// The rows of the first (0) or second (1) perspective.
    ///
    /// # Panics
    ///
    /// If there is no such perspective.
    pub fn of(&self, perspective: usize) -> &[i32] {
        &self.memory[perspective][..self.lens[perspective]]
    }

    /// Replaces all rows by those that `find` appends, at most `room` for each perspective.
    #[inline]
    pub(super) fn fill(&mut self, room: usize, find: impl FnOnce(&mut [List<'_>; 2])) {
        let mut lists = self.memory.each_mut().map(|memory| {
            if memory.len() <= room {
                // One more, for a row that is not kept.
                memory.resize(room + 1, 0);
            }
            List { memory, len: 0 }
        });
        find(&mut lists);
        self.lens = lists.map(|list| list.len);
    }
}

impl List<'_> {
    /// Appends a row. If `keep` is false, the next row overwrites it: that is cheaper than a branch.
    #[inline]
    pub(super) fn put(&mut self, row: i32, keep: bool) {
        self.memory[self.len] = row;
        self.len += usize::from(keep);
    }
}
