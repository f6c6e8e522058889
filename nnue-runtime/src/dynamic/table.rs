//! Evaluates positions that come without the moves that led to them.

use core::fmt;

use super::evaluate::Seen;
use super::network::Network;
use super::scratch::Scratch;
use super::stack::ChessGame;
use super::transformer::Transformer;
use crate::accumulator;
use crate::board::{Position, Snapshot};
use crate::network::Evaluation;

/// [`AccumulatorTable`](crate::AccumulatorTable) for a [`Network`] that is described at run time: for each view of a king
/// the last accumulator, with the board it belongs to, and the memory of a forward pass.
///
/// A table belongs to one thread; the network is shared. Using a table with another network is
/// allowed: it discards its accumulators.
pub struct Table {
    table: accumulator::Table<ChessGame, Transformer>,
    scratch: Scratch,
    /// the id of the network that computed the accumulators; 0 for none
    network: usize,
}

impl Table {
    /// A table without boards.
    pub fn new() -> Self {
        Self {
            table: accumulator::Table::new(),
            scratch: Scratch::default(),
            network: 0,
        }
    }

    /// Forgets all boards, for a new game or to measure; evaluations stay the same.
    pub fn clear(&mut self) {
        self.table.clear();
    }
}

impl Default for Table {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Table").finish_non_exhaustive()
    }
}

impl Network {
    /// The evaluation of `position`, from the boards that `table` has. It equals that of
    /// [`evaluate_fresh`](Self::evaluate_fresh), whatever was evaluated before. Memory is allocated only when a view of
    /// a king is seen for the first time.
    ///
    /// # Panics
    ///
    /// If positions of this network are lists of rows.
    #[inline]
    pub fn evaluate_at<P: Position + ?Sized>(&self, position: &P, table: &mut Table) -> Evaluation {
        Snapshot::with(position, |board| self.evaluate_board_at(board, table))
    }

    /// Compiled once for all types of positions.
    fn evaluate_board_at(&self, board: &Snapshot<'_>, table: &mut Table) -> Evaluation {
        if table.network != self.id {
            self.require_boards();
            table.table.clear();
            table.scratch = self.program.scratch();
            table.network = self.id;
        }
        let Table { table, scratch, .. } = table;
        let transformer = &self.params.transformer;
        let accumulators = table.current(self.level(), transformer, board, self.perspectives);
        let besides = self.besides(board);
        self.judge(
            Seen {
                accumulators,
                besides,
            },
            scratch,
        )
    }
}
