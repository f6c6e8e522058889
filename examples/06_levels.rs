//! 06: instruction levels.
//!
//! Shows: which levels exist, which of them this processor has, which one a network chose when it was loaded, and that
//! all of them give the same number.
//!
//! The choice is made when a network is loaded, not when the program is compiled: a binary built for any x86-64 processor uses
//! AVX-512 where it finds it. The environment variable `NNUE_LEVEL` names another level for everything that is loaded.
//!
//! Run: `cargo run --example 06_levels`
//!
//! ```text
//! chosen when loaded: [..]
//! scalar      evaluates the start position to 24
//! sse41       [..]
//! avx2        [..]
//! avxvnni     [..]
//! avx512      [..]
//! avx512vnni  [..]
//! neon        [..]
//! neondotprod [..]
//! neoni8mm    [..]
//! simd128     [..]
//! ```

use cozy_chess::Board;
use nnue::{Level, LoadError, Network, nnue};

nnue! {
    /// The network that is built into the command `nnue`.
    pub struct Default = Chess768[mirrored, buckets: [0 x 2, 1 x 2, 2 x 4, 3 x 24]] -> 128x2 pairwise, psqt 8 -> (16 -> 32 -> 1)x8 {
        format stockfish { encoding: leb128 };
    };
}

fn main() -> Result<(), LoadError> {
    let mut network = Network::<Default>::open(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/cli/nets/default.nnue"
    ))?;
    println!("chosen when loaded: {}", network.level());

    let start = Board::default();
    for level in Level::ALL {
        match level.check() {
            Ok(available) => {
                network = network.with_level(available);
                println!(
                    "{level:<11} evaluates the start position to {}",
                    network.evaluate_fresh(&start).value
                );
            }
            Err(unavailable) => println!("{level:<11} {unavailable}"),
        }
    }
    Ok(())
}
