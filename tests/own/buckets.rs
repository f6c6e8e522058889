//! Chess with buckets of inputs by a rule of the user's: the example.

use cozy_chess::Board;
use nnue::cozy_chess::change_of;
use nnue::{Change, Color, Piece, PieceKind, Position};

use crate::games::{self, Game};

#[path = "../../examples/12_own_buckets.rs"]
#[expect(dead_code, reason = "it has a main function")]
pub(crate) mod example;

use example::ByQueen;

impl Game for ByQueen {
    fn start() -> Board {
        // Both sides have queens that enter and leave halves of the board, and pawns about to become queens.
        "3qk3/1P4P1/8/8/8/8/1p4p1/3QK3 w - - 0 1"
            .parse()
            .expect("a position")
    }

    fn successors(board: &Board) -> Vec<(Change, Board)> {
        let after = |chosen| {
            let mut child = board.clone();
            child.play(chosen);
            (change_of(board, chosen), child)
        };
        example::moves(board).into_iter().map(after).collect()
    }

    fn passed(board: &Board) -> Option<Board> {
        board.null_move()
    }

    fn rows(board: &Board, side: Color) -> Vec<usize> {
        let is_on = |piece: Piece, square: usize| {
            Position::pieces(board, piece.color(), piece.kind()) >> square & 1 == 1
        };
        let queen = Piece::new(side.other(), PieceKind::Queen);
        let queens: Vec<usize> = (0..64).filter(|&square| is_on(queen, square)).collect();
        let is_ours = |square: usize| (square < 32) == (side == Color::White);
        let bucket = match queens[..] {
            [] => 0,
            [square] if is_ours(square) => 2,
            [_] => 1,
            _ => 3,
        };
        let mut rows = Vec::new();
        for (square, piece) in (0..64).flat_map(|square| Piece::ALL.map(|piece| (square, piece))) {
            if is_on(piece, square) {
                let (file, rank) = (square % 8, square / 8);
                let rank = if side == Color::White { rank } else { 7 - rank };
                let plane = if piece.color() == side { 0 } else { 6 } + piece.kind().index();
                rows.push(768 * bucket + 64 * plane + 8 * rank + file);
            }
        }
        rows
    }

    fn expected_stack(_: &Board) -> usize {
        0
    }
}

#[test]
fn rows_are_right() {
    games::rows_are_right::<ByQueen>();
}

#[test]
fn agrees_with_the_reference() {
    games::agrees_with_the_reference::<ByQueen>();
}

#[test]
fn incremental_equals_refreshed() {
    games::incremental_equals_refreshed::<ByQueen>();
}

#[test]
fn files_round_trip() {
    games::files_round_trip::<ByQueen>();
}
