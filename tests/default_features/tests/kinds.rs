//! Without the feature `described` a program compiles kernels over rows for its own kind of weights. Each kind
//! gives the values of the scalar level: incrementally, as a reply to the position before, and from scratch.

use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Architecture, Change, Level, Network, nnue};

nnue! {
    pub struct Narrow = (768 -> 96)x2 -> 1;
    pub struct NarrowPsqt = HalfKAv2_hm[..] -> 96x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;
    pub struct Common = Chess768[mirrored] -> 1024x2 pairwise -> 16 -> 1;
    pub struct CommonPsqt = HalfKP[..] -> 1024x2 pairwise, psqt 8 -> (16 -> 1)x8;
    pub struct Bytes = Chess768[mirrored] as i8 -> 768 pairwise -> 16 -> 1 { format raw };
    pub struct WideBytes = Chess768[mirrored] as i8 -> 4096 pairwise -> 16 -> 1 { format raw };
    pub struct Pairs = HalfKAv2_hm[..] + FullThreats[59808] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;
}

const GAME: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 d2d3 b7b5 a4b3 f8e7 b1c3 d7d6 c3d5 c6a5 d5e7 d8e7 c1g5 a5b3 a2b3 h7h6 g5f6 \
    e7f6 d1d2 c8g4 d2e3 g4f3 e3f3 f6f3 g2f3 a8b8 a1a6 b8b6 a6b6 c7b6 b3b4 f7f5 f3f4 e5f4 e4f5 h8f8 e1d2 e8f7 d2c3";

/// The changes of a game, and the positions after them.
fn game() -> Vec<(Change, Board)> {
    let mut board = Board::default();
    let play = |text: &str| {
        let played: Move = text.parse().expect("a move");
        let change = change_of(&board, played);
        board.play(played);
        (change, board.clone())
    };
    GAME.split_ascii_whitespace().map(play).collect()
}

fn check<A: Architecture>() {
    let game = game();
    let mut network = Network::<A>::random(7).with_level(Level::Scalar.check().expect("scalar"));
    let expected: Vec<i32> = game
        .iter()
        .map(|(_, board)| network.evaluate_fresh(board).value)
        .collect();
    assert!(expected.iter().any(|value| *value != expected[0]));
    for level in Level::available() {
        network = network.with_level(level);
        let (mut stack, mut children) = (AccumulatorStack::new(), Vec::new());
        let mut before = Board::default();
        for ((change, board), expected) in game.iter().zip(&expected) {
            network.evaluate_children(&before, &[*change], &mut stack, &mut children);
            assert_eq!(children[0].value, *expected, "{level}");
            before = board.clone();
            stack.push(*change);
            assert_eq!(
                network.evaluate(board, &mut stack).value,
                *expected,
                "{level}"
            );
            assert_eq!(network.evaluate_fresh(board).value, *expected, "{level}");
        }
    }
}

#[test]
fn words() {
    check::<Narrow>();
    check::<NarrowPsqt>();
    check::<Common>();
    check::<CommonPsqt>();
}

#[test]
fn bytes_and_pairs() {
    check::<Bytes>();
    check::<WideBytes>();
    check::<Pairs>();
}
