//! Shogi: the example.

use nnue::Color;

use crate::games::{self, Game};

#[path = "../../examples/11_shogi.rs"]
#[expect(dead_code, reason = "it has a main function")]
mod example;

use example::{Board, Change, IN_HAND, Shogi};

impl Game for Shogi {
    fn start() -> Board {
        Board::start()
    }

    fn successors(board: &Board) -> Vec<(Change, Board)> {
        let after = |change: Change| {
            let mut child = board.clone();
            child.play(&change);
            (change, child)
        };
        board.moves().into_iter().map(after).collect()
    }

    fn passed(board: &Board) -> Option<Board> {
        Some(Board {
            to_move: board.to_move.other(),
            ..board.clone()
        })
    }

    /// The formula of the example's header, with the hands as 38 numbered pieces for each side.
    fn rows(board: &Board, side: Color) -> Vec<usize> {
        let turned = |square: usize| {
            if side == Color::White {
                square
            } else {
                80 - square
            }
        };
        let base = 1534 * turned(board.king(side) as usize);
        let mut rows = Vec::new();
        for (square, piece) in board.pieces.iter().enumerate() {
            let Some((color, kind)) = piece else { continue };
            let Some(plane) = kind.plane() else { continue };
            let of_side = if *color == side { 0 } else { 729 };
            rows.push(base + of_side + 81 * plane as usize + turned(square));
        }
        for (hand, first) in [(side, 1458), (side.other(), 1496)] {
            let numbered = IN_HAND.iter().zip(board.hands[hand.index()]);
            let numbered =
                numbered.flat_map(|((_, most), count)| (0..*most).map(move |index| index < count));
            rows.extend(
                numbered
                    .enumerate()
                    .filter(|(_, held)| *held)
                    .map(|(index, _)| base + first + index),
            );
        }
        rows
    }

    fn expected_stack(board: &Board) -> usize {
        match board.hands.iter().flatten().sum::<u32>() {
            0 => 0,
            1..=4 => 1,
            5..=8 => 2,
            _ => 3,
        }
    }
}

#[test]
fn rows_are_right() {
    games::rows_are_right::<Shogi>();
}

#[test]
fn agrees_with_the_reference() {
    games::agrees_with_the_reference::<Shogi>();
}

#[test]
fn incremental_equals_refreshed() {
    games::incremental_equals_refreshed::<Shogi>();
}

#[test]
fn files_round_trip() {
    games::files_round_trip::<Shogi>();
}
