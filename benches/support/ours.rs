//! This project's side of the workloads.

use std::rc::Rc;

use nnue::{AccumulatorStack, Architecture, Change, Evaluation, Network, dynamic};

use super::{Board, Family, LONGEST, Line, Record, Workload};

/// A network of this project, compiled or not.
pub(crate) trait Ours {
    /// what follows the moves of a search
    type Stack;

    /// A stack at its root.
    fn stack() -> Self::Stack;
    /// Back to the root.
    fn reset(stack: &mut Self::Stack);
    /// A move.
    fn push(stack: &mut Self::Stack, change: Change);
    /// The last move is taken back.
    fn pop(stack: &mut Self::Stack);
    /// What it says about the position at the top.
    fn evaluate(&self, board: &Board, stack: &mut Self::Stack) -> Evaluation;
    /// What it says about the positions after some moves from the top.
    fn evaluate_children(
        &self,
        board: &Board,
        moves: &[Change],
        stack: &mut Self::Stack,
        said: &mut Vec<Evaluation>,
    );
    /// What it says about a position, from the position alone.
    fn evaluate_fresh(&self, board: &Board) -> Evaluation;
}

macro_rules! ours {
    ($network:ty, $stack:ty $(, $parameter:ident: $bound:ident)?) => {
        impl$(<$parameter: $bound>)? Ours for $network {
            type Stack = $stack;

            fn stack() -> $stack {
                <$stack>::new()
            }
            #[inline(always)]
            fn reset(stack: &mut $stack) {
                stack.reset();
            }
            #[inline(always)]
            fn push(stack: &mut $stack, change: Change) {
                stack.push(change);
            }
            #[inline(always)]
            fn pop(stack: &mut $stack) {
                stack.pop();
            }
            #[inline(always)]
            fn evaluate(&self, board: &Board, stack: &mut $stack) -> Evaluation {
                self.evaluate(board, stack)
            }
            #[inline(always)]
            fn evaluate_children(&self, board: &Board, moves: &[Change], stack: &mut $stack, said: &mut Vec<Evaluation>) {
                self.evaluate_children(board, moves, stack, said);
            }
            #[inline(always)]
            fn evaluate_fresh(&self, board: &Board) -> Evaluation {
                self.evaluate_fresh(board)
            }
        }
    };
}

ours!(Network<A>, AccumulatorStack<A>, A: Architecture);
ours!(dynamic::Network, dynamic::Stack);

/// What is compared: both parts in the unit of Stockfish's interface, added.
#[inline(always)]
const fn value(evaluation: Evaluation) -> i32 {
    evaluation.psqt / 16 + evaluation.positional / 16
}

/// Per ply: `push`, then `evaluate`, which updates both accumulators and runs the layers.
pub(crate) struct Plies<N: Ours> {
    network: Rc<N>,
    stack: N::Stack,
    lines: Rc<[Line]>,
}

impl<N: Ours> Plies<N> {
    pub(crate) fn new(network: &Rc<N>, lines: &Rc<[Line]>) -> Self {
        Self {
            network: Rc::clone(network),
            stack: N::stack(),
            lines: Rc::clone(lines),
        }
    }
}

impl<N: Ours> Workload for Plies<N> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &*self.lines {
            N::reset(&mut self.stack);
            self.network.evaluate(&line.root, &mut self.stack);
            record.time(|values| {
                for step in &line.steps {
                    N::push(&mut self.stack, step.change);
                    values.push(value(self.network.evaluate(&step.board, &mut self.stack)));
                }
            });
        }
    }
}

/// Per evaluation: `evaluate` where the accumulators are up to date, along a line from its end back to its start.
pub(crate) struct Forward<N: Ours> {
    network: Rc<N>,
    stack: N::Stack,
    lines: Rc<[Line]>,
}

impl<N: Ours> Forward<N> {
    pub(crate) fn new(network: &Rc<N>, lines: &Rc<[Line]>) -> Self {
        Self {
            network: Rc::clone(network),
            stack: N::stack(),
            lines: Rc::clone(lines),
        }
    }
}

impl<N: Ours> Workload for Forward<N> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for line in &*self.lines {
            N::reset(&mut self.stack);
            self.network.evaluate(&line.root, &mut self.stack);
            for step in &line.steps {
                N::push(&mut self.stack, step.change);
                self.network.evaluate(&step.board, &mut self.stack);
            }
            record.time(|values| {
                for step in line.steps.iter().rev() {
                    values.push(value(self.network.evaluate(&step.board, &mut self.stack)));
                    N::pop(&mut self.stack);
                }
            });
        }
    }
}

/// Per position: `evaluate_fresh`, which computes both accumulators from the position alone and runs the layers.
pub(crate) struct Refresh<N: Ours> {
    network: Rc<N>,
    boards: Rc<[Board]>,
}

impl<N: Ours> Refresh<N> {
    pub(crate) fn new(network: &Rc<N>, boards: &Rc<[Board]>) -> Self {
        Self {
            network: Rc::clone(network),
            boards: Rc::clone(boards),
        }
    }
}

impl<N: Ours> Workload for Refresh<N> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for boards in self.boards.chunks(LONGEST) {
            record.time(|values| {
                values.extend(
                    boards
                        .iter()
                        .map(|board| value(self.network.evaluate_fresh(board))),
                )
            });
        }
    }
}

/// Per position: `reset`, then `evaluate`, which takes accumulators from the refresh cache.
pub(crate) struct Warm<N: Ours> {
    network: Rc<N>,
    stack: N::Stack,
    boards: Rc<[Board]>,
}

impl<N: Ours> Warm<N> {
    pub(crate) fn new(network: &Rc<N>, boards: &Rc<[Board]>) -> Self {
        Self {
            network: Rc::clone(network),
            stack: N::stack(),
            boards: Rc::clone(boards),
        }
    }
}

impl<N: Ours> Workload for Warm<N> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for boards in self.boards.chunks(LONGEST) {
            record.time(|values| {
                for board in boards {
                    N::reset(&mut self.stack);
                    values.push(value(self.network.evaluate(board, &mut self.stack)));
                }
            });
        }
    }
}

/// Per child: `evaluate_children` of all legal moves.
pub(crate) struct Children<N: Ours> {
    network: Rc<N>,
    stack: N::Stack,
    families: Rc<[Family]>,
    said: Vec<Evaluation>,
}

impl<N: Ours> Children<N> {
    pub(crate) fn new(network: &Rc<N>, families: &Rc<[Family]>) -> Self {
        let (network, families) = (Rc::clone(network), Rc::clone(families));
        Self {
            network,
            stack: N::stack(),
            families,
            said: Vec::new(),
        }
    }
}

impl<N: Ours> Workload for Children<N> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for Family { parent, moves } in &*self.families {
            N::reset(&mut self.stack);
            self.network.evaluate(parent, &mut self.stack);
            record.time(|values| {
                self.network
                    .evaluate_children(parent, moves, &mut self.stack, &mut self.said);
                values.extend(self.said.iter().copied().map(value));
            });
        }
    }
}
