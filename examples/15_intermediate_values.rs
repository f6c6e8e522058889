//! 15: every number of an evaluation, to find the first one in which two engines differ.
//!
//! Shows: accumulators, the sums and activations of each layer, the output before it becomes a value, and a network of random weights, which
//! can be written and read before there is a trained one.
//!
//! Run: `cargo run --example 15_intermediate_values`
//!
//! ```text
//! Skip: Chess768[768] -> 32x2 pairwise, psqt 2 -> (7+1 -> 1)x2
//! neurons, side to move  [10, -13, -44, [..]
//! neurons, other side    [10, -13, -44, [..]
//! psqt, both sides       [[..]] [[..]]
//! layer stack            1
//! x                      [1, 0, 0, [..]
//! fc0, sums              [2905, -1668, [..]
//! fc0_crelu              [45, 0, [..]
//! fc1, sums              [-3462]
//! output                 Sum(-1945)
//! value                  -121
//! ```

use cozy_chess::Board;
use nnue::spec::Source;
use nnue::{Model, Network, nnue};

nnue! {
    /// The last neuron of the first layer is added to the output.
    pub struct Skip {
        acc = accumulate(Chess768, 32) x 2, psqt 2;
        let x = pairwise(acc);
        stacks 2 {
            let h1 = affine(x, 8);
            let a1 = crelu(h1[..7]);
            output affine(a1, 1) + h1[7];
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = Network::<Skip>::random(7).to_bytes()?; // what a loader reads
    let network = Network::<Skip>::from_bytes(&file)?;
    let position = Board::default();

    println!("{}: {}", Skip::SPEC.name, Skip::SPEC.notation);
    let accumulators = network.accumulate(&position);
    let ([us, them], [psqt, other]) = (accumulators.values(), accumulators.psqt());
    println!("neurons, side to move  {us:?}\nneurons, other side    {them:?}");
    println!("psqt, both sides       {psqt:?} {other:?}");
    println!("layer stack            {}", accumulators.bucket());

    let layers = network.intermediate(&accumulators, &[]);
    let print_buffers = |source| {
        for (buffer, values) in Skip::SPEC
            .buffers
            .iter()
            .zip(&layers.buffers)
            .filter(|(b, _)| b.source == source)
        {
            println!("{:<22} {values:?}", buffer.name); // what a layer reads; of floats, `layers.float_buffers` has it
        }
    };
    print_buffers(Source::Accumulator);
    for (index, (layer, sums)) in Skip::SPEC.layers.iter().zip(&layers.sums).enumerate() {
        println!("{:<22} {sums:?}", format!("{}, sums", layer.name)); // of floats: `layers.floats`
        print_buffers(Source::Layer(index));
    }
    println!("output                 {:?}", layers.output(&Skip::SPEC));
    println!(
        "value                  {}",
        network.forward(&accumulators).value
    );
    Ok(())
}
