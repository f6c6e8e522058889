//! 06: instruction levels.
//!
//! Shows: which levels exist, which of them this processor has, which one a network chose when it was loaded, and that
//! all of them give the same number.
//!
//! The choice is made when a network is loaded, not when the program is compiled: a binary built for any x86-64 processor uses
//! AVX-512 where it finds it.
//!
//! Run: `cargo run --example 06_levels`
//!
//! ```text
//! chosen when loaded: [..]
//! scalar     evaluates the start position to 134
//! sse41      [..]
//! avx2       [..]
//! avxvnni    [..]
//! avx512     [..]
//! avx512vnni [..]
//! ```

use cozy_chess::Board;
use nnue::{Level, Network, Parameters, nnue, spec::TensorMut};

nnue! {
    pub struct Small = HalfKAv2_hm[..] -> 128x2 pairwise -> 16 -> 32 -> 1;
}

fn patterned() -> SmallParams {
    let mut params = SmallParams::zeroed();
    let pattern = |index: usize| (index * 37 % 61) as i8 - 30;
    for tensor in params.tensors_mut() {
        match tensor {
            TensorMut::I8(values) => values.iter_mut().enumerate().for_each(|(i, x)| *x = pattern(i)),
            TensorMut::I16(values) => values.iter_mut().enumerate().for_each(|(i, x)| *x = pattern(i).into()),
            TensorMut::I32(values) => values.iter_mut().enumerate().for_each(|(i, x)| *x = pattern(i).into()),
        }
    }
    params
}

fn main() {
    let mut network = Network::<Small>::from_params(patterned());
    println!("chosen when loaded: {}", network.level());

    let start = Board::default();
    for level in Level::ALL {
        match level.check() {
            Ok(available) => {
                network = network.with_level(available);
                println!("{level:<10} evaluates the start position to {}", network.evaluate_fresh(&start).value);
            }
            Err(unavailable) => println!("{level:<10} {unavailable}"),
        }
    }
}
