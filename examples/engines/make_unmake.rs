//! An engine that has one board, on which it makes and takes back moves. The stack is pushed and popped with it.

use nnue::prelude::*;

use crate::network::{Evaluator, change};
use crate::rules::{A1, Board, Move, Undo};
use crate::{INFINITE, MATE, NULL_DEPTH};

pub(crate) struct Engine<'n> {
    network: &'n Network<Evaluator>,
    stack: AccumulatorStack<Evaluator>,
    board: Board<A1>,
    nodes: u64,
    best: Option<Move>,
}

impl<'n> Engine<'n> {
    pub(crate) fn new(network: &'n Network<Evaluator>, board: Board<A1>) -> Self {
        Self {
            network,
            stack: AccumulatorStack::new(),
            board,
            nodes: 0,
            best: None,
        }
    }

    fn make(&mut self, mv: Move) -> Undo {
        self.stack.push(change(&self.board, mv));
        self.board.make(mv)
    }

    fn unmake(&mut self, mv: Move, undo: Undo) {
        self.board.unmake(mv, undo);
        self.stack.pop();
    }

    fn evaluate(&mut self) -> i32 {
        debug_assert_eq!(self.stack.verify(self.network, &self.board), Ok(()));
        self.network.evaluate(&self.board, &mut self.stack).value
    }

    fn search(&mut self, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(alpha, beta);
        }
        self.nodes += 1;
        let in_check = self.board.is_check();
        if depth >= NULL_DEPTH && !in_check && ply > 0 && self.evaluate() >= beta {
            // Nothing is pushed: the board stays as it is, and who is to move is asked of the board.
            let undo = self.board.pass();
            let value = -self.search(depth - NULL_DEPTH, ply + 1, -beta, 1 - beta);
            self.board.take_pass_back(undo);
            if value >= beta {
                return value;
            }
        }
        let moves = self.board.ordered_moves();
        if moves.is_empty() {
            return if in_check { ply - MATE } else { 0 };
        }
        for mv in moves {
            let undo = self.make(mv);
            let value = -self.search(depth - 1, ply + 1, -beta, -alpha);
            self.unmake(mv, undo);
            if value > alpha {
                alpha = value;
                if ply == 0 {
                    self.best = Some(mv);
                }
            }
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn captures(&mut self, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        alpha = alpha.max(self.evaluate());
        for mv in self.board.ordered_moves() {
            if alpha >= beta || self.board.gain(mv) == 0 {
                break;
            }
            let undo = self.make(mv);
            alpha = alpha.max(-self.captures(-beta, -alpha));
            self.unmake(mv, undo);
        }
        alpha
    }

    /// The best move, and its value.
    pub(crate) fn best(&mut self, depth: u32) -> (Option<Move>, i32) {
        let value = self.search(depth, 0, -INFINITE, INFINITE);
        (self.best, value)
    }
}

/// The nodes of a search of `board`.
pub(crate) fn nodes(network: &Network<Evaluator>, board: Board<A1>, depth: u32) -> u64 {
    let mut engine = Engine::new(network, board);
    engine.best(depth);
    engine.nodes
}
