//! Lists of rows that are written without a branch.

/// The active rows of a position for both perspectives.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    memory: [Vec<i32>; 2],
    lens: [usize; 2],
}

/// The rows of a perspective while they are found: local, so that its length is in a register.
pub(super) struct List<'a> {
    memory: &'a mut [i32],
    len: usize,
}

impl Rows {
    /// The rows of a perspective: 0 is the first, 1 the second.
    ///
    /// # Panics
    ///
    /// If there is no such perspective.
    pub fn of(&self, perspective: usize) -> &[i32] {
        &self.memory[perspective][..self.lens[perspective]]
    }

    /// Replaces all rows by those that `find` lists, at most `room` for each perspective.
    #[inline]
    pub(super) fn fill(&mut self, room: usize, find: impl FnOnce(&mut [List<'_>; 2])) {
        let mut lists = self.memory.each_mut().map(|memory| {
            if memory.len() <= room {
                // one more, for a row that is not kept
                memory.resize(room + 1, 0);
            }
            List { memory, len: 0 }
        });
        find(&mut lists);
        self.lens = lists.map(|list| list.len);
    }
}

impl List<'_> {
    /// Appends a row, which is overwritten by the next one if it is not to be kept: what a branch would cost is more.
    #[inline]
    pub(super) fn put(&mut self, row: i32, keep: bool) {
        self.memory[self.len] = row;
        self.len += usize::from(keep);
    }
}
