//! Rows that the caller lists, as a feature set of a game.

use alloc::vec::Vec;

use nnue_spec::NetDesc;
use nnue_spec::rows::{RowLists, RowSets};

use crate::board::Color;
use crate::game::{ChangedRows, Inputs, Plays, Rows};

/// The feature set of networks over `rows[N]`. Its positions are validated when they are set or changed.
#[derive(Clone, Copy, Debug)]
pub enum Given {}

/// The rows that a step of a [`RowsStack`](super::RowsStack) adds and removes.
#[derive(Clone, Debug, Default)]
pub struct Step {
    /// the added rows of each list, then the removed ones
    rows: Vec<u32>,
    /// where the parts of `rows` end
    ends: [usize; 4],
    /// the number of lists
    lists: usize,
}

impl Step {
    /// Replaces the rows; the memory is kept.
    pub(super) fn set(&mut self, added: RowLists<'_>, removed: RowLists<'_>) {
        self.rows.clear();
        self.lists = added.as_slice().len();
        let parts = [added, removed];
        let ends = self.ends.chunks_exact_mut(2);
        for (part, ends) in parts.iter().zip(ends) {
            for (index, end) in ends.iter_mut().enumerate() {
                if let Some(list) = part.as_slice().get(index) {
                    self.rows.extend_from_slice(list);
                }
                *end = self.rows.len();
            }
        }
    }

    fn part(&self, part: usize) -> &[u32] {
        let start = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[part]]
    }

    fn lists(&self, parts: [usize; 2]) -> RowLists<'_> {
        let [first, second] = parts.map(|part| self.part(part));
        match self.lists {
            2 => RowLists::Two([first, second]),
            _ => RowLists::One(first),
        }
    }

    pub(super) fn added(&self) -> RowLists<'_> {
        self.lists([0, 1])
    }

    pub(super) fn removed(&self) -> RowLists<'_> {
        self.lists([2, 3])
    }
}

/// The list of a side: with one list, that one.
pub(crate) fn list_of(side: Color, lists: usize) -> usize {
    if lists == 1 { 0 } else { side.index() }
}

#[diagnostic::do_not_recommend]
impl Inputs for Given {
    type Position = RowSets;
    type Change = Step;
    type View = ();
    /// A bound of all declarations: positions are held to the rows of their network.
    const ROWS: usize = u32::MAX as usize;

    fn side_to_move(position: &RowSets) -> Color {
        if position.black_to_move() {
            Color::Black
        } else {
            Color::White
        }
    }

    fn view(_: &RowSets, _: Color) {}

    fn active(position: &RowSets, side: Color, (): (), rows: &mut Rows) {
        let list = position.list(list_of(side, position.lists()));
        list.iter().for_each(|&row| rows.add(row));
    }

    fn changed(step: &Step, side: Color, (): (), rows: &mut ChangedRows) {
        let list = list_of(side, step.lists);
        let part = |lists: RowLists<'_>, each: &mut dyn FnMut(u32)| {
            lists.as_slice()[list].iter().for_each(|&row| each(row));
        };
        part(step.removed(), &mut |row| rows.remove(row));
        part(step.added(), &mut |row| rows.add(row));
    }
}

impl Plays for Given {
    type Inputs = Self;
}

/// Calls `read` with golden position `index` of `net`, for generated code. Returns `None` if there is no such
/// value, or if its text does not list rows of the network.
pub fn golden<R>(net: &NetDesc<'_>, index: usize, read: impl FnOnce(&RowSets) -> R) -> Option<R> {
    let mut rows = RowSets::new(&net.rows_shape()?);
    rows.set_text(net.goldens.get(index)?.fen).ok()?;
    Some(read(&rows))
}
