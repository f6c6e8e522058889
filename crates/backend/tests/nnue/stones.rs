//! A game of the program: stones on sixteen squares, any of which may be taken.

use std::sync::Arc;

use nnue::Color;
use nnue::game::{ChangedRows, Inputs, Rows};
use nnue_backend::{Backends, Game, Sample, Wanted, nnue::ReadBy};

use crate::Stones;

/// Stones of both players, and whether the second one is to move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Board {
    stones: [u16; 2],
    second: bool,
}

/// The feature set: own stones, then those of the other player.
pub(crate) struct Squares;

impl Inputs for Squares {
    type Position = Board;
    type Change = (Color, u32);
    type View = ();
    const ROWS: usize = 32;

    fn side_to_move(board: &Board) -> Color {
        if board.second {
            Color::Black
        } else {
            Color::White
        }
    }

    fn view(_: &Board, _: Color) {}

    fn active(board: &Board, side: Color, (): (), rows: &mut Rows) {
        for (first, stones) in [
            (0, board.stones[side.index()]),
            (16, board.stones[side.other().index()]),
        ] {
            (0..16)
                .filter(|square| stones >> square & 1 == 1)
                .for_each(|square| rows.add(first + square));
        }
    }

    fn changed(&(mover, square): &(Color, u32), side: Color, (): (), rows: &mut ChangedRows) {
        rows.add(if mover == side { square } else { 16 + square });
    }
}

/// The game of the backends.
struct StonesGame;

impl Game for StonesGame {
    type Position = Board;
    type Move = u32;

    fn words(board: &Board, mut word: impl FnMut(u64)) {
        word(
            u64::from(board.stones[0])
                | u64::from(board.stones[1]) << 16
                | u64::from(board.second) << 32,
        );
    }

    fn move_word(square: &u32) -> u64 {
        u64::from(*square)
    }
}

impl ReadBy<Stones> for StonesGame {
    type Board = Board;

    fn board(position: &Board) -> Board {
        *position
    }

    fn board_words(board: &Board, word: impl FnMut(u64)) {
        Self::words(board, word);
    }
}

#[test]
fn a_game_of_the_program_has_all_adapters() {
    let network = Arc::new(nnue::Network::<Stones>::random(3));
    let mut backends = Backends::<StonesGame>::for_any_game();
    backends.add(nnue_backend::nnue::entry(Arc::clone(&network)));
    let mut random = fastrand::Rng::with_seed(1);
    let boards: Vec<Board> = (0..700)
        .map(|_| {
            let (first, second) = (random.u16(..), random.u16(..));
            Board {
                stones: [first, second & !first],
                second: random.bool(),
            }
        })
        .collect();
    let samples: Vec<Sample<'_, StonesGame>> = boards
        .iter()
        .map(|board| Sample {
            history: std::slice::from_ref(board),
            moves: &[],
        })
        .collect();
    let expected: Vec<Option<i32>> = boards
        .iter()
        .map(|board| Some(network.evaluate_fresh(board).value))
        .collect();
    for text in [
        "nnue(threads=1)",
        "",
        "multiplexing(nnue, nnue)",
        "demux(nnue, nnue, threads=2)",
    ] {
        let backend = backends.create(text).expect("a backend");
        let answers = backend.evaluate(&samples, Wanted::ALL).expect("answers");
        assert!(
            answers
                .iter()
                .map(|answer| answer.score)
                .eq(expected.iter().copied()),
            "{text}"
        );
    }
}
