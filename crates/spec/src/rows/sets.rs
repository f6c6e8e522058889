//! Positions that are lists of rows, validated when they are set or changed.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::members::Members;
use super::{ListedRow, RowGroup, RowsError, RowsShape};

/// Lists of rows as a caller gives them: one, or one for each of two perspectives. Rows may stand in any
/// order, each once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowLists<'a> {
    /// of a network with one perspective
    One(&'a [u32]),
    /// of a network with two perspectives: of White, the side that begins, and of Black
    Two([&'a [u32]; 2]),
}

impl<'a> RowLists<'a> {
    /// The lists: of White, the side that begins, or of the only perspective; then of Black.
    pub fn as_slice(&self) -> &[&'a [u32]] {
        match self {
            Self::One(list) => core::slice::from_ref(list),
            Self::Two(lists) => lists,
        }
    }
}

impl<'a> From<&'a [u32]> for RowLists<'a> {
    fn from(list: &'a [u32]) -> Self {
        Self::One(list)
    }
}

impl<'a, const LEN: usize> From<&'a [u32; LEN]> for RowLists<'a> {
    fn from(list: &'a [u32; LEN]) -> Self {
        Self::One(list)
    }
}

impl<'a> From<&'a Vec<u32>> for RowLists<'a> {
    fn from(list: &'a Vec<u32>) -> Self {
        Self::One(list)
    }
}

impl<'a> From<[&'a [u32]; 2]> for RowLists<'a> {
    fn from(lists: [&'a [u32]; 2]) -> Self {
        Self::Two(lists)
    }
}

impl<'a> From<&'a [Vec<u32>; 2]> for RowLists<'a> {
    fn from([first, second]: &'a [Vec<u32>; 2]) -> Self {
        Self::Two([first, second])
    }
}

/// A position of a network over `rows[N, active M]`: the active rows of each perspective, and the side to
/// move.
///
/// Its rows are always valid: below `N`, each once, at most `M` in a list. What would break this is refused
/// and changes nothing. A change takes time in the number of its rows, whatever else is active.
///
/// Memory: 4 bytes for each row of the network and list.
#[derive(Clone)]
pub struct RowSets {
    rows: u32,
    most_active: u32,
    groups: Box<[(String, u32)]>,
    lists: Vec<Members>,
    black_to_move: bool,
}

impl RowSets {
    /// No active rows, White to move.
    pub fn new(shape: &RowsShape<'_>) -> Self {
        let groups = shape.groups.iter();
        Self {
            rows: shape.rows,
            most_active: shape.most_active,
            groups: groups
                .map(|group| (group.name.into(), group.rows))
                .collect(),
            lists: (0..shape.lists)
                .map(|_| Members::below(shape.rows))
                .collect(),
            black_to_move: false,
        }
    }

    /// A position with these rows, White to move.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: another number of lists than the network has perspectives; a row that does not exist or
    /// is listed twice; too many rows.
    pub fn of<'a>(
        shape: &RowsShape<'_>,
        lists: impl Into<RowLists<'a>>,
    ) -> Result<Self, RowsError> {
        let mut sets = Self::new(shape);
        sets.set(lists).map(|()| sets)
    }

    /// Whether this is a position of networks with this shape.
    pub fn fits(&self, shape: &RowsShape<'_>) -> bool {
        self.rows == shape.rows
            && self.most_active == shape.most_active
            && self.lists.len() == shape.lists
    }

    /// The number of lists: one for each perspective, 1 or 2.
    pub fn lists(&self) -> usize {
        self.lists.len()
    }

    /// The active rows of perspective `list`, in any order.
    ///
    /// # Panics
    ///
    /// If there is no such list.
    #[inline]
    pub fn list(&self, list: usize) -> &[u32] {
        self.lists[list].as_slice()
    }

    /// Whether Black is to move, whose list the network then reads first.
    #[inline]
    pub fn black_to_move(&self) -> bool {
        self.black_to_move
    }

    /// Sets the side to move. With one list, only the sign of networks that are declared `white_first`
    /// depends on it.
    pub fn set_black_to_move(&mut self, black: bool) {
        self.black_to_move = black;
    }

    /// Replaces all rows.
    ///
    /// # Errors
    ///
    /// As [`of`](Self::of). Then the rows are as they were.
    pub fn set<'a>(&mut self, lists: impl Into<RowLists<'a>>) -> Result<(), RowsError> {
        let lists = lists.into();
        let lists = self.matching(&lists)?;
        self.lists.iter_mut().for_each(Members::clear);
        let result = (0..lists.len()).try_for_each(|list| {
            self.insert_all(list, lists[list], RowsError::Repeated)?;
            self.check_count(list)
        });
        if result.is_err() {
            self.lists.iter_mut().for_each(Members::put_back);
        }
        result
    }

    /// Removes and adds rows, in this order.
    ///
    /// # Errors
    ///
    /// [`RowsError`]: a row to remove is not active, one to add is active or does not exist, another number of
    /// lists than the network has perspectives, too many rows. Then the rows are as they were.
    #[inline]
    pub fn change<'a, 'r>(
        &mut self,
        added: impl Into<RowLists<'a>>,
        removed: impl Into<RowLists<'r>>,
    ) -> Result<(), RowsError> {
        let (added, removed) = (added.into(), removed.into());
        let (added, removed) = (self.matching(&added)?, self.matching(&removed)?);
        for list in 0..removed.len() {
            if let Err(error) = self.change_list(list, added[list], removed[list]) {
                for list in 0..list {
                    self.undo_list(list, added[list], removed[list]);
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Whether the rows can be changed so, as [`change`](Self::change) would, without changing them.
    ///
    /// # Errors
    ///
    /// As [`change`](Self::change).
    #[inline]
    pub fn check(&mut self, added: RowLists<'_>, removed: RowLists<'_>) -> Result<(), RowsError> {
        let lists = self.matching(&added)?.iter().zip(self.matching(&removed)?);
        let mut numbered = lists.enumerate();
        if numbered.all(|(list, (added, removed))| self.is_plain(list, added, removed)) {
            return Ok(());
        }
        self.change(added, removed)?;
        self.undo(added, removed);
        Ok(())
    }

    /// Whether a small change is right at a glance: it removes active rows and adds others.
    #[inline]
    fn is_plain(&self, list: usize, added: &[u32], removed: &[u32]) -> bool {
        const SMALL: usize = 16;
        let members = &self.lists[list];
        let differ = |rows: &[u32]| (1..rows.len()).all(|at| !rows[..at].contains(&rows[at]));
        added.len() + removed.len() <= SMALL
            && members.as_slice().len() + added.len() <= self.most_active as usize + removed.len()
            && removed.iter().all(|&row| members.contains(row))
            && added
                .iter()
                .all(|&row| row < self.rows && !members.contains(row))
            && differ(removed)
            && differ(added)
    }

    /// Reverts a [change](Self::change) that was just made.
    pub fn undo(&mut self, added: RowLists<'_>, removed: RowLists<'_>) {
        let lists = added.as_slice().iter().zip(removed.as_slice()).enumerate();
        for (list, (added, removed)) in lists {
            self.undo_list(list, added, removed);
        }
    }

    fn undo_list(&mut self, list: usize, added: &[u32], removed: &[u32]) {
        let list = &mut self.lists[list];
        for &row in added {
            list.remove(row);
        }
        for &row in removed {
            list.insert(row);
        }
    }

    fn change_list(
        &mut self,
        list: usize,
        added: &[u32],
        removed: &[u32],
    ) -> Result<(), RowsError> {
        for (count, &row) in removed.iter().enumerate() {
            if !self.lists[list].remove(row) {
                self.undo_list(list, &[], &removed[..count]);
                return Err(self.absent(list, row));
            }
        }
        let result = self
            .insert_all(list, added, RowsError::Active)
            .and_then(|()| {
                self.check_count(list)
                    .inspect_err(|_| self.undo_list(list, added, &[]))
            });
        result.inspect_err(|_| self.undo_list(list, &[], removed))
    }

    /// Inserts all rows, or none.
    fn insert_all(
        &mut self,
        list: usize,
        rows: &[u32],
        present: fn(ListedRow) -> RowsError,
    ) -> Result<(), RowsError> {
        for (count, &row) in rows.iter().enumerate() {
            let error = if row >= self.rows {
                self.absent(list, row)
            } else if !self.lists[list].insert(row) {
                present(self.name(list, row))
            } else {
                continue;
            };
            self.undo_list(list, &rows[..count], &[]);
            return Err(error);
        }
        Ok(())
    }

    fn check_count(&self, list: usize) -> Result<(), RowsError> {
        let (found, most) = (self.list(list).len(), self.most_active);
        if found > most as usize {
            return Err(RowsError::TooMany { found, most });
        }
        Ok(())
    }

    /// The error for a row that is not active, or does not exist.
    #[cold]
    fn absent(&self, list: usize, row: u32) -> RowsError {
        let (rows, name) = (self.rows, self.name(list, row));
        if row >= rows {
            RowsError::OutOfRange { row: name, rows }
        } else {
            RowsError::Inactive(name)
        }
    }

    /// The error for a number that no row has in any network, in list `list`.
    pub fn no_row(&self, list: usize, found: i128) -> RowsError {
        RowsError::Number {
            found: found.to_string(),
            list: (self.lists.len() > 1).then_some(list),
            rows: self.rows,
        }
    }

    #[cold]
    fn name(&self, list: usize, row: u32) -> ListedRow {
        let groups = self.groups.iter();
        let groups: Vec<_> = groups
            .map(|(name, rows)| RowGroup { name, rows: *rows })
            .collect();
        let shape = RowsShape {
            rows: self.rows,
            most_active: self.most_active,
            lists: self.lists.len(),
            groups: &groups,
        };
        ListedRow::new(&shape, list, row)
    }

    #[inline]
    fn matching<'l, 'a>(&self, lists: &'l RowLists<'a>) -> Result<&'l [&'a [u32]], RowsError> {
        let (lists, expected) = (lists.as_slice(), self.lists.len());
        if lists.len() != expected {
            let found = lists.len();
            return Err(RowsError::Lists { found, expected });
        }
        Ok(lists)
    }
}

/// Equal rows in any order, and the same side to move.
impl PartialEq for RowSets {
    fn eq(&self, other: &Self) -> bool {
        let sorted = |list: &Members| {
            let mut rows = list.as_slice().to_vec();
            rows.sort_unstable();
            rows
        };
        let lists = |sets: &Self| sets.lists.iter().map(sorted).collect::<Vec<_>>();
        (self.rows, self.most_active, self.black_to_move)
            == (other.rows, other.most_active, other.black_to_move)
            && lists(self) == lists(other)
    }
}

impl Eq for RowSets {}

impl fmt::Debug for RowSets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RowSets")
            .field(&format_args!("{self}"))
            .finish()
    }
}
