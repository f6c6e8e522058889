//! Positions: boards of chess, and lists of rows.

use alloc::vec::Vec;

use super::{Board, active_features};
use crate::descriptor::NetDesc;
use crate::rows::RowSets;

/// The features of a position: all that a network reads of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Features {
    /// the active rows of the first and of the second perspective, ascending
    pub rows: [Vec<usize>; 2],
    /// the layer stack; 0 where a function of the program chooses it
    pub stack: usize,
    /// the side to move
    pub black_to_move: bool,
    /// the number of pieces on the board; 0 of lists of rows
    pub pieces: usize,
}

impl Features {
    /// The active rows of a side.
    pub fn of_side(&self, net: &NetDesc<'_>, black: bool) -> &[usize] {
        let [first, _] = in_order(net, self.black_to_move);
        &self.rows[usize::from(first != black)]
    }
}

/// A position that the interpreter evaluates.
pub trait Position {
    /// Its features.
    ///
    /// # Panics
    ///
    /// If it is no position of the network: a side of a board does not have exactly one king where the sets
    /// need it, a set is known to a program only, or the rows are those of another network.
    fn features(&self, net: &NetDesc<'_>) -> Features;
}

impl Position for Board {
    fn features(&self, net: &NetDesc<'_>) -> Features {
        let rows = |black| active_features(net, self, black);
        Features {
            rows: in_order(net, self.black_to_move).map(rows),
            stack: net.stacks.select(self.pieces.len()),
            black_to_move: self.black_to_move,
            pieces: self.pieces.len(),
        }
    }
}

impl Position for RowSets {
    fn features(&self, net: &NetDesc<'_>) -> Features {
        let rows = |black| {
            let list = self.list(usize::from(black).min(self.lists() - 1));
            let mut rows: Vec<_> = list.iter().map(|&row| row as usize).collect();
            rows.sort_unstable();
            rows
        };
        Features {
            rows: in_order(net, self.black_to_move()).map(rows),
            stack: net.stacks.select_by_rows(self.own_list()),
            black_to_move: self.black_to_move(),
            pieces: 0,
        }
    }
}

impl Position for Features {
    fn features(&self, _: &NetDesc<'_>) -> Features {
        self.clone()
    }
}

impl<P: Position + ?Sized> Position for &P {
    fn features(&self, net: &NetDesc<'_>) -> Features {
        (**self).features(net)
    }
}

/// Whether the first and the second perspective are Black's.
fn in_order(net: &NetDesc<'_>, black_to_move: bool) -> [bool; 2] {
    let black_first = net.accumulator.order.begins_with_black(black_to_move);
    [black_first, !black_first]
}
