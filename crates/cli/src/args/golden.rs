//! The arguments of `nnue golden`.

use std::path::PathBuf;

use clap::Args;

use crate::declaration;

/// Write golden values for a declaration
///
/// Prints what a network says about positions as clauses to paste into its declaration: every load of a file is then checked
/// with them. Nothing else tells a header-less file that is read the wrong way from one that is read right, so compare the values with
/// those of the engine first. Golden values that the declaration has already are not enforced here: a note says which of them differ.
#[derive(Args, Debug)]
#[command(after_help = GOLDEN_EXAMPLES)]
pub(crate) struct GoldenArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument)]
    pub(crate) declaration: String,
    /// The network file
    #[arg(long, value_name = "FILE")]
    pub(crate) net: PathBuf,
    /// A position; may be given several times; without any, six built-in ones
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// A file of positions, one FEN per line; whatever follows a tab is ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) fens: Option<PathBuf>,
    /// Rows of a policy whose logits are written too: `--rows 0,17,1879`
    #[arg(long, value_name = "ROWS", value_delimiter = ',')]
    pub(crate) rows: Vec<usize>,
}

const GOLDEN_EXAMPLES: &str = "\
Examples:
  nnue golden --declaration network.rs --net quantised.bin
  nnue golden --declaration src/eval.rs:Big --net big.bin --fen '4k3/8/8/8/8/8/8/3QK3 w - - 0 1'

The clauses stand in the braces of the declaration:
  pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 {
      format raw;
      golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = 35;
  };";
