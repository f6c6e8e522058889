//! An engine that keeps a board for each ply and goes back by a smaller index, as engines do that keep accumulators in an array of their own. It
//! never pops: the stack is cut to the ply from which a move is made. For this, its depth must be the ply, and so null moves are pushed too.

use nnue::prelude::*;

use crate::network::{Evaluator, change};
use crate::rules::{A1, Board, Move};
use crate::{INFINITE, MATE, NULL_DEPTH};

struct Engine<'n> {
    network: &'n Network<Evaluator>,
    stack: AccumulatorStack<Evaluator>,
    /// by ply
    boards: Vec<Board<A1>>,
    nodes: u64,
}

impl Engine<'_> {
    /// Makes the board of `ply + 1` from that of `ply`: by a move, or by a null move.
    fn descend(&mut self, ply: usize, mv: Option<Move>) {
        self.stack.truncate(ply);
        self.boards.truncate(ply + 1);
        let mut board = self.boards[ply];
        match mv {
            Some(mv) => {
                self.stack.push(change(&board, mv));
                board.make(mv);
            }
            None => {
                self.stack.push_null();
                board.pass();
            }
        }
        self.boards.push(board);
    }

    fn evaluate(&mut self, ply: usize) -> i32 {
        self.stack.truncate(ply);
        let board = &self.boards[ply];
        debug_assert_eq!(self.stack.verify(self.network, board), Ok(()));
        self.network.evaluate(board, &mut self.stack).value
    }

    fn search(&mut self, depth: u32, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(ply, alpha, beta);
        }
        self.nodes += 1;
        let in_check = self.boards[ply].is_check();
        if depth >= NULL_DEPTH && !in_check && ply > 0 && self.evaluate(ply) >= beta {
            self.descend(ply, None);
            let value = -self.search(depth - NULL_DEPTH, ply + 1, -beta, 1 - beta);
            if value >= beta {
                return value;
            }
        }
        let moves = self.boards[ply].ordered_moves();
        if moves.is_empty() {
            return if in_check { ply as i32 - MATE } else { 0 };
        }
        for mv in moves {
            self.descend(ply, Some(mv));
            alpha = alpha.max(-self.search(depth - 1, ply + 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn captures(&mut self, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        alpha = alpha.max(self.evaluate(ply));
        for mv in self.boards[ply].ordered_moves() {
            if alpha >= beta || self.boards[ply].gain(mv) == 0 {
                break;
            }
            self.descend(ply, Some(mv));
            alpha = alpha.max(-self.captures(ply + 1, -beta, -alpha));
        }
        alpha
    }
}

/// The nodes of a search of `board`.
pub(crate) fn nodes(network: &Network<Evaluator>, board: Board<A1>, depth: u32) -> u64 {
    let mut engine = Engine {
        network,
        stack: AccumulatorStack::new(),
        boards: vec![board],
        nodes: 0,
    };
    engine.search(depth, 0, -INFINITE, INFINITE);
    engine.nodes
}
