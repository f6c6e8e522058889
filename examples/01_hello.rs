//! 01: a network in one line, a program without files.
//!
//! Shows: a declaration, its parameters filled by hand, two positions, the second evaluated incrementally.
//!
//! The weights say what pieces are worth. The first half of the accumulator counts the own material in pawns, the second half
//! the enemy's; the output adds the one and subtracts the other, 100 for each pawn.
//!
//! Run: `cargo run --example 01_hello`
//!
//! ```text
//! before: -600
//! after:  -300
//! ```

use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Network, Parameters, nnue};

nnue! {
    /// 768 inputs (own or enemy, piece, square), 32 neurons for each side, one output.
    pub struct Material = Chess768[..] -> 32x2 -> 1;
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut params = MaterialParams::zeroed();
    for (row, neurons) in params.ft.weight.iter_mut().enumerate() {
        let pawns = [1, 3, 3, 5, 9, 0][row / 64 % 6];
        neurons[16 * (row / 384)..][..16].fill(pawns); // neurons 0 to 15 count own pieces, 16 to 31 the enemy's
    }
    params.fc0.weight[0][0][..16].fill(100);
    params.fc0.weight[0][0][16..32].fill(-100);
    let network = Network::<Material>::from_params(params);
    let mut stack = AccumulatorStack::new();
    let mut board: Board = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1".parse()?;
    println!("before: {}", network.evaluate(&board, &mut stack).value); // -600
    let capture: Move = "c3d5".parse()?;
    stack.push(change_of(&board, capture)); // recorded; nothing is computed until an evaluation needs it
    board.play(capture);
    println!("after:  {}", network.evaluate(&board, &mut stack).value); // -300, from Black's point of view
    Ok(())
}
