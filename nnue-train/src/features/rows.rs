//! Lists of rows that are written without a branch.

/// The active rows of a position for both perspectives.
#[derive(Clone, Debug, Default)]
pub struct Rows([List; 2]);

/// Rows in memory that is as long as there can be.
#[derive(Clone, Debug, Default)]
struct List {
    values: Vec<i32>,
    len: usize,
}

impl Rows {
    /// The rows of a perspective: 0 is the first, 1 the second.
    ///
    /// # Panics
    ///
    /// If there is no such perspective.
    pub fn of(&self, perspective: usize) -> &[i32] {
        let list = &self.0[perspective];
        &list.values[..list.len]
    }

    /// Takes out all rows and makes room for so many.
    #[inline]
    pub(super) fn clear(&mut self, room: usize) {
        for list in &mut self.0 {
            list.len = 0;
            if list.values.len() <= room {
                // one more, for a row that is not kept
                list.values.resize(room + 1, 0);
            }
        }
    }

    /// Appends a row, which is overwritten by the next one if it is not to be kept: what a branch would cost is more.
    #[inline]
    pub(super) fn put(&mut self, perspective: usize, row: i32, keep: bool) {
        let list = &mut self.0[perspective];
        list.values[list.len] = row;
        list.len += usize::from(keep);
    }
}
