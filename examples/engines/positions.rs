//! An engine that knows positions only: boards are copied from wherever, and no move is told to the network. A table has the last board of each
//! view of a king, from which a position is computed. It takes longer than a stack, and needs no change of a move.

use nnue::AccumulatorTable;
use nnue::prelude::*;

use crate::network::Evaluator;
use crate::rules::{A1, Board};
use crate::{INFINITE, MATE, NULL_DEPTH};

struct Engine<'n> {
    network: &'n Network<Evaluator>,
    table: AccumulatorTable<Evaluator>,
    nodes: u64,
}

impl Engine<'_> {
    fn evaluate(&mut self, board: &Board<A1>) -> i32 {
        let evaluation = self.network.evaluate_at(board, &mut self.table);
        debug_assert_eq!(evaluation, self.network.evaluate_fresh(board));
        evaluation.value
    }

    fn search(
        &mut self,
        board: &Board<A1>,
        depth: u32,
        ply: i32,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        if depth == 0 {
            return self.captures(board, alpha, beta);
        }
        self.nodes += 1;
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
            let mut child = *board;
            child.make(mv);
            alpha = alpha.max(-self.search(&child, depth - 1, ply + 1, -beta, -alpha));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn captures(&mut self, board: &Board<A1>, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        alpha = alpha.max(self.evaluate(board));
        for mv in board.ordered_moves() {
            if alpha >= beta || board.gain(mv) == 0 {
                break;
            }
            let mut child = *board;
            child.make(mv);
            alpha = alpha.max(-self.captures(&child, -beta, -alpha));
        }
        alpha
    }
}

/// The nodes of a search of `board`.
pub(crate) fn nodes(network: &Network<Evaluator>, board: Board<A1>, depth: u32) -> u64 {
    let mut engine = Engine {
        network,
        table: AccumulatorTable::new(),
        nodes: 0,
    };
    engine.search(&board, depth, 0, -INFINITE, INFINITE);
    engine.nodes
}
