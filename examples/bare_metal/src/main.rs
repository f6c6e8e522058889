//! A network on a processor without an operating system: an Arm Cortex-M4, with 32 bits, no files and no threads.
//!
//! Shows: what differs without the standard library. `Cargo.toml` turns off the default features of `nnue`; the network is embedded,
//! because there are no files; and the level is the best one that the program is compiled for, here `scalar`.
//!
//! Run, in this folder, after `rustup target add thumbv7em-none-eabihf`: `cargo run --release`. QEMU emulates a board
//! (`.cargo/config.toml`); `machine.ld` describes its memory, `machine.rs` replaces an operating system.
//!
//! ```text
//! level scalar
//! start        24 incremental    24 fresh
//! e2e4        -21 incremental   -21 fresh
//! ```
#![no_std]
#![no_main]

mod machine;

use core::fmt::Write;

use cozy_chess::{Board, Move};
use machine::Console;
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Network, nnue};

nnue! {
    /// The network of the command `nnue`.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
        weights "../../crates/cli/nets/default.nnue";
    };
}

fn main() -> core::fmt::Result {
    let network = Network::<Default>::embedded();
    writeln!(Console, "level {}", network.level())?;

    let mut board = Board::default();
    let mut stack = AccumulatorStack::new();
    show("start", &network, &board, &mut stack)?;

    let played: Move = "e2e4".parse().map_err(|_| core::fmt::Error)?;
    stack.push(change_of(&board, played));
    board.play(played);
    show("e2e4", &network, &board, &mut stack)
}

fn show(
    what: &str,
    network: &Network<Default>,
    board: &Board,
    stack: &mut AccumulatorStack<Default>,
) -> core::fmt::Result {
    let incremental = network.evaluate(board, stack).value;
    let fresh = network.evaluate_fresh(board).value;
    writeln!(
        Console,
        "{what:<8} {incremental:>6} incremental {fresh:>5} fresh"
    )
}
