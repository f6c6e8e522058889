//! This project's side of the workloads.

use std::rc::Rc;

use nnue::{AccumulatorStack, Architecture, Evaluation, Network};

use super::{Board, LONGEST, Line, Record, Workload};

/// What is compared: both parts in the unit of Stockfish's interface, added.
#[inline(always)]
const fn value(evaluation: Evaluation) -> i32 {
    evaluation.psqt / 16 + evaluation.positional / 16
}

/// Per ply: `push`, then `evaluate`, which updates both accumulators and runs the layers.
pub(crate) struct Plies<A: Architecture> {
    network: Rc<Network<A>>,
    stack: AccumulatorStack<A>,
    lines: Rc<[Line]>,
}

impl<A: Architecture> Plies<A> {
    pub(crate) fn new(network: &Rc<Network<A>>, lines: &Rc<[Line]>) -> Self {
        Self { network: Rc::clone(network), stack: AccumulatorStack::new(), lines: Rc::clone(lines) }
    }
}

impl<A: Architecture> Workload for Plies<A> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &*self.lines {
            self.stack.reset();
            self.network.evaluate(&line.root, &mut self.stack);
            record.time(|values| {
                for step in &line.steps {
                    self.stack.push(step.change);
                    values.push(value(self.network.evaluate(&step.board, &mut self.stack)));
                }
            });
        }
    }
}

/// Per evaluation: `evaluate` where the accumulators are up to date, along a line from its end back to its start.
pub(crate) struct Forward<A: Architecture> {
    network: Rc<Network<A>>,
    stack: AccumulatorStack<A>,
    lines: Rc<[Line]>,
}

impl<A: Architecture> Forward<A> {
    pub(crate) fn new(network: &Rc<Network<A>>, lines: &Rc<[Line]>) -> Self {
        Self { network: Rc::clone(network), stack: AccumulatorStack::new(), lines: Rc::clone(lines) }
    }
}

impl<A: Architecture> Workload for Forward<A> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &*self.lines {
            self.stack.reset();
            self.network.evaluate(&line.root, &mut self.stack);
            for step in &line.steps {
                self.stack.push(step.change);
                self.network.evaluate(&step.board, &mut self.stack);
            }
            record.time(|values| {
                for step in line.steps.iter().rev() {
                    values.push(value(self.network.evaluate(&step.board, &mut self.stack)));
                    self.stack.pop();
                }
            });
        }
    }
}

/// Per position: `evaluate_fresh`, which computes both accumulators from the position alone and runs the layers.
pub(crate) struct Refresh<A: Architecture> {
    network: Rc<Network<A>>,
    boards: Rc<[Board]>,
}

impl<A: Architecture> Refresh<A> {
    pub(crate) fn new(network: &Rc<Network<A>>, boards: &Rc<[Board]>) -> Self {
        Self { network: Rc::clone(network), boards: Rc::clone(boards) }
    }
}

impl<A: Architecture> Workload for Refresh<A> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for boards in self.boards.chunks(LONGEST) {
            record.time(|values| values.extend(boards.iter().map(|board| value(self.network.evaluate_fresh(board)))));
        }
    }
}
