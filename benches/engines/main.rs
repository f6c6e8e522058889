//! `taskset -c 1 cargo bench -p nnue-benches-engines [-- small|large ..]`: nodes a second of the same search with `nnue`, and with code
//! that is written by hand for the network.
//!
//! ```text
//!   moves       the engine pushes and pops with its moves                       by hand: an array of accumulators by ply
//!   positions   the engine keeps nothing but the board                          by hand: a table by views of the king
//! ```
//!
//! Both visit the same nodes with the same values, which is compared first. For an engine compiled for its processor, set
//! `RUSTFLAGS="-C target-cpu=native"`; our kernels choose their level when they run.

mod networks;
mod ours;
mod plain;
mod search;

use std::time::Instant;

use nnue::Network;
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};

use networks::{Large, Shape, Small, Weights};
use search::{Evaluator, Visited, search};

/// Openings, middle games, endings.
const POSITIONS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQ1RK1 w - - 0 9",
    "2rq1rk1/pb1nbppp/1p2pn2/8/2BP4/P1N1PN2/1P2QPPP/R1BR2K1 b - - 4 13",
    "r2q1rk1/1b2bppp/p2p1n2/np2p3/3PP3/2P2N1P/PPBN1PP1/R1BQR1K1 b - - 0 13",
    "8/5pk1/6p1/7p/R6P/5PP1/1r6/6K1 w - - 0 40",
    "3r2k1/p4ppp/1p2p3/8/2P5/1P3P2/P5PP/3RK3 w - - 0 27",
    "8/8/4kpp1/3p1b2/p6P/2B5/6P1/6K1 b - - 0 47",
];

/// How deep each position is searched, and how often.
#[derive(Clone, Copy)]
struct Effort {
    depth: u32,
    rounds: usize,
}

const MEASURED: Effort = Effort {
    depth: 3,
    rounds: 61,
};

/// Enough to test that everything works: without the argument `--bench`, which `cargo bench` passes.
const TESTED: Effort = Effort {
    depth: 2,
    rounds: 1,
};

/// How many times as many nodes a second as by hand are wanted.
const AIM: f64 = 1.1;

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|it| it.starts_with("--"));
    let effort = match options.iter().any(|it| it == "--bench") {
        true => MEASURED,
        false => TESTED,
    };
    println!(
        "{} rounds of {} searches of depth {}; thousands of nodes a second: medians",
        effort.rounds,
        POSITIONS.len(),
        effort.depth
    );
    println!("aim: nnue / by hand at least {AIM}\n");
    println!("| network | engine | nodes | nnue | by hand | nnue / by hand |");
    println!("|---|---|---|---|---|---|");
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|it| it == name);
    if is_wanted("small") {
        engines::<Small, { Small::WIDTH }>("small", effort);
    }
    if is_wanted("large") {
        engines::<Large, { Large::WIDTH }>("large", effort);
    }
}

fn engines<A: Shape, const W: usize>(name: &str, effort: Effort) {
    let network: Network<A> = networks::random();
    let weights = Weights::<W>::of(&network);
    compare(
        &format!("{name} | moves"),
        effort,
        &mut ours::Stack::new(&network),
        &mut plain::Plies::<A, W>::new(&weights),
    );
    compare(
        &format!("{name} | positions"),
        effort,
        &mut ours::Table::new(&network),
        &mut plain::Table::<A, W>::new(&weights),
    );
}

/// Both in turn, and a row of the table.
fn compare(name: &str, effort: Effort, ours: &mut impl Evaluator, plain: &mut impl Evaluator) {
    let roots = POSITIONS.map(position);
    let expected = pass(plain, &roots, effort.depth).0;
    let mut times = [const { Vec::new() }; 2];
    for _ in 0..effort.rounds {
        for (at, times) in times.iter_mut().enumerate() {
            let (visited, time) = match at {
                0 => pass(ours, &roots, effort.depth),
                _ => pass(plain, &roots, effort.depth),
            };
            assert_eq!(visited, expected, "{name}: the nodes and values of both");
            times.push(time);
        }
    }
    let [ours, plain] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        expected.nodes as f64 / times[times.len() / 2] / 1000.0
    });
    println!(
        "| {name} | {} | {ours:.0} | {plain:.0} | {:.2} |",
        expected.nodes,
        ours / plain
    );
}

fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard)
        .expect("a legal position")
}

/// All searches, and the seconds they took.
fn pass(evaluator: &mut impl Evaluator, roots: &[Chess], depth: u32) -> (Visited, f64) {
    let start = Instant::now();
    let mut all = Visited::default();
    for root in roots {
        let Visited { nodes, sum } = search(evaluator, root, depth);
        all.nodes += nodes;
        all.sum += sum;
    }
    (all, start.elapsed().as_secs_f64())
}
