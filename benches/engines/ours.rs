//! Engines that use `nnue`.

use nnue::{AccumulatorStack, AccumulatorTable, Architecture, Change, Network};
use shakmaty::Chess;

use crate::search::Evaluator;

/// Pushes and pops with the moves.
pub(crate) struct Stack<'n, A: Architecture> {
    network: &'n Network<A>,
    stack: AccumulatorStack<A>,
}

impl<'n, A: Architecture> Stack<'n, A> {
    pub(crate) fn new(network: &'n Network<A>) -> Self {
        Self {
            network,
            stack: AccumulatorStack::new(),
        }
    }
}

impl<A: Architecture> Evaluator for Stack<'_, A> {
    fn push(&mut self, change: Change) {
        self.stack.push(change);
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn evaluate(&mut self, position: &Chess) -> i32 {
        self.network.evaluate(position, &mut self.stack).value
    }

    fn begin(&mut self) {
        self.stack.reset();
    }
}

/// Knows positions only.
pub(crate) struct Table<'n, A: Architecture> {
    network: &'n Network<A>,
    table: AccumulatorTable<A>,
}

impl<'n, A: Architecture> Table<'n, A> {
    pub(crate) fn new(network: &'n Network<A>) -> Self {
        Self {
            network,
            table: AccumulatorTable::new(),
        }
    }
}

impl<A: Architecture> Evaluator for Table<'_, A> {
    fn push(&mut self, _: Change) {}

    fn pop(&mut self) {}

    fn evaluate(&mut self, position: &Chess) -> i32 {
        self.network.evaluate_at(position, &mut self.table).value
    }

    fn begin(&mut self) {}
}
