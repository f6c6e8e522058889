//! The arguments of `nnue golden`.

use std::path::PathBuf;

use clap::Args;

use crate::declaration;

/// Write golden values for a declaration
///
/// Prints values of a network as `golden` clauses for its declaration. Every time a file is loaded, the values are checked. Only golden values
/// detect a header-less file that is read the wrong way, so first compare them with values of your engine. If the declaration already has golden
/// values that differ, a note lists them.
#[derive(Args, Debug)]
#[command(after_help = GOLDEN_EXAMPLES)]
pub(crate) struct GoldenArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument)]
    pub(crate) declaration: String,
    /// The network file
    #[arg(long, value_name = "FILE")]
    pub(crate) net: PathBuf,
    /// A position; may be given several times; without it six built-in ones
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Vec<String>,
    /// A file of positions, one FEN per line; text after a tab is ignored
    #[arg(long, value_name = "FILE")]
    pub(crate) fens: Option<PathBuf>,
    /// Rows of a policy whose logits become golden values, such as `--rows 0,17,1879`
    #[arg(long, value_name = "ROWS", value_delimiter = ',')]
    pub(crate) rows: Vec<usize>,
}

const GOLDEN_EXAMPLES: &str = "\
Examples:
  nnue golden --declaration network.rs --net quantised.bin
  nnue golden --declaration src/eval.rs:Big --net big.bin --fen '4k3/8/8/8/8/8/8/3QK3 w - - 0 1'

The clauses belong into the braces of the declaration:
  pub struct Simple = (768 -> 128)x2 @ 255 screlu -> 1: i16 @ 64 {
      format raw;
      golden \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\" = 35;
  };";
