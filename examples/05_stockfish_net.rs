//! 05: a published architecture, described in full.
//!
//! Shows: the graph form of a declaration (here Stockfish 15.1's network, SFNNv5), its descriptor, and loading the real file. The
//! generations of Stockfish are declared in `nnue::stockfish`, in the same way.
//!
//! Run: `cargo run --example 05_stockfish_net`, or with the file that Stockfish 15.1 writes on `export_net`:
//! `cargo run --example 05_stockfish_net -- nn-ad9b42354671.nnue`
//!
//! ```text
//! HalfKAv2_hm[22528] -> 1024x2 pairwise, psqt 8 -> (15+1 sqr_crelu|crelu -> 32 -> 1)x8
//! file hash 0x1c102ef2
//! ft_bias    i16 [    1][1024] x 1
//! ft_weight  i16 [22528][1024] x 1
//! ft_psqt    i32 [22528][   8] x 1
//! fc0_bias   i32 [    1][  16] x 8
//! fc0_weight i8  [   16][1024] x 8
//! fc1_bias   i32 [    1][  32] x 8
//! fc1_weight i8  [   32][  32] x 8
//! fc2_bias   i32 [    1][   1] x 8
//! fc2_weight i8  [    1][  32] x 8
//! ```

use cozy_chess::Board;
use nnue::{LoadError, Model, Network, nnue};

nnue! {
    /// SFNNv5.
    pub struct Sfnnv5 {
        // 22528 features per side, a row of 1024 neurons and 8 PSQT values for each.
        acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
        // The halves of each accumulator are clipped and multiplied: 2 x 512 values, the side to move's first.
        x = pairwise(acc);
        stacks 8 by (piece_count - 1) / 4 {
            let h1 = affine(x, 16);
            // 15 neurons, each activated in two ways...
            let a1 = concat(sqr_crelu(h1[..15]), crelu(h1[..15]));
            let h2 = affine(a1, 32);
            // ...and the 16th goes straight to the output: 1.0 is 127 * 64 there and 600 * 16 here.
            output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
        }
        format stockfish { version: 0x7AF32F20, encoding: raw };
    }
}

fn main() -> Result<(), LoadError> {
    let spec = Sfnnv5::SPEC;
    println!("{}", spec.notation);
    println!("file hash {:#010x}", spec.container.network_hash());
    for tensor in spec.tensors {
        let (name, rows, cols) = (tensor.name, tensor.rows, tensor.cols);
        println!(
            "{name:<10} {:<3} [{rows:>5}][{cols:>4}] x {}",
            tensor.element.name(),
            tensor.copies
        );
    }

    if let Some(path) = std::env::args().nth(1) {
        let network = Network::<Sfnnv5>::open(path)?;
        println!("{}", String::from_utf8_lossy(network.description()));
        let evaluation = network.evaluate_fresh(&Board::default());
        println!(
            "start position: psqt {}, positional {}, value {}",
            evaluation.psqt, evaluation.positional, evaluation.value
        );
    }
    Ok(())
}
