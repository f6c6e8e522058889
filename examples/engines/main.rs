//! Engines in six styles, as small as they can be: how each one uses a network. `docs/switching.md` explains them step by step.
//!
//! | file | board | where accumulators are pushed and popped |
//! |---|---|---|
//! | `make_unmake.rs` | one, a1 is 0, pieces are `2 * kind + color` | where a move is made and taken back |
//! | `a8.rs` | the same, a8 is 0, pieces are `6 * color + kind` | the same |
//! | `copy_make.rs` | a copy for each move; each thread has a stack in a cell | around the search of a move |
//! | `plies.rs` | one for each ply | the stack is cut to the ply; nothing is popped |
//! | `positions.rs` | a copy for each move | nowhere: a table has the last boards and their accumulators |
//! | `mcts.rs` | a copy for each playout | on the way down the tree; value and policy |
//!
//! `rules.rs` has the rules of chess, `network.rs` what an engine adds for its network.
//!
//! The bench is what engines have as a gate of every change: the number of nodes must stay. The first five search the same tree, so their numbers
//! are equal. In debug builds every evaluation is compared with one from scratch. Move generators are counted first.
//!
//! Run: `cargo run --release --example engines`; as an engine that speaks UCI: `cargo run --release --example engines uci`
//!
//! ```text
//! perft: 8902 97862 43238 9467 62379
//! make/unmake 16496 nodes
//! a8 = 0 16496 nodes
//! copy-make, 6 threads 16496 nodes
//! plies 16496 nodes
//! positions 16496 nodes
//! mcts 54447 nodes
//! ```

mod a8;
mod copy_make;
mod make_unmake;
mod mcts;
mod network;
mod plies;
mod positions;
mod rules;
mod uci;

use nnue::prelude::*;

use network::Evaluator;
use rules::{A1, A8, Board};

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// What the mate of the root is worth.
pub(crate) const MATE: i32 = 1_000_000;
/// More than any value.
pub(crate) const INFINITE: i32 = 2_000_000;
/// Null moves are tried from this depth on, and searched less deep by as much.
pub(crate) const NULL_DEPTH: u32 = 3;

const DEPTH: u32 = 3;
const PLAYOUTS: u32 = 300;

/// Openings, middle games, endings; castlings, en passant, promotions.
const POSITIONS: [&str; 6] = [
    START,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/1P4P1/8/3Pp3/8/8/1p4p1/4K3 w - e6 0 1",
];

fn boards<L: rules::Layout>() -> [Board<L>; POSITIONS.len()] {
    POSITIONS.map(|fen| Board::of_fen(fen).expect("a FEN"))
}

/// The number of lines of legal moves that are known of the first five positions.
fn perft() {
    let depths = [3, 3, 4, 3, 3];
    let counts = boards::<A1>().into_iter().zip(boards::<A8>()).zip(depths);
    let counts = counts.map(|((a1, a8), depth)| {
        let count = a1.perft(depth);
        assert_eq!(count, a8.perft(depth));
        count.to_string()
    });
    println!("perft: {}", counts.collect::<Vec<_>>().join(" "));
}

/// The nodes that each engine visits.
pub(crate) fn bench(network: &Network<Evaluator>) {
    let nodes = |name: &str, nodes: u64| println!("{name} {nodes} nodes");
    let (a1, a8) = (boards::<A1>(), boards::<A8>());
    let sum = a1
        .iter()
        .map(|&board| make_unmake::nodes(network, board, DEPTH))
        .sum();
    nodes("make/unmake", sum);
    nodes(
        "a8 = 0",
        a8.iter()
            .map(|&board| a8::nodes(network, board, DEPTH))
            .sum(),
    );
    nodes(
        "copy-make, 6 threads",
        copy_make::nodes(network, &a1, DEPTH),
    );
    nodes(
        "plies",
        a1.iter()
            .map(|&board| plies::nodes(network, board, DEPTH))
            .sum(),
    );
    nodes(
        "positions",
        a1.iter()
            .map(|&board| positions::nodes(network, board, DEPTH))
            .sum(),
    );
    let tree = Network::<mcts::Tree>::embedded();
    nodes(
        "mcts",
        a1.iter()
            .map(|&board| mcts::nodes(&tree, board, PLAYOUTS))
            .sum(),
    );
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("uci") => uci::uci(),
        _ => {
            perft();
            bench(&Network::embedded());
        }
    }
}
