//! **A compiler for chess networks.** [`nnue!`] turns the description of an NNUE (an efficiently updatable neural network, the evaluation of
//! today's chess engines) into its parameter types, its loader and one straight-line forward pass over SIMD kernels: exact to the last bit on
//! x86-64, aarch64 and WebAssembly, incremental, without `unsafe` in your crate. It does not train networks and it does not play chess.
//!
//! ```console
//! $ cargo run --release -p nnue-cli -- eval     # what the built-in network says about the start position
//! $ cargo test --workspace                      # all tests; nothing to download
//! ```
//!
//! # Your own network
//!
//! Beside a clone of this repository, `cargo new mine`, and in its `Cargo.toml`:
//!
//! ```toml
//! [dependencies]
//! nnue = { path = "../nnue", features = ["cozy-chess"] }    # with the adapter for the boards of cozy-chess
//! cozy-chess = { version = "0.3.4", features = ["std"] }
//! ```
//!
//! This is a complete program. It declares a network, opens a file with its weights (here the one that is built into the command `nnue`), and
//! evaluates two positions, the second one incrementally:
//!
//! ```
//! use cozy_chess::{Board, Move};
//! use nnue::cozy_chess::change_of;
//! use nnue::{AccumulatorStack, Network, nnue};
//!
//! nnue! {
//!     /// 768 features, 96 neurons for each side, 8 PSQT outputs, 8 output buckets chosen by the number of pieces.
//!     pub struct Mine = Chess768[..] -> 96x2, psqt 8 -> 1x8;
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     # #[cfg(any())]
//!     let network = Network::<Mine>::open("../nnue/nnue-cli/nets/default.nnue")?;
//!     # let network = Network::<Mine>::open("nnue-cli/nets/default.nnue")?;
//!     let mut stack = AccumulatorStack::new();
//!
//!     let mut board: Board = "4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1".parse()?;
//!     println!("before: {}", network.evaluate(&board, &mut stack).value);
//!     # assert_eq!(network.evaluate(&board, &mut stack).value, -675);
//!
//!     let capture: Move = "c3d5".parse()?;
//!     stack.push(change_of(&board, capture)); // remembered; nothing is computed until an evaluation needs it
//!     board.play(capture);
//!     println!("after:  {}", network.evaluate(&board, &mut stack).value);
//!     # assert_eq!(network.evaluate(&board, &mut stack).value, -312);
//!     Ok(())
//! }
//! ```
//!
//! ```text
//! before: -675
//! after:  -312
//! ```
//!
//! Values are in the network's unit (here centipawns), from the side to move's point of view: at first White is behind, then Black. Other
//! networks are written the same way, with the arrows of engines' README files:
//!
//! ```
//! # use nnue::nnue;
//! nnue! {
//!     /// Clipped ReLU everywhere, as in Stockfish's first networks.
//!     pub struct Evaluator = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >;
//!
//!     /// Pairwise products, and four stacks of layers with sizes that nobody has published.
//!     pub struct Odd = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;
//! }
//! ```
//!
//! A network that is not a chain is a graph of `let` bindings: so [`stockfish`] declares SFNNv4 to SFNNv16, each in a few lines, the later ones with
//! [attacks between pieces](https://github.com/nnue-rs/nnue/blob/main/docs/threats.md) as features. The whole language, clause by
//! clause: [docs/language.md](https://github.com/nnue-rs/nnue/blob/main/docs/language.md).
//!
//! # When something is wrong
//!
//! A wrong width, count or name is an error at the place where it stands, with what to write instead:
//!
//! ```text
//! error: accumulator width 1000 is not a multiple of 32
//!
//!        help: the nearest supported widths are 992 and 1024
//!        note: kernels read the accumulator in whole 64-byte blocks
//!  --> src/main.rs:2:43
//!   |
//! 2 |     pub struct Wrong = HalfKAv2_hm[..] -> 1000x2 -> 16 -> 1;
//!   |                                           ^^^^^^
//! ```
//!
//! A wrong file is a [`LoadError`] that says what the file is, as far as it can be told:
//!
//! ```text
//! architecture mismatch: file hash 0x7c547fa1, `Wider` expects 0x7c547ff1: the file has accumulator 64 (declared 96); declare the network as the file has it
//! ```
//!
//! # What the macro writes
//!
//! A marker type, a parameter type with one array per tensor, a constant descriptor, and a function `forward` that calls kernels with literal sizes: no
//! loops, no `unsafe`. `cargo run -p nnue-cli -- expand FILE` prints it, [`example_generated`] shows one in the documentation, and
//! [examples/without_macro.rs](https://github.com/nnue-rs/nnue/blob/main/examples/without_macro.rs) is the same by hand.
//!
//! * [`Network`] loads, evaluates and writes. Threads share one.
//! * [`AccumulatorStack`] follows a search: [`push`](AccumulatorStack::push) remembers what a move changes, [`pop`](AccumulatorStack::pop) forgets it.
//! * Your own board implements [`Position`] with two methods and fills in a [`Change`] for each move; boards of `cozy-chess` and `shakmaty` need only the
//!   feature of that name.
//! * The instruction [`Level`] is chosen when a network is loaded: a binary built for baseline x86-64 uses AVX-512 where it finds it. `NNUE_LEVEL=avx2` in
//!   the environment names another one, for comparisons and reports.
//! * When weights are loaded, each layer takes the fastest dot product that is exact for them; [`Network::bounds`] proves what else can overflow.
//!
//! Inside: [docs/architecture.md](https://github.com/nnue-rs/nnue/blob/main/docs/architecture.md). The
//! [examples](https://github.com/nnue-rs/nnue/blob/main/examples) go step by step from one line to a search; each says what it prints.
//!
//! # What is supported, and what shows it
//!
//! | | | shown by |
//! |---|---|---|
//! | feature sets | `HalfKP`, `HalfKAv2`, `HalfKAv2_hm`, `Chess768`, and `Chess768` with king buckets of one's own, mirrored, rotated or neither, kings merged or not; beside one of them up to three of `FullThreats` (five variants), `Threats` with pairs of one's own, `PawnPairs` | [tests/behaviour](https://github.com/nnue-rs/nnue/blob/main/tests/behaviour): reference interpreter, incremental equals refreshed |
//! | other games | feature sets, boards and changes of one's own (trait [`game::Inputs`]): lazy stack, refresh cache, files, proofs as for chess | [tests/own](https://github.com/nnue-rs/nnue/blob/main/tests/own): ataxx and shogi, the same checks |
//! | accumulators | one or two perspectives, weights shared or separate, any multiple of 32 up to 8192 neurons, any scale, PSQT outputs; fed by i16 rows of pieces and i8 rows of pairs | the same |
//! | activations | clipped ReLU, squared clipped ReLU (as Stockfish shifts it, and the whole square of `screlu`), pairwise product; functions and kernels of one's own ([`activation`]) | the same, and [the kernels' tests](https://github.com/nnue-rs/nnue/blob/main/nnue-runtime/src/kernel) |
//! | layers | dense, of 8-bit weights; an output of 16-bit weights straight behind the accumulator; stacks chosen by piece count, material, a table, a formula or a function of one's own; concatenation, slices, neurons added to the output | the same |
//! | networks of Stockfish | SFNNv1 to SFNNv16 (Stockfish 12 to 18 and after) and the small ones | [tests/conformance](https://github.com/nnue-rs/nnue/blob/main/tests/conformance): 325 positions, 30 games, extreme weights, every intermediate value; published files of v5, v9 and small |
//! | networks of the trainer bullet | eight published ones, with integer and float heads, in the shapes of its examples `simple` and `progression/1` to `4`; its example `ataxx` with random weights | [tests/behaviour](https://github.com/nnue-rs/nnue/blob/main/tests/behaviour): every line of the engines' own values; [examples/09_bullet.rs](https://github.com/nnue-rs/nnue/blob/main/examples/09_bullet.rs) |
//! | files | Stockfish's container, raw and LEB128; files without a header (`format raw`), their layout declared; all read and written byte for byte | [nnue-format/tests](https://github.com/nnue-rs/nnue/blob/main/nnue-format/tests), [fuzz](https://github.com/nnue-rs/nnue/blob/main/fuzz) |
//! | boards | your own, `cozy-chess`, `shakmaty`; Chess960 | [nnue-runtime/src/board](https://github.com/nnue-rs/nnue/blob/main/nnue-runtime/src/board) |
//!
//! | level | needs | tested |
//! |---|---|---|
//! | `scalar` | nothing | natively, as the best level of an emulated processor, in node, on an emulated s390x (big-endian) |
//! | `sse41` | SSSE3, SSE4.1 (2008) | natively, and as the best level of emulated Penryn and Nehalem |
//! | `avx2` | AVX2, FMA, BMI (2013) | natively, and as the best level of an emulated Haswell |
//! | `avxvnni` | AVX-VNNI (2021) | natively |
//! | `avx512` | AVX-512 F, CD, BW, VL, DQ (2017) | natively |
//! | `avx512vnni` | the same and VNNI (2019) | natively |
//! | `neon` | aarch64 | as the best level of an emulated Cortex-A53 |
//! | `neondotprod` | dot products (2017) | as the best level of an emulated Neoverse N1 |
//! | `neoni8mm` | I8MM (2019) | emulated |
//! | `simd128` | WebAssembly compiled with `simd128` | in node |
//!
//! [docs/platforms.md](https://github.com/nnue-rs/nnue/blob/main/docs/platforms.md) has more about processors: how to build (it does not matter), programs without
//! a standard library, and a [page](https://github.com/nnue-rs/nnue/blob/main/examples/web) with a board that evaluates while pieces are moved.
//! "Natively" is on the machine of [CI](https://github.com/nnue-rs/nnue/blob/main/.ci/run), whose processor has all six of x86-64; no level of another
//! architecture has been measured on a processor of its own.
//!
//! # How fast
//!
//! One evaluation, in nanoseconds, of the networks of Stockfish 15.1 (`nn-ad9b42354671.nnue`) and 17 (`nn-1c0000000000.nnue`), and of a synthetic one with
//! the architecture of August 2026. AMD EPYC (Zen 5), one pinned core of an idle virtual machine, rustc 1.95, baseline x86-64 binary, medians, 2026-11-21:
//!
//! | | SFNNv5, AVX-512 VNNI | AVX2 | SFNNv9, AVX-512 VNNI | AVX2 | SFNNv16, AVX-512 VNNI | AVX2 |
//! |---|---|---|---|---|---|---|
//! | after a move that is not the king's | 209 | 266 | 728 | 890 | 859 | 1083 |
//! | along whole games | 308 | 375 | 1177 | 1399 | 1018 | 1247 |
//! | at each leaf of a two-ply tree | 201 | 258 | 612 | 708 | 776 | 960 |
//! | from scratch | 1250 | 1604 | 4961 | 6307 | 3940 | 5742 |
//! | the layers alone | 77 | 124 | 214 | 294 | 139 | 198 |
//! | *for scale: a plain loop that only adds and subtracts the same rows* | *118* | *135* | *534* | *621* | *739* | *867* |
//!
//! Times move with the machine; ratios to the last line do less. `cargo run --release -p nnue-cli -- bench --net FILE --arch sfnnv5` measures them again,
//! and `taskset -c 1 cargo bench --bench compare` sets published crates beside them: in the same hour `nnue-rs` 0.4.2 took 1168 and 2458 ns after a
//! move, 4.7 and 3.4 times as long, 3008 ns with SFNNv10 (3.7 times), and `noru` 2.2.1 on a `(768 -> 256)x2 -> 32 -> 1` 4.8 times. How far these numbers
//! can be trusted and which aims they miss is said in
//! [benches/README.md](https://github.com/nnue-rs/nnue/blob/main/benches/README.md).
//!
//! # Why believe the numbers
//!
//! * `Scalar` is the specification of every SIMD operation; each other level is compared with it, operation by operation and kernel by kernel.
//! * A plain interpreter that shares no code with the kernels judges networks of every clause of the language, with random weights, on every level.
//! * What released engines say about positions and games is in the repository, and must come out to the last bit.
//! * `unsafe` is confined to the modules of `nnue-runtime` that hold intrinsics, their dispatch and aligned memory; the expansion has none.
//! * Files are cut at every byte and their headers flipped; declarations, files and update sequences are fuzzed under a sanitizer.
//! * The machine code is looked at: `cargo xtask asm-check` finds a kernel that lost its shape.
//!
//! More in [docs/testing.md](https://github.com/nnue-rs/nnue/blob/main/docs/testing.md).
//!
//! # Real networks
//!
//! A released Stockfish carries its network and writes it into a file (16.1 and later carry a big and a small one, and write both):
//!
//! ```console
//! $ echo "export_net" | stockfish
//! $ cargo run --release -p nnue-cli -- eval --net nn-ad9b42354671.nnue
//! ```
//!
//! The command recognises the generation from the file; in a program it is `Network::<nnue::stockfish::Sfnnv5>::open(path)`. Networks of the Stockfish
//! project are published under CC0; other engines have terms of their own.
//!
//! A network of the trainer bullet has no header. The command starts its declaration, shows what it says, and writes values that every load is checked
//! with; the declaration then goes into `nnue!`. [docs/bullet.md](https://github.com/nnue-rs/nnue/blob/main/docs/bullet.md) takes five minutes:
//!
//! ```console
//! $ nnue import bullet --net quantised.bin > network.rs
//! $ nnue eval --declaration network.rs --net quantised.bin
//! $ nnue golden --declaration network.rs --net quantised.bin
//! ```
//!
//! Two more commands write networks ([docs/preparing.md](https://github.com/nnue-rs/nnue/blob/main/docs/preparing.md)): `nnue quantize` makes the declared file of a
//! trainer's floats, `nnue optimize` brings the neurons of a network into an order in which the first layer has less to do, and changes no evaluation.
//!
//! # Versions and licence
//!
//! Rust 1.89 or newer. The feature `std` is on by default: files, and detection of the processor's level; without it the crate needs `alloc` and nothing else
//! ([examples/bare_metal](https://github.com/nnue-rs/nnue/blob/main/examples/bare_metal)). `cozy-chess` and `shakmaty` add their adapters. MIT or Apache-2.0, at your choice. `shakmaty`
//! is GPL-3.0-or-later: a program built with that feature is too, and so are the binaries of the command `nnue`.
#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate self as nnue;

pub use nnue_macros::nnue;
pub use nnue_runtime::{
    AccumulatorStack, Accumulators, Architecture, AvailableLevel, Change, Chess768, Choice, Color, Embedded, Encoding,
    Evaluation, FeatureSet, HalfKaV2, HalfKaV2Hm, HalfKp, Header, Level, LoadError, LoadErrorKind, Mismatch, Model,
    Network, Output, Parameters, Piece, PieceKind, Placed, Position, Reason, Square, Trace, UnavailableLevel,
    UnknownLevel, View, Wdl, WriteError, activation, bounds, game, spec,
};

#[cfg(feature = "cozy-chess")]
pub use nnue_runtime::board::cozy_chess;
#[cfg(feature = "shakmaty")]
pub use nnue_runtime::board::shakmaty;

pub mod stockfish;

/// The operations of the levels, for [activations](activation) that are kernels. A token of a level is made by the library alone, where
/// the processor has the level, so that nothing here is unsafe to call.
pub mod simd {
    pub use nnue_runtime::simd::{FloatLanes, Simd, Vector};
}

/// What the macro writes, to be browsed: the items of
/// `pub struct Chain = < Chess768[..] -> 32x2 -> 8 -> 1 >;`. They exist in this documentation only.
#[cfg(doc)]
pub mod example_generated {
    include!("../tests/golden/chain.rs");
}

/// What the code that [`nnue!`] generates uses. The number is the patch version, so that a macro and a runtime that do
/// not belong together fail with one clear line.
#[doc(hidden)]
pub mod __private0 {
    pub use nnue_runtime::private::*;
}
