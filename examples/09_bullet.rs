//! 09: networks of the trainer bullet.
//!
//! Shows: the trainer's own examples as declarations, files without a header, and the error for a file that does not fit.
//!
//! Run: `cargo run --example 09_bullet`
//!
//! ```text
//! Simple: Chess768[768] -> 128x2 @ 255 screlu -> 1: i16
//!     197440 bytes; the start position is worth 1138
//! OutputBuckets: Chess768[768] -> 512x2 @ 255 screlu -> (1: i16)x8 by (piece_count - 2) / 4
//!     803904 bytes; the start position is worth -707
//! InputBuckets: 768x10hm[7680] -> 1024x2 @ 255 screlu -> (1: i16)x8 by (piece_count - 2) / 4
//!     15763520 bytes; the start position is worth -4491
//! the second file as Untransposed: loaded as well, and worth -641
//! the second file as Misread: trailing bytes: 14398 bytes come after the 789506 bytes of `Misread`, padding would be 62: the declaration has other sizes than the file, or lacks a tensor; say `skip: n` for a header of n bytes
//! ```

use cozy_chess::Board;
use nnue::spec::TensorMut;
use nnue::{Architecture, Network, Parameters, nnue};

nnue! {
    /// `simple` and `progression/1_simple`.
    pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 { format raw };

    /// `progression/2_output_buckets`: eight outputs; the number of pieces chooses one. Every load compares the golden value.
    pub struct OutputBuckets = (768 -> 512)x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw;
        golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = -707;
    };

    /// `progression/3_input_buckets`: ten copies of the inputs; the own king's square chooses one, and the board is
    /// mirrored so that the king is on files a to d.
    pub struct InputBuckets {
        inputs = Chess768[buckets: [0, 1, 2, 3, 4, 4, 5, 5, 6 x 4, 7 x 4, 8 x 8, 9 x 8], mirrored];
        acc = accumulate(inputs, 1024 @ 255) x 2;
        stacks 8 by material_count { output affine(screlu(acc), 1: i16 @ 64); }
        value output * 400;
        format raw
    }

    /// Like `OutputBuckets`, saved without `transpose`. Nothing in the file tells the two apart; only a `golden` value can.
    pub struct Untransposed = (768 -> 512)x2 @ 255 screlu -> 1x8: i16 by material_count {
        format raw { fc0_weight: [input][stack] }
    };

    /// Like `OutputBuckets`, with a mistake.
    pub struct Misread = (768 -> 512)x2 @ 255 screlu -> 1: i16 { format raw };
}

/// A file of the trainer's size, with random weights.
fn file<A: Architecture>() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let mut params = A::Params::zeroed();
    let mut state = 1_u64;
    for tensor in params.tensors_mut() {
        if let TensorMut::I16(weights) = tensor {
            for weight in weights {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                *weight = (state >> 33) as i16 % 60;
            }
        }
    }
    let mut file = Vec::new();
    Network::<A>::from_params(params).write(&mut file)?;
    Ok(file)
}

fn show<A: Architecture>() -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let file = file::<A>()?;
    let network = Network::<A>::from_bytes(&file)?;
    println!("{}: {}", A::SPEC.name, A::SPEC.notation);
    let value = network.evaluate_fresh(&Board::default()).value;
    println!(
        "    {} bytes; the start position is worth {value}",
        file.len()
    );
    Ok(file)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    show::<Simple>()?;
    let second = show::<OutputBuckets>()?;
    show::<InputBuckets>()?;
    let value = Network::<Untransposed>::from_bytes(&second)?
        .evaluate_fresh(&Board::default())
        .value;
    println!("the second file as Untransposed: loaded as well, and worth {value}");
    if let Err(error) = Network::<Misread>::from_bytes(&second) {
        println!("the second file as Misread: {error}");
    }
    Ok(())
}
