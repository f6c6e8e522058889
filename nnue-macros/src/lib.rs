//! The procedural macro `nnue!`. Everything that it does is in the crate `nnue-codegen`.
#![forbid(unsafe_code)]

use proc_macro::TokenStream;

/// Declares networks: their types, their loader and their inference code follow from the declaration.
///
/// # Two forms
///
/// A **chain** is what engine authors write in comments. `[..]` means as many inputs as the feature set has, `x2` two
/// perspectives; angle brackets may be left out. Without annotations every layer but the last is followed by a clipped ReLU.
///
/// ```text
/// nnue! {
///     /// Documentation passes through to the generated type.
///     pub struct Evaluator = < HalfKAv2_hm[..] -> 1024x2 -> 16 -> 32 -> 1 >;
///
///     pub struct Odd = HalfKAv2_hm[..] -> 384x2 pairwise -> (24 -> 40 -> 1)x4 by (piece_count - 1) / 8;
/// }
/// ```
///
/// A **graph** is for networks that are not a chain. A chain is exactly the graph that it abbreviates.
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
/// # Words
///
/// | word | meaning |
/// |---|---|
/// | `HalfKP`, `HalfKAv2`, `HalfKAv2_hm`, `Chess768` (or `768`) | feature sets; `[22528]` asserts the number of inputs |
/// | `1024x2`, `(F -> 1024)x2` | accumulators of 1024 values for the side to move and the other side |
/// | `@ 255` | behind a width: what 1.0 is (accumulators: 127, layers: 64 by default) |
/// | `: i8` | behind a width: the type of the weights |
/// | `crelu`, `sqr_crelu`, `pairwise`, `>> 9` | activations, and the shift behind their product |
/// | `, psqt 8` | PSQT outputs of the accumulator |
/// | `(..)x8 by (piece_count - 1) / 4`, `stacks 8 by .. { .. }` | layer stacks and what chooses one |
/// | `inputs = F[..] as i16;` | names the feature set |
/// | `affine(x, 16)`, `concat(a, b)`, `h[..15]`, `h[15]` | operations of the graph form |
/// | `output a + h[15] * 9600 / 8128`, `(..) as i64 * 9600 / 16384` | the positional output |
/// | `value (psqt + positional) / 16` | how the value follows from both parts |
/// | `format stockfish { version: .., encoding: raw }` | the file; `encoding` is `raw` or `leb128` |
/// | `weights "nets/x.nnue"` | a file that is checked while compiling, and embedded |
///
/// Behind a chain, the clauses `value`, `format` and `weights` stand in braces: `= .. -> 1 { weights "x.nnue"; };`.
/// The normative grammar is `docs/language.md` in the repository.
///
/// # What is generated
///
/// For `pub struct Name`: the marker type `Name`, which implements `nnue::Architecture`; `NameParams`, its weights; the
/// aliases `NameNetwork` (`nnue::Network<Name>`) and `NameAccumulator`. `Name::SPEC` describes the network. There is no
/// `unsafe` in the expansion; `nnue expand` shows it.
///
/// `#[nnue(crate = path)]` on a declaration says where the crate `nnue` is, if it was renamed or is re-exported.
///
/// # Errors
///
/// Errors of a declaration are compile errors that underline the wrong token and say what to write.
#[proc_macro]
pub fn nnue(input: TokenStream) -> TokenStream {
    nnue_codegen::expand(input.into()).into()
}
