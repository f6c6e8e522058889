//! The procedural macro `nnue!`. Its implementation is the crate `nnue-codegen`.
#![forbid(unsafe_code)]

use nnue_codegen::Features;
use proc_macro::TokenStream;

/// Declares networks, and generates their types, their loader and their inference code.
///
/// The [guide](https://github.com/nnue-rs/nnue/blob/main/docs/guide.md) teaches the language by example, the
/// [reference](https://github.com/nnue-rs/nnue/blob/main/docs/language.md) is its grammar, and the
/// [index of errors](https://github.com/nnue-rs/nnue/blob/main/docs/errors.md) has every message.
///
/// # Two forms
///
/// A **chain** lists the inputs, the accumulator and the layers up to the output. A clipped ReLU follows every layer
/// but the last, unless another activation is written. The angle brackets around the chain are optional.
///
/// ```text
/// nnue! {
///     /// Documentation is copied to the generated type.
///     pub struct Evaluator = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >;
///
///     pub struct Odd = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;
///
///     pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 {
///         format raw { padding: bullet }
///         golden "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1" = 35;
///     };
/// }
/// ```
///
/// A **graph** is a list of clauses, for networks that are not a chain. A chain is shorthand for a graph.
///
/// ```text
/// nnue! {
///     pub struct Sfnnv5 {
///         acc = accumulate(HalfKAv2_hm[22528], 1024) x 2, psqt 8;
///         let x = pairwise(acc);
///         stacks 8 by (piece_count - 1) / 4 {
///             let h1 = affine(x, 16);
///             let a1 = concat(sqr_crelu(h1[..15]), crelu(h1[..15]));
///             let h2 = affine(a1, 32);
///             output affine(crelu(h2), 1) + h1[15] * 9600 / 8128;
///         }
///         value (psqt + positional) / 16;
///         format stockfish { version: 0x7AF32F20, encoding: raw }
///     }
/// }
/// ```
///
/// # Inputs
///
/// | written | meaning |
/// |---|---|
/// | `HalfKP`, `HalfKAv2`, `HalfKAv2_hm`, `Chess768` (or `768`) | sets of pieces |
/// | `[..]`, `[22528]`, `as i16` | as many inputs as the set has; that count asserted; the type of the weights |
/// | `Chess768[buckets: [0 x 32], mirrored]`, `768hm`, `Chess704[..]` | king buckets; `Chess768[mirrored]`; both kings in one plane. `rotated` turns Black's view |
/// | `HalfKAv2_hm + FullThreats[59808] + PawnPairs` | sets of pairs beside a set of pieces |
/// | `Threats[..](P: NR, N: PNBRQ, pushes)` | threats with chosen pairs |
/// | `self::Ataxx147[147, active 49]` | a user-defined set, for any game |
///
/// # Accumulator
///
/// | written | meaning |
/// |---|---|
/// | `1024`, `1024x2`, `(F -> 1024)x2` | neurons per perspective; two perspectives, the side to move first |
/// | `@ 255` | scale: the integer for 1.0 (127 by default) |
/// | `crelu`, `sqr_crelu`, `screlu`, `pairwise`, `>> 9` | the activation, and the shift of its product |
/// | `psqt 8` | PSQT outputs, one for each stack |
/// | `white_first`, `separate` | White's perspective first; separate weights for each perspective |
/// | `nonzero 5%` | expected share of nonzero activations, for the choice of kernels |
///
/// # Layers
///
/// | written | meaning |
/// |---|---|
/// | `16`, `16: i8 @ 64` | outputs; the type of the weights (`i8`, `i16`, `f32`) and their scale |
/// | `crelu`, `sqr_crelu`, `>> 6` | the activation and its shift |
/// | `avg_halves`, `max_neighbours`, `pairwise`, .. | pools: one value of two |
/// | `screlu`, `hard_swish`, `gated`, `relu`, `sigmoid`, ..; `sums 16` | for float layers: activations, and the number of partial sums |
/// | `self::f max 100` | a user-defined activation and its maximum |
/// | `(16 -> 32 -> 1)x8`, `1x8` | copies of all layers, called stacks |
/// | `by (piece_count - 1) / 4`, `by material_count`, `by [0 x 12, 1 x 21]`, `by self::f` | which stack a position uses: a formula, a table or a function |
///
/// # Clauses
///
/// All clauses of a graph, in any order. After a chain, those from `value` on may follow in braces.
///
/// | clause | meaning |
/// |---|---|
/// | `inputs = F[..] as i16;` | names the feature sets |
/// | `acc = accumulate(inputs, 1024 @ 255) x 2, psqt 8;` | the accumulator |
/// | `let x = ..;` | names a value: `crelu(acc)`, `affine(x, 16: i8 @ 64)`, `concat(a, b)`, `h[..15]`, `h[15]` |
/// | `stacks 8 by .. { .. }` | layers with several copies; each position uses one |
/// | `output affine(x, 1) + h[15] * 9600 / 8128;` | the positional part of the value; `(..) as i64 * 9600 / 16384` multiplies in 64 bits |
/// | `value (psqt + positional) / 16;` | the value; also `positional / 16`, `psqt / 16 + positional / 16`, `output * 400`, `sigmoid(output) * 1000`, `wdl * 1000` |
/// | `floats fused;`, `floats separate;` | whether float products are rounded before they are added |
/// | `format stockfish { version: 0x7AF32F20, features: 0x7F234CB8, encoding: leb128 }` | Stockfish's container; `encoding` is `raw`, `leb128`, `leb128_joint_psqt` or `leb128_joint` |
/// | `format raw { skip: 64, padding: zeros, perspectives: interleaved, .. }` | a file without a header |
/// | `format raw { order: [ft_bias, ft_weight, ..], fc0_weight: [input][stack], fc0_bias: i32 }` | the order, axes and types of its tensors |
/// | `golden "FEN" = 35;` | a position and its value, checked whenever a file is loaded; for a user-defined set `golden self::position = 35;` |
/// | `weights "nets/x.nnue";` | a file that is checked at compile time and embedded |
///
/// `#[nnue(crate = path)]` on a declaration names the crate `nnue`, if it was renamed or is re-exported. `#[cfg(..)]`
/// applies to all generated items. Other attributes are copied to the generated type.
///
/// # What is generated
///
/// For `pub struct Name`, with its visibility:
///
/// | item | meaning |
/// |---|---|
/// | `Name` | a marker type that implements `nnue::Architecture`; `Name::SPEC` describes the network |
/// | `NameParams` | the weights, one array per tensor |
/// | `NameNetwork` | an alias of `nnue::Network<Name>` |
/// | `NameAccumulator` | the accumulator of one perspective |
///
/// The expansion contains no `unsafe`. `nnue expand` prints it.
///
/// # Errors
///
/// Mistakes in a declaration are compile errors that underline the wrong token and suggest a fix.
#[proc_macro]
pub fn nnue(input: TokenStream) -> TokenStream {
    nnue_codegen::expand_for(input.into(), FEATURES).into()
}

const FEATURES: Features = Features {
    dense: cfg!(feature = "dense"),
    golden: cfg!(feature = "golden"),
    subnets: cfg!(feature = "subnets"),
};
