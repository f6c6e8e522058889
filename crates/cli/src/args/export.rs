//! The arguments of `nnue export`.

#[cfg(feature = "graphs")]
use std::path::Path;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::suggested::{Suggested, architectures};
use super::{DeclarationArgs, NetArgs};
use crate::declaration;
#[cfg(feature = "graphs")]
use crate::error::Error;

/// Export a declaration or a network for another program
#[derive(Args, Debug)]
pub(crate) struct ExportArgs {
    #[command(subcommand)]
    pub(crate) to: ExportTo,
}

/// Which program.
#[derive(Debug, Subcommand)]
pub(crate) enum ExportTo {
    Bullet(ExportBulletArgs),
    Json(ExportJsonArgs),
    Onnx(ExportOnnxArgs),
}

/// Print the `save_format` of a declaration for the trainer bullet
///
/// With it bullet saves exactly the declared file. Tensors are named l0w, l0b, l1w, .. as in bullet's examples: if your trainer uses other ids,
/// replace them.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue export bullet --declaration network.rs\n  nnue export bullet --declaration network.rs --factoriser l0f"
)]
pub(crate) struct ExportBulletArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument)]
    pub(crate) declaration: String,
    /// The id of a factoriser of 768 rows, which is added to the rows of every king bucket
    #[arg(long, value_name = "ID")]
    pub(crate) factoriser: Option<String>,
}

/// Print the descriptor of a network as JSON
///
/// Features, accumulator, layers, steps, stacks, and the name, element type, shape, axes, scale, order, offset and size of each tensor.
#[derive(Args, Debug)]
#[command(
    after_help = "Example: a tensor of a raw file in Python\n  nnue export json --declaration network.rs > network.json\n  t = json.load(open('network.json'))['tensors'][0]\n  w = numpy.fromfile('quantised.bin', t['element'], count=t['bytes']//2, offset=t['offset']).reshape(t['shape'])"
)]
pub(crate) struct ExportJsonArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument, conflicts_with = "arch")]
    pub(crate) declaration: Option<String>,
    /// The architecture (see `nnue archs`)
    #[arg(long, value_name = "NAME", value_parser = Suggested(architectures), hide_possible_values = true)]
    pub(crate) arch: Option<String>,
}

/// Export a network as an ONNX model (opset 17)
///
/// The graph uses the same integer arithmetic as the network, so every ONNX runtime gives the same values; sums of float layers depend on the
/// runtime's order. Its inputs are the active rows of each position, as padded lists, and the number of pieces.
#[derive(Args, Debug)]
#[command(after_help = ONNX_EXAMPLES)]
pub(crate) struct ExportOnnxArgs {
    #[command(flatten)]
    pub(crate) net: NetArgs,
    #[command(flatten)]
    pub(crate) declared: DeclarationArgs,
    /// The file to write
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Write layers of 8-bit weights with QuantizeLinear and DequantizeLinear, which runtimes replace by products of bytes; the values stay the
    /// same
    #[arg(long)]
    pub(crate) qdq: bool,
    /// Compare the graph with the reference interpreter in the built-in positions; if they differ, nothing is written
    #[arg(long)]
    pub(crate) check: bool,
    /// Write a NumPy file to test a runtime with: the named inputs of the built-in positions, and their values as `expected`
    #[arg(long, value_name = "OUT.npz")]
    pub(crate) vectors: Option<PathBuf>,
}

#[cfg(feature = "graphs")]
impl ExportOnnxArgs {
    /// The file with the weights of a declared network.
    pub(crate) fn weights_of(&self, name: &str) -> Result<&Path, Error> {
        let missing = || {
            Error::Argument(format!(
                "no network for `{name}`: name the file with its weights"
            ))
        };
        self.net.net.as_deref().ok_or_else(missing)
    }
}

const ONNX_EXAMPLES: &str = "\
Examples:
  nnue export onnx --check -o default.onnx
  nnue export onnx --net nn-ad9b42354671.nnue -o network.onnx --vectors vectors.npz
  nnue export onnx --declaration network.rs --net quantised.bin --check -o network.onnx
  nnue export onnx --qdq --check -o default-qdq.onnx

In Python, with as many positions at a time as you like:
  session, arrays = onnxruntime.InferenceSession('network.onnx'), dict(numpy.load('vectors.npz'))
  expected = arrays.pop('expected')
  assert (session.run(None, arrays)[0] == expected).all()";
