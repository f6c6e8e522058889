//! Evaluates positions that come without the moves that led to them.

use super::{Evaluation, Network};
use crate::accumulator::Table;
use crate::architecture::{Architecture, Model};
use crate::board::{Position, Snapshot};

/// The last accumulators of a program that keeps no [`AccumulatorStack`](crate::AccumulatorStack):
/// for each view of a king one, with the board it belongs to.
///
/// [`Network::evaluate_at`] computes what differs between that board and the position at hand. This
/// is for engines that know a position, but not the move that led to it: whose boards are copied
/// through many functions, or which evaluate positions of a table. Where moves are at hand, a stack
/// takes less time: it adds and subtracts the rows of one move, while the last board may be several
/// moves away.
///
/// Memory is two accumulators for each side and each bucket of its king. Nothing is allocated after
/// [`new`](Self::new). A table belongs to one thread; the network is shared. Using a table with
/// another network is allowed: it discards its accumulators.
pub struct AccumulatorTable<A: Architecture> {
    table: Table<<A as Model>::Game, A::Transformer>,
    /// the id of the network that computed the accumulators; 0 for none
    network: usize,
}

impl<A: Architecture> AccumulatorTable<A> {
    /// A table without boards.
    pub fn new() -> Self {
        Self {
            table: Table::new(),
            network: 0,
        }
    }

    /// Forgets all boards, for a new game or to measure; evaluations stay the same.
    pub fn clear(&mut self) {
        self.table.clear();
    }
}

impl<A: Architecture> Default for AccumulatorTable<A> {
    fn default() -> Self {
        Self::new()
    }
}

impl<A: Architecture> core::fmt::Debug for AccumulatorTable<A> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("AccumulatorTable")
            .field("network", &A::SPEC.name)
            .finish_non_exhaustive()
    }
}

impl<A: Architecture> Network<A> {
    /// The evaluation of `position`, from the boards that `table` has. It equals that of
    /// [`evaluate_fresh`](Self::evaluate_fresh), whatever was evaluated before.
    ///
    /// ```
    /// # use nnue_runtime::{AccumulatorTable, Architecture, Network, Position};
    /// fn values<MyNet: Architecture>(
    ///     network: &Network<MyNet>,
    ///     positions: &[impl Position],
    /// ) -> Vec<i32> {
    ///     let mut table = AccumulatorTable::new();
    ///     let value = |position| network.evaluate_at(position, &mut table).value;
    ///     positions.iter().map(value).collect()
    /// }
    /// ```
    #[inline]
    pub fn evaluate_at<P: Position>(
        &self,
        position: &P,
        table: &mut AccumulatorTable<A>,
    ) -> Evaluation {
        if table.network != self.id {
            table.clear();
            table.network = self.id;
        }
        Snapshot::with(position, |board| {
            let transformer = A::transformer(&self.params);
            let [us, them] =
                table
                    .table
                    .current(self.level(), transformer, board, Self::PERSPECTIVES);
            self.judge(us, them, self.see(position, board))
        })
    }
}
