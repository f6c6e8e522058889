//! Ataxx: the example, and a network with layers over the same features.

use nnue::{Color, nnue};

use crate::games::{self, Game};

#[path = "../../examples/10_ataxx.rs"]
#[expect(dead_code, reason = "it has a main function")]
pub(crate) mod example;

use example::{Ataxx, Ataxx147, Board, Change};

/// One stack for each side that is ahead.
fn by_balance(board: &Board) -> usize {
    let [white, black] = board.stones.map(u64::count_ones);
    usize::from(white > black) + 2 * usize::from(black > white)
}

nnue! {
    /// Hidden layers, PSQT outputs, and stacks by a function.
    pub(crate) struct Deep {
        acc = accumulate(self::Ataxx147[147], 96 @ 255) x 2, psqt 3;
        stacks 3 by by_balance {
            let h = affine(pairwise(acc), 16);
            output affine(crelu(h), 1);
        }
    }

    /// Separate weights for each perspective.
    pub(crate) struct Separate = self::Ataxx147[147, active 49] -> 32x2 @ 255 pairwise separate -> 8 -> 1 { format raw };

    /// A float for each feature.
    pub(crate) struct Floats = self::Ataxx147[147, active 49] -> 32x2 @ 255 screlu, psqt 1: f32 -> 1: f32 { format raw };

    /// One perspective.
    pub(crate) struct OneSided = Ataxx147[147, active 49] -> 64 -> 1;
}

macro_rules! game {
    ($($net:ident $test:ident $stack:expr,)*) => {
        $(
            impl Game for $net {
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
                    Some(Board { to_move: board.to_move.other(), ..board.clone() })
                }
                fn rows(board: &Board, side: Color) -> Vec<usize> {
                    rows(board, side)
                }
                fn expected_stack(board: &Board) -> usize {
                    $stack(board)
                }
            }

            mod $test {
                use super::*;

                #[test]
                fn rows_are_right() {
                    games::rows_are_right::<$net>();
                }

                #[test]
                fn agrees_with_the_reference() {
                    games::agrees_with_the_reference::<$net>();
                }

                #[test]
                fn incremental_equals_refreshed() {
                    games::incremental_equals_refreshed::<$net>();
                }

                #[test]
                fn files_round_trip() {
                    games::files_round_trip::<$net>();
                }
            }
        )*
    };
}

game! {
    Ataxx simple |_: &Board| 0,
    Deep deep by_leader,
    Separate separate |_: &Board| 0,
    Floats floats |_: &Board| 0,
    OneSided one_sided |_: &Board| 0,
}

/// The same as [`by_balance`], written in another way.
fn by_leader(board: &Board) -> usize {
    match board.stones[0]
        .count_ones()
        .cmp(&board.stones[1].count_ones())
    {
        std::cmp::Ordering::Equal => 0,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Less => 2,
    }
}

/// `plane * 49 + square`, square by square.
fn rows(board: &Board, side: Color) -> Vec<usize> {
    let on = |plane: u64, square: usize| plane & (1 << square) != 0;
    let (own, enemy) = if side == Color::White { (0, 1) } else { (1, 0) };
    let feature = |square: usize| {
        if on(board.stones[own], square) {
            Some(square)
        } else if on(board.stones[enemy], square) {
            Some(49 + square)
        } else {
            on(board.blocked, square).then_some(98 + square)
        }
    };
    (0..49).filter_map(feature).collect()
}
