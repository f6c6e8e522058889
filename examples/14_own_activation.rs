//! 14: activations of one's own: a function, and a kernel over the operations of a level.
//!
//! Shows: how a declaration names them, that every level gives the same value, how a kernel is tested, and that the bounds of a
//! network follow from the declared maximum.
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
use nnue::spec::TensorMut;
use nnue::{Architecture, Level, Network, Parameters, nnue};

/// Of an accumulator: a quarter of what is positive, and a thirty-second of how far it is below zero.
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

    /// The same for a vector of any level. What is clipped need not be clipped here.
    #[inline(always)]
    fn vector<S: Simd>(self, simd: S, y: S::I32) -> S::I32 {
        simd.add_i32(simd.shr_i32(y, self.shift), simd.splat_i32(64))
    }
}

nnue! {
    /// A function behind the accumulator, a kernel behind the first layer, and what the language has behind the second.
    pub struct Own = Chess768[..] -> 256x2 @ 255 self::leaky max 100 -> (16 self::HARD_SIGMOID -> 32 -> 1)x8;
}

/// A network with random weights.
fn network() -> Network<Own> {
    let mut params = OwnParams::zeroed();
    let mut state = 1_u64;
    let mut next = |limit: i64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) as i64 % (2 * limit + 1) - limit
    };
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(weights) => weights.iter_mut().for_each(|w| *w = next(60) as i8),
            TensorMut::I16(weights) => weights.iter_mut().for_each(|w| *w = next(60) as i16),
            TensorMut::I32(weights) => weights.iter_mut().for_each(|w| *w = next(3000) as i32),
            TensorMut::F32(weights) => weights.iter_mut().for_each(|w| *w = next(1000) as f32 / 1000.0),
        }
    }
    Network::from_params(params)
}

fn main() {
    // A test of the kernel, on every level that this processor has.
    let sums: Vec<i32> = (-20_000..20_000).chain([i32::MIN, i32::MAX]).collect();
    activation::check(HARD_SIGMOID, &sums);

    let start = Board::default();
    let mut network = network();
    let value = network.evaluate_fresh(&start).value;
    println!("{}: {}", Own::SPEC.name, Own::SPEC.notation);
    for level in Level::available() {
        network = network.with_level(level);
        assert_eq!(network.evaluate_fresh(&start).value, value, "{level}");
    }
    println!("    the start position is worth {value} on every level");
    println!("    the first layer reads 0 to {}", network.bounds().layers[0].input_max);
}
