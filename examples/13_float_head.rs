//! 13: layers of 32-bit floats, as the trainer bullet saves them.
//!
//! Shows: the trainer's example `progression/4_multi_layer` as a declaration, the output of a network before it becomes a value, that
//! every level gives the same bits, and an output of loss, draw and win.
//!
//! Run: `cargo run --example 13_float_head`
//!
//! ```text
//! MultiLayer: 768x10hm[7680] -> 1024x2 @ 255 pairwise -> (16 screlu -> 32: f32 screlu -> 1: f32)x8 by (piece_count - 2) / 4
//!     15880768 bytes; the start position is worth [..]
//!     all levels give the bits [..]
//! LossDrawWin: Chess768[768] -> 256x2 @ 255 pairwise -> 16 screlu -> 3: f32
//!     loss 0.[..], draw 0.[..], win 0.[..]: [..] points of a thousand
//! ```

use cozy_chess::Board;
use nnue::{Architecture, Level, Model, Network, nnue};

nnue! {
    /// `progression/4_multi_layer`: products of the halves of each accumulator, a first layer of 8-bit weights, then floats.
    pub struct MultiLayer {
        inputs = Chess768[buckets: [0, 1, 2, 3, 4, 4, 5, 5, 6 x 4, 7 x 4, 8 x 8, 9 x 8], mirrored];
        acc = accumulate(inputs, 1024 @ 255) x 2;
        stacks 8 by material_count {
            let h1 = affine(pairwise(acc), 16: i8 @ 64);
            let h2 = affine(screlu(h1), 32: f32);
            output affine(screlu(h2), 1: f32);
        }
        value output * 400;
        format raw
    }

    /// Three outputs: loss, draw, win.
    pub struct LossDrawWin = (768 -> 256)x2 @ 255 pairwise -> 16 screlu -> 3: f32 { value wdl * 1000; format raw };
}

/// A network with random weights, written to a file of the trainer's layout and read from it, and the size of that file.
fn network<A: Architecture>() -> Result<(Network<A>, usize), Box<dyn std::error::Error>> {
    let file = Network::<A>::random(1).to_bytes()?;
    Ok((Network::from_bytes(&file)?, file.len()))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Board::default();

    let (mut network, size) = network::<MultiLayer>()?;
    println!("{}: {}", MultiLayer::SPEC.name, MultiLayer::SPEC.notation);
    println!(
        "    {size} bytes; the start position is worth {}",
        network.evaluate_fresh(&start).value
    );
    let output = network.output_of(&network.accumulate(&start));
    for level in Level::available() {
        network = network.with_level(level);
        let again = network.output_of(&network.accumulate(&start));
        assert_eq!(again.to_bits(), output.to_bits(), "{level}");
    }
    println!("    all levels give the bits {:08x}", output.to_bits());

    let (network, _) = self::network::<LossDrawWin>()?;
    println!("{}: {}", LossDrawWin::SPEC.name, LossDrawWin::SPEC.notation);
    let [loss, draw, win] = network
        .output_of(&network.accumulate(&start))
        .probabilities();
    let points = network.evaluate_fresh(&start).value;
    println!("    loss {loss:.3}, draw {draw:.3}, win {win:.3}: {points} points of a thousand");
    Ok(())
}
