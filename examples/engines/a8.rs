//! An engine whose first square is a8, and whose pieces are numbered `6 * color + kind`. All else is as in `make_unmake.rs`.

use nnue::prelude::*;

use crate::network::{Evaluator, color, kind};
use crate::rules::{A8, Board, Move, Special};
use crate::{INFINITE, MATE, NULL_DEPTH};

impl nnue::Position for Board<A8> {
    fn pieces(&self, color: nnue::Color, kind: nnue::PieceKind) -> u64 {
        // bit 0 is a8 here, and a1 for the network: the ranks change places
        self.bitboards[color.index()][kind.index()].swap_bytes()
    }

    fn side_to_move(&self) -> nnue::Color {
        color(self.mover)
    }
}

fn square(square: u8) -> nnue::Square {
    nnue::Square::try_from_a8(square).expect("squares are below 64")
}

/// What `mv` will change on `board`.
fn change(board: &Board<A8>, mv: Move) -> Change {
    let on = |square: u8| nnue::Piece::try_from_color_kind(board.squares[usize::from(square)]);
    let piece = on(mv.from).expect("a piece moves");
    let captured = on(mv.to);
    let (mover, from, to) = (piece.color(), square(mv.from), square(mv.to));
    match mv.special {
        Special::None => match captured {
            None => Change::quiet(piece, from, to),
            Some(captured) => Change::capture(piece, from, to, captured),
        },
        Special::EnPassant => Change::en_passant(mover, from, to),
        Special::Promotion(promoted) => {
            Change::promotion(mover, from, to, kind(promoted), captured)
        }
        Special::Castling { from: r, to: s } => {
            Change::castling(mover, (from, to), (square(r), square(s)))
        }
    }
}

struct Engine<'n> {
    network: &'n Network<Evaluator>,
    stack: AccumulatorStack<Evaluator>,
    board: Board<A8>,
    nodes: u64,
}

impl Engine<'_> {
    fn evaluate(&mut self) -> i32 {
        debug_assert_eq!(self.stack.verify(self.network, &self.board), Ok(()));
        self.network.evaluate(&self.board, &mut self.stack).value
    }

    fn after(&mut self, mv: Move, then: impl FnOnce(&mut Self) -> i32) -> i32 {
        self.stack.push(change(&self.board, mv));
        let undo = self.board.make(mv);
        let value = then(self);
        self.board.unmake(mv, undo);
        self.stack.pop();
        value
    }

    fn search(&mut self, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(alpha, beta);
        }
        self.nodes += 1;
        let in_check = self.board.is_check();
        if depth >= NULL_DEPTH && !in_check && ply > 0 && self.evaluate() >= beta {
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
            alpha = alpha.max(self.after(mv, |engine| {
                -engine.search(depth - 1, ply + 1, -beta, -alpha)
            }));
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
            alpha = alpha.max(self.after(mv, |engine| -engine.captures(-beta, -alpha)));
        }
        alpha
    }
}

/// The nodes of a search of `board`.
pub(crate) fn nodes(network: &Network<Evaluator>, board: Board<A8>, depth: u32) -> u64 {
    let mut engine = Engine {
        network,
        stack: AccumulatorStack::new(),
        board,
        nodes: 0,
    };
    engine.search(depth, 0, -INFINITE, INFINITE);
    engine.nodes
}
