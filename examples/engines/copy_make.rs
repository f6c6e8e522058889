//! An engine that copies its board for each move, and takes nothing back. Boards do not contain the stack: it belongs to the thread, which
//! follows the line with it. All of the thread's functions take `&self`.

use std::cell::{Cell, RefCell};

use nnue::prelude::*;

use crate::network::{Evaluator, change};
use crate::rules::{A1, Board, Move};
use crate::{INFINITE, MATE, NULL_DEPTH};

struct Thread<'n> {
    network: &'n Network<Evaluator>,
    stack: RefCell<AccumulatorStack<Evaluator>>,
    nodes: Cell<u64>,
}

impl Thread<'_> {
    fn evaluate(&self, board: &Board<A1>) -> i32 {
        let mut stack = self.stack.borrow_mut();
        debug_assert_eq!(stack.verify(self.network, board), Ok(()));
        self.network.evaluate(board, &mut stack).value
    }

    /// What `then` says about the board after `mv`.
    fn after(&self, board: &Board<A1>, mv: Move, then: impl FnOnce(&Board<A1>) -> i32) -> i32 {
        self.stack.borrow_mut().push(change(board, mv));
        let mut child = *board;
        child.make(mv);
        let value = then(&child);
        self.stack.borrow_mut().pop();
        value
    }

    fn search(&self, board: &Board<A1>, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(board, alpha, beta);
        }
        self.nodes.set(self.nodes.get() + 1);
        let in_check = board.is_check();
        if depth >= NULL_DEPTH && !in_check && ply > 0 && self.evaluate(board) >= beta {
            let mut child = *board;
            child.pass();
            let value = -self.search(&child, depth - NULL_DEPTH, ply + 1, -beta, 1 - beta);
            if value >= beta {
                return value;
            }
        }
        let moves = board.ordered_moves();
        if moves.is_empty() {
            return if in_check { ply - MATE } else { 0 };
        }
        for mv in moves {
            alpha = alpha.max(self.after(board, mv, |child| {
                -self.search(child, depth - 1, ply + 1, -beta, -alpha)
            }));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn captures(&self, board: &Board<A1>, mut alpha: i32, beta: i32) -> i32 {
        self.nodes.set(self.nodes.get() + 1);
        alpha = alpha.max(self.evaluate(board));
        for mv in board.ordered_moves() {
            if alpha >= beta || board.gain(mv) == 0 {
                break;
            }
            alpha = alpha.max(self.after(board, mv, |child| -self.captures(child, -beta, -alpha)));
        }
        alpha
    }
}

/// The nodes of searches of all `boards`, each on a thread. They share the network; each has a stack of its own.
pub(crate) fn nodes(network: &Network<Evaluator>, boards: &[Board<A1>], depth: u32) -> u64 {
    let search = |board: &Board<A1>| {
        let thread = Thread {
            network,
            stack: RefCell::new(AccumulatorStack::new()),
            nodes: Cell::new(0),
        };
        thread.search(board, depth, 0, -INFINITE, INFINITE);
        thread.nodes.get()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = boards
            .iter()
            .map(|board| scope.spawn(move || search(board)))
            .collect();
        let nodes = threads.into_iter().map(|thread| thread.join());
        nodes.map(|nodes| nodes.expect("a search ends")).sum()
    })
}
