//! Networks of chess whose stacks are chosen by a function of the user's.

use nnue::spec::reference;
use nnue::{AccumulatorStack, Color, Level, Parameters, PieceKind, Position, nnue};
use nnue_testkit::games::{position, suite_fens};

use crate::games::network;

pub(crate) mod rules {
    use nnue::{Color, PieceKind, Position};

    /// 0 without queens, 1 if only the side to move has one, 2 if only the other side has, 3 with both.
    pub(crate) fn by_queens(position: &impl Position) -> usize {
        let us = position.side_to_move();
        let has = |color: Color| usize::from(position.pieces(color, PieceKind::Queen) != 0);
        has(us) + 2 * has(us.other())
    }

    /// A number far too great if there are more than 20 pieces.
    pub(crate) fn too_far(position: &impl Position) -> usize {
        if position.occupied().count_ones() > 20 {
            usize::MAX
        } else {
            1
        }
    }
}

nnue! {
    /// By queens.
    pub(crate) struct ByQueens = HalfKAv2_hm[..] -> 64x2, psqt 4 -> (16 -> 1)x4 by rules::by_queens;

    /// By a function that gives numbers of stacks that do not exist.
    pub(crate) struct Astray = (768 -> 64)x2 @ 255 screlu -> 1x3: i16 by rules::too_far { format raw };
}

/// A position, as the interpreter reads it.
pub(crate) fn reference_board(position: &impl Position) -> reference::Board {
    let pieces = Color::ALL
        .into_iter()
        .flat_map(|color| PieceKind::ALL.map(|kind| (color, kind)));
    let pieces = pieces.flat_map(|(color, kind)| {
        let set = position.pieces(color, kind);
        let squares = (0..64).filter(move |square| set >> square & 1 == 1);
        squares.map(move |square| (color == Color::Black, kind.index(), square))
    });
    reference::Board::new(pieces, position.side_to_move() == Color::Black)
}

/// The stacks and PSQT outputs of all levels are those of the interpreter, and `stack` is the one that is used.
fn check<A: nnue::Architecture>(stack: fn(&shakmaty::Chess) -> usize) {
    let mut network = network::<A>(7, false);
    let mut seen = std::collections::BTreeSet::new();
    for level in Level::available() {
        network = network.with_level(level);
        for fen in suite_fens().iter().step_by(9) {
            let position = position(fen);
            let expected = reference::evaluate(
                &A::SPEC,
                &network.params().tensors(),
                &reference_board(&position),
            );
            let evaluation = network.evaluate(&position, &mut AccumulatorStack::new());
            let stack = stack(&position);
            assert_eq!(evaluation.bucket, stack, "{fen}");
            assert_eq!(
                evaluation.positional, expected.positional[stack],
                "{fen}, {level}"
            );
            assert_eq!(
                evaluation.psqt,
                expected.psqt.get(stack).copied().unwrap_or(0),
                "{fen}, {level}"
            );
            assert_eq!(network.trace(&position).evaluation(), evaluation);
            assert_eq!(network.evaluate_fresh(&position), evaluation);
            seen.insert(stack);
        }
    }
    assert!(seen.len() > 1, "only stacks {seen:?} were chosen");
}

#[test]
fn a_function_chooses_the_stack() {
    check::<ByQueens>(|position| {
        let us = position.side_to_move();
        let queens =
            [us, us.other()].map(|side| position.pieces(side, PieceKind::Queen).count_ones() > 0);
        match queens {
            [false, false] => 0,
            [true, false] => 1,
            [false, true] => 2,
            [true, true] => 3,
        }
    });
}

#[test]
fn a_stack_that_is_not_there_is_the_last() {
    check::<Astray>(|position| {
        if position.occupied().count_ones() > 20 {
            2
        } else {
            1
        }
    });
}
