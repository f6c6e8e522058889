//! **A compiler for chess networks.** [`nnue!`] turns the description of an NNUE (an efficiently updatable neural network, the evaluation of
//! today's chess engines) into its parameter types, its loader and one straight-line forward pass over SIMD kernels. Results are exact to the last
//! bit on x86-64, aarch64 and WebAssembly, updates are incremental, and your crate needs no `unsafe`. [`nnue train`](https://github.com/nnue-rs/nnue/blob/main/docs/training.md) trains what you declare.
//!
//! | nodes a second of a small engine, code written by hand being 1 | built for its processor | for all of x86-64 |
//! |---|---|---|
//! | `(768 -> 256)x2 -> 1`: with a stack, with positions only | 1.08, 1.13 | 1.30, 1.38 |
//! | `(768 -> 1024)x2 -> 1x8`, four king buckets: the same | 1.40, 1.51 | 2.04, 2.04 |
//!
//! | time of one evaluation, in ns | SFNNv5 | SFNNv9 | SFNNv16 |
//! |---|---|---|---|
//! | after a move of any piece but the king | 209 | 728 | 859 |
//! | from scratch | 1250 | 4961 | 3940 |
//! | how many times longer `nnue-rs` 0.4.2 takes, after a move | 4.7 | 3.4 | |
//!
//! First table: an Intel Xeon with AVX-512 VNNI, one core, 2026-11-28. Second: AMD Zen 5 with AVX-512 VNNI, one core, a binary for all of x86-64; networks of Stockfish 15.1, 17 and August 2026; 2026-11-21. AVX2 takes 1.2 to 1.6 times as long. [How it was measured](https://github.com/nnue-rs/nnue/blob/main/benches/README.md).
//!
//! # Try it
//!
//! ```console
//! $ cargo run --release -p nnue-cli -- eval     # what the built-in network says about the start position; builds for minutes
//! $ cargo test --workspace                      # all tests; nothing to download
//! $ pip install target/wheels/nnue-*.whl        # docs/python.md says how it is built; Python 3.10 or newer
//! $ python3 -c "import nnue; print(nnue.Network.default().evaluate('8/8/4k3/8/8/3QK3/8/8 w - - 0 1'))"
//! ```
//!
//! This program (`examples/01_hello.rs`) declares a network, fills in weights that count material, and evaluates two positions, the second incrementally:
//!
//! ```
//! use cozy_chess::{Board, Move};
//! use nnue::cozy_chess::change_of;
//! use nnue::{AccumulatorStack, Network, Parameters, nnue};
//!
//! nnue! {
//!     /// 768 inputs (own or enemy, piece, square), 32 neurons for each side, one output.
//!     pub struct Material = Chess768[..] -> 32x2 -> 1;
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut params = MaterialParams::zeroed();
//!     for (row, neurons) in params.ft.weight.iter_mut().enumerate() {
//!         let pawns = [1, 3, 3, 5, 9, 0][row / 64 % 6];
//!         neurons[16 * (row / 384)..][..16].fill(pawns); // neurons 0 to 15 count own pieces, 16 to 31 the enemy's
//!     }
//!     params.fc0.weight[0][0][..16].fill(100);
//!     params.fc0.weight[0][0][16..32].fill(-100);
//!     let network = Network::<Material>::from_params(params);
//!     let mut stack = AccumulatorStack::new();
//!     let mut board: Board = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1".parse()?;
//!     println!("before: {}", network.evaluate(&board, &mut stack).value); // -600
//!     let capture: Move = "c3d5".parse()?;
//!     stack.push(change_of(&board, capture)); // recorded; nothing is computed until an evaluation needs it
//!     board.play(capture);
//!     println!("after:  {}", network.evaluate(&board, &mut stack).value); // -300, from Black's point of view
//!     Ok(())
//! }
//! ```
//!
//! In [a crate of your own](https://github.com/nnue-rs/nnue/blob/main/docs/guide.md#what-a-declaration-costs): `cargo add nnue --git https://github.com/nnue-rs/nnue --features cozy-chess`
//! and `cargo add cozy-chess --features std`; what not every engine needs is [a feature](https://github.com/nnue-rs/nnue/blob/main/docs/building.md). In C, with [a library of your networks](https://github.com/nnue-rs/nnue/blob/main/docs/c.md):
//!
//! ```c
//! #include <stdio.h>
//! #include "nnue.h"
//! int main(void) { /* kings, and a pawn on e2: bitboards by colour and by kind, and whose move it is */
//!     nnue_position position = {{0x1010, 0x1000000000000000}, {0x1000, 0, 0, 0, 0, 0x1000000000000010}, 0};
//!     nnue_network *network;
//!     nnue_evaluation said;
//!     if (nnue_network_open_embedded("Default", NULL, &network) || nnue_network_evaluate(network, &position, &said))
//!         return fprintf(stderr, "%s\n", nnue_error_message()), 1;
//!     printf("%d\n", said.value);
//! }
//! ```
//!
//! A trained network comes from a file, `Network::<Mine>::open(path)?`, or is embedded: `weights "path";`. Declarations look like the arrows with which engines describe their
//! networks; one that is not a chain is a graph of `let` bindings:
//!
//! ```
//! # use nnue::nnue;
//! nnue! {
//!     pub struct Evaluator = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >; // clipped ReLU everywhere, as in Stockfish's first networks
//!     pub struct Odd = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8; // four stacks of layers
//! }
//! ```
//!
//! # When something is wrong
//!
//! A wrong declaration is a compile error, which underlines the mistake and says what to write, and a wrong file is a `LoadError`, which says what the file is:
//!
//! ```text
//! error: accumulator width 1000 is not a multiple of 32
//!
//!        help: train with 992 or 1024, or pad the weights with neurons of zeros
//!        note: kernels read the accumulator in whole 64-byte blocks
//!  --> src/main.rs:2:43
//!   |
//! 2 |     pub struct Wrong = HalfKAv2_hm[..] -> 1000x2 -> 16 -> 1;
//!   |                                           ^^^^^^
//! architecture mismatch: file hash 0x7c547fa1, `Wider` expects 0x7c547ff1: declare the network as the file has it
//! ```
//!
//! # What is supported
//!
//! | | |
//! |---|---|
//! | inputs | `HalfKP`, `HalfKAv2`, `HalfKAv2_hm`, `Chess768` with any king buckets and attacks, threats, pawn pairs, [your own](https://github.com/nnue-rs/nnue/blob/main/docs/user-code.md); [numbers or planes of bits](https://github.com/nnue-rs/nnue/blob/main/docs/language.md#dense-inputs) through convolutions, pools, batch norms and layers of floats |
//! | games | chess and Chess960, on your board by two methods, `cozy-chess`, `shakmaty`, [in C](https://github.com/nnue-rs/nnue/blob/main/docs/c.md) or [in Python](https://github.com/nnue-rs/nnue/blob/main/docs/python.md); any other through `game::Inputs` |
//! | layers | 8-bit, 16-bit and `f32` weights; stacks chosen by piece count or your own rule; concatenation, slices, skips; [subnets](https://github.com/nnue-rs/nnue/blob/main/docs/language.md#subnets); clipped ReLU and its square, pairwise product, pools, hard swish, gated, your own |
//! | networks | Stockfish 12 to 18 and after (SFNNv1 to v16) in their container (raw and LEB128), files without a header as of [bullet](https://github.com/nnue-rs/nnue/blob/main/docs/bullet.md); read and written byte for byte |
//! | processors | SSE4.1 to AVX-512 VNNI, NEON to I8MM, WebAssembly, [any other](https://github.com/nnue-rs/nnue/blob/main/docs/platforms.md) in plain Rust; chosen at run time |
//!
//! # Batches, other backends, caches
//!
//! For tree searches and servers, [`nnue-backend`](https://github.com/nnue-rs/nnue/blob/main/docs/backends.md) evaluates in batches on all cores: values, draws, moves left, policies. A string picks the backend: your network, one of Leela Chess Zero, two networks compared as they run, a disk cache. The command has the same: `nnue analyze games.pgn --cache games.cache`, `nnue eval --backend ..`; [`nnue rescore`](https://github.com/nnue-rs/nnue/blob/main/docs/rescoring.md) scores training data.
//!
//! # Why believe the numbers
//!
//! Every operation and kernel is compared with plain scalar code on every level, every network with an interpreter that shares no code with them, and the numbers of released engines are reproduced to the last bit. `unsafe` is confined to intrinsics, their dispatch, aligned memory and calls from C; files, declarations and updates are fuzzed. [More](https://github.com/nnue-rs/nnue/blob/main/docs/testing.md).
//!
//! # Where to go on
//!
//! [All pages, a glossary, common questions](https://github.com/nnue-rs/nnue/blob/main/docs/README.md). [Switching an engine](https://github.com/nnue-rs/nnue/blob/main/docs/switching.md) goes from hand-written code to `nnue!`, step by step. The [guide](https://github.com/nnue-rs/nnue/blob/main/docs/guide.md) teaches the language by example, the [reference](https://github.com/nnue-rs/nnue/blob/main/docs/language.md) is its grammar, the [index of errors](https://github.com/nnue-rs/nnue/blob/main/docs/errors.md) has every message, the
//! [examples](https://github.com/nnue-rs/nnue/blob/main/examples) go from one line to a search, and the [architecture](https://github.com/nnue-rs/nnue/blob/main/docs/architecture.md) explains how it works inside. Networks come from [Stockfish](https://github.com/nnue-rs/nnue/blob/main/docs/files.md) (its command `export_net`; `nnue eval --net FILE` says which network a file holds, `nnue plot` [draws it](https://github.com/nnue-rs/nnue/blob/main/docs/pictures.md)), from the trainer [bullet](https://github.com/nnue-rs/nnue/blob/main/docs/bullet.md),
//! from graphs of [PyTorch and ONNX](https://github.com/nnue-rs/nnue/blob/main/docs/import.md), from float weights of [any trainer](https://github.com/nnue-rs/nnue/blob/main/docs/preparing.md) with scales [chosen on positions](https://github.com/nnue-rs/nnue/blob/main/docs/calibration.md), or from [`nnue train`](https://github.com/nnue-rs/nnue/blob/main/docs/training.md) and its [data](https://github.com/nnue-rs/nnue/blob/main/docs/training-data.md).
//!
//! Rust 1.89 or newer; without the feature `std`, `no_std` with `alloc`. MIT or Apache-2.0, at your choice, the commands too. `shakmaty` is GPL-3.0-or-later: a program built with that feature is as well.
#![cfg_attr(not(feature = "std"), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate self as nnue;

pub use nnue_macros::nnue;
pub use nnue_runtime::{
    AccumulatorStack, AccumulatorTable, Accumulators, Architecture, AvailableLevel, Batch, Change,
    Choice, Color, Embedded, Encoding, Evaluation, FeatureSet, Header, Heads, Level, LoadError,
    LoadErrorKind, Mismatch, Model, NamedOutputs, Network, NotFollowed, Output, Parameters, Piece,
    PieceKind, Placed, Policy, Position, RealEvaluation, Reason, Square, Standing, Trace,
    UnavailableLevel, UnknownLevel, View, Wdl, WriteError, activation, feature_sets::*, game,
    policy, rows, softmax, spec,
};

#[cfg(feature = "dense")]
pub use nnue_runtime::dense;
#[cfg(feature = "described")]
pub use nnue_runtime::dynamic;
#[cfg(feature = "subnets")]
pub use nnue_runtime::subnets;

#[cfg(feature = "cozy-chess")]
pub use nnue_runtime::board::cozy_chess;
#[cfg(feature = "shakmaty")]
pub use nnue_runtime::board::shakmaty;

pub mod prelude;
#[cfg(feature = "stockfish")]
pub mod stockfish;

/// The operations of the levels, for [activations](activation) that are kernels. Only the library makes tokens of a level, and only if
/// the processor has the level, so nothing here is unsafe to call.
pub mod simd {
    pub use nnue_runtime::simd::{FloatLanes, Simd, Vector};
}

/// An example of what the macro generates: the items of `pub struct Chain = < Chess768[..] -> 32x2 -> 8 -> 1 >;`. They exist in this
/// documentation only.
#[cfg(doc)]
pub mod example_generated {
    include!("../tests/golden/chain.rs");
}

/// The items that code generated by [`nnue!`] uses. The number is the patch version, so that a macro and a runtime of different
/// versions fail with one clear error.
#[doc(hidden)]
pub mod __private0 {
    pub use nnue_runtime::private::*;
}
