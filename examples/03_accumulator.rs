//! 03: incremental accumulators.
//!
//! Shows: a stack that follows moves and takes them back, and that its values are those of a computation from scratch. The board
//! is from the crate `cozy-chess`; the adapter turns a move into the change that the stack records.
//!
//! Run: `cargo run --example 03_accumulator`
//!
//! ```text
//! start      depth 0 incremental  -358 fresh  -358
//! 4 plies    depth 4 incremental  -229 fresh  -229
//! pop        depth 3 incremental  -319 fresh  -319
//! null move  depth 4 incremental  -318 fresh  -318
//! reset      depth 0 incremental  -358 fresh  -358
//! ```

use cozy_chess::{Board, Move};
use nnue::cozy_chess::change_of;
use nnue::{AccumulatorStack, Network, Parameters, nnue, spec::TensorMut};

nnue! {
    pub struct Small = HalfKAv2_hm[..] -> 64x2 -> 16 -> 1;
}

fn patterned() -> Network<Small> {
    let mut params = SmallParams::zeroed();
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

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = patterned();
    let mut stack = AccumulatorStack::new();
    let mut line = vec![Board::default()];
    let show = |played: &str, board: &Board, stack: &mut AccumulatorStack<Small>| {
        let incremental = network.evaluate(board, stack).value;
        let fresh = network.evaluate_fresh(board).value;
        println!(
            "{played:<10} depth {} incremental {incremental:>5} fresh {fresh:>5}",
            stack.depth()
        );
        assert_eq!(incremental, fresh);
    };

    show("start", &line[0], &mut stack);
    for text in ["e2e4", "d7d5", "e4d5", "e8d7"] {
        let mut board = line[line.len() - 1].clone();
        let played: Move = text.parse()?;
        // The change is taken from the position before the move. Pushing it computes nothing.
        stack.push(change_of(&board, played));
        board.play(played);
        line.push(board);
    }
    show("4 plies", &line[4], &mut stack);

    stack.pop();
    line.pop();
    show("pop", &line[3], &mut stack);

    // The side to move passes: only the side to move changes.
    let passed = line[3].null_move().ok_or("in check")?;
    stack.push_null();
    show("null move", &passed, &mut stack);

    stack.reset();
    show("reset", &line[0], &mut stack);
    Ok(())
}
