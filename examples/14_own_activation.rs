//! 14: activations of your own: a function, and a kernel that uses the operations of a level.
//!
//! Shows: how a declaration names them, that every level gives the same value, how to test a kernel, and that the bounds of a network
//! follow from the declared maximum.
//!
//! Run: `cargo run --example 14_own_activation`
//!
//! ```text
//! Own: Chess768[768] -> 256x2 @ 255 self::leaky -> (16 self::HARD_SIGMOID -> 32 -> 1)x8
//!     the start position is worth [..] on every level
//!     the first layer reads 0 to 100
//! ```

use cozy_chess::Board;
use nnue::activation::{self, Activation};
use nnue::simd::Simd;
use nnue::{Level, Model, Network, Parameters, nnue};
use nnue_tools::bounds::prove;

/// Of an accumulator: a quarter of a positive value, and a thirty-second of the distance of a negative one from zero.
fn leaky(a: i16) -> u8 {
    let value = if a >= 0 { a / 4 } else { -(a / 32) };
    value.clamp(0, 255) as u8
}

/// Of a sum: `clamp((y >> shift) + 64, 0, 127)`.
#[derive(Clone, Copy)]
struct HardSigmoid {
    shift: u32,
}

const HARD_SIGMOID: HardSigmoid = HardSigmoid { shift: 7 };

impl Activation<i32> for HardSigmoid {
    /// The specification: one sum.
    fn of(self, y: i32) -> u8 {
        ((y >> self.shift) + 64).clamp(0, 127) as u8
    }

    /// The same for a vector of any level. The caller clips the result to 0 and the maximum.
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        simd.add_i32(simd.shr_i32(y, self.shift), simd.splat_i32(64))
    }
}

nnue! {
    /// A function after the accumulator, a kernel after the first layer, and the default after the second.
    pub struct Own = Chess768[..] -> 256x2 @ 255 self::leaky max 100 -> (16 self::HARD_SIGMOID -> 32 -> 1)x8;
}

fn main() {
    // A test of the kernel, on every level that this processor has.
    let sums: Vec<i32> = (-20_000..20_000).chain([i32::MIN, i32::MAX]).collect();
    activation::check(HARD_SIGMOID, &sums);

    let start = Board::default();
    let mut network = Network::<Own>::random(1);
    let value = network.evaluate_fresh(&start).value;
    println!("{}: {}", Own::SPEC.name, Own::SPEC.notation);
    for level in Level::available() {
        network = network.with_level(level);
        assert_eq!(network.evaluate_fresh(&start).value, value, "{level}");
    }
    println!("    the start position is worth {value} on every level");
    println!(
        "    the first layer reads 0 to {}",
        prove(&Own::SPEC, &network.params().tensors()).layers[0].input_max
    );
}
