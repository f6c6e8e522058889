//! Results that must not depend on how a program is built: the level that is chosen, the bytes that are written, the speed.
//!
//! Without an argument, it checks that every level writes a network as it was read, and prints the level that was chosen. With a number of
//! milliseconds, it evaluates the positions of a game for that time and prints the evaluations per second.

use std::time::{Duration, Instant};

use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Change, Level, Network, Parameters, nnue, spec::TensorMut};

nnue! {
    /// The network of the command `nnue`.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "../../crates/cli/nets/default.nnue";
    };

    /// One of the size that engines have.
    pub struct Usual = HalfKAv2_hm[..] -> 512x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8;
}

const GAME: &str = "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 d2d3 b7b5 a4b3 f8e7 b1c3 d7d6 c3d5 c6a5 d5e7 d8e7 c1g5 a5b3 a2b3 h7h6 g5f6 \
    e7f6 d1d2 c8g4 d2e3 g4f3 e3f3 f6f3 g2f3 a8b8 a1a6 b8b6 a6b6 c7b6 b3b4 f7f5 f3f4 e5f4 e4f5 h8f8";

fn main() {
    match std::env::args().nth(1).map(|text| text.parse()) {
        None => check(),
        Some(Ok(milliseconds)) => println!("{:.0}", speed(Duration::from_millis(milliseconds))),
        Some(Err(_)) => panic!("the argument is a number of milliseconds"),
    }
}

fn check() {
    let mut network = Network::<Default>::embedded();
    println!("{}", network.level());
    for level in Level::available() {
        network = network.with_level(level);
        let written = network.to_bytes().expect("it was read from bytes");
        assert!(
            written == <Default as nnue::Embedded>::BYTES,
            "{level} writes another file"
        );
        assert_eq!(
            network.evaluate_fresh(&Board::default()).value,
            24,
            "{level}"
        );
    }
}

/// Evaluations per second, from the median of the times of a game, so that interruptions do not count.
fn speed(time: Duration) -> f64 {
    let network = patterned();
    let mut stack = AccumulatorStack::new();
    let game = game();
    let mut replay = || {
        stack.reset();
        for (change, board) in &game {
            stack.push(*change);
            std::hint::black_box(network.evaluate(board, &mut stack));
        }
    };
    (0..20).for_each(|_| replay());
    let start = Instant::now();
    let mut times = Vec::new();
    while times.is_empty() || start.elapsed() < time {
        let before = Instant::now();
        replay();
        times.push(before.elapsed());
    }
    times.sort_unstable();
    game.len() as f64 / times[times.len() / 2].as_secs_f64()
}

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

fn patterned() -> Network<Usual> {
    let mut params = UsualParams::zeroed();
    let pattern = |index: usize| (index * 37 % 61) as i8 - 30;
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i)),
            TensorMut::I16(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
            TensorMut::I32(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
            TensorMut::F32(values) => values
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x = pattern(i).into()),
        }
    }
    Network::from_params(params)
}
