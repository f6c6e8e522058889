//! The arguments of `nnue import`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nnue_tools::calibrate::Method;
use nnue_tools::search::Head;

/// Derive a declaration from another program's file
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) from: ImportFrom,
}

/// Which program.
#[derive(Debug, Subcommand)]
pub(crate) enum ImportFrom {
    #[command(name = "net", visible_alias = "bullet")]
    Net(ImportNetArgs),
    /// Derive a declaration from a PyTorch program (`model.pt2` of `torch.export`)
    ///
    /// Recognises the operations of the declaration language in the graph, and prints the declaration. The archive holds JSON and raw weights;
    /// nothing in it is executed. Pickles (`torch.save`, TorchScript) are refused.
    #[command(after_help = IMPORT_TORCH_EXAMPLES)]
    Torch(ImportGraphArgs),
    /// Derive a declaration from an ONNX model (`model.onnx`)
    ///
    /// Recognises the operations of the declaration language in the graph, and prints the declaration. Reads opsets 9 to 24. External weights must be
    /// in the folder of the model.
    #[command(after_help = IMPORT_ONNX_EXAMPLES)]
    Onnx(ImportGraphArgs),
}

/// Derive a declaration from a network file
///
/// Recognises the containers of Stockfish, and files with the structure of some engines. For another file without a header, as the trainer bullet
/// saves it, reads the trainer's `save_format`, alone or within its program, and searches widths and bucket counts that give the size of the file. If
/// several fit, the likeliest is printed as the declaration and the others are listed. The file may be compressed by gzip or zstd.
#[derive(Args, Debug)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportNetArgs {
    /// The file with the `save_format`, `-` for standard input; without it that of bullet's one-layer examples
    #[arg(long, value_name = "FILE")]
    pub(crate) save_format: Option<PathBuf>,
    /// The size of the network file in bytes
    #[arg(long, value_name = "BYTES", conflicts_with = "net")]
    pub(crate) size: Option<u64>,
    /// The network file, as with --net
    #[arg(value_name = "NET", conflicts_with_all = ["net", "size"])]
    pub(crate) file: Option<PathBuf>,
    /// The network file: its size and its padding are used
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<PathBuf>,
    /// Only accumulators of N neurons
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<u64>,
    /// Only N king buckets
    #[arg(long, value_name = "N")]
    pub(crate) king_buckets: Option<u64>,
    /// Only N output buckets
    #[arg(long, value_name = "N")]
    pub(crate) output_buckets: Option<u64>,
    /// Only these hidden layers
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) hidden: Vec<u64>,
    /// An additional output, computed by LAYER (`l2` for the tensors `l2w` and `l2b`): NUMBERS is the number of its values, `wdl` for loss, draw
    /// and win, or `rows:ROWS` for a policy. Policies read the accumulators, other outputs the last hidden layer; may be given several times
    #[arg(
        long = "head",
        value_name = "NAME=LAYER:NUMBERS",
        requires = "save_format"
    )]
    pub(crate) heads: Vec<Head>,
    /// The name of the declared type
    #[arg(long, value_name = "NAME", default_value = "Network")]
    pub(crate) name: String,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  nnue import net quantised.bin
  nnue import net nn-1c0000000000.nnue.zst
  nnue import net quantised.bin --save-format trainer/src/main.rs --name Mine
  nnue import net quantised.bin --save-format list.rs --head wdl=l3:wdl --head policy=p:rows:1880
  nnue export bullet --declaration network.rs | nnue import net --save-format - --size 1607744";

/// The model, and what to write.
#[derive(Args, Debug)]
pub(crate) struct ImportGraphArgs {
    /// The model
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// The name of the declared type
    #[arg(long, value_name = "NAME", default_value = "Network")]
    pub(crate) name: String,
    /// The feature set of the inputs, as in a declaration: `768`, `Chess768[buckets: [..], mirrored]`, `HalfKAv2_hm`. The graph becomes a network with
    /// an accumulator; without this option, a network over a dense input
    #[arg(long, value_name = "FEATURES")]
    pub(crate) features: Option<String>,
    /// Write the weights to this file: the network file of a dense network, or with --features safetensors for `nnue quantize`; without it nothing
    /// is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Compare the declaration with the graph: on the named inputs of a NumPy file (`numpy.savez`) and its array `expected`, if there is one; without
    /// a file on random inputs, or with --features in the built-in positions. Nothing is written if they differ by more than 1e-5 of the largest
    /// number, or if the kernels of a level differ from the reference interpreter
    #[arg(long, value_name = "FILE.npz", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = recorded)]
    pub(crate) check: Option<Recorded>,
    /// The output of the Python program in a position. The order of input rows that gives this output is searched for, and the weights are permuted to
    /// the order of --features; may be given several times
    #[arg(long, value_name = "FEN=NUMBER", requires = "features")]
    pub(crate) golden: Vec<String>,
    /// Write the quantised network to this file as well, as `nnue quantize --round nearest` does
    #[arg(long, value_name = "OUT")]
    pub(crate) quantize: Option<PathBuf>,
    /// With --quantize: positions for the comparison, one FEN per line; without it those of the built-in suite
    #[arg(long, value_name = "FILE", requires = "quantize")]
    pub(crate) positions: Option<PathBuf>,
    /// With --quantize: choose the scale of every activation, as --calibrate of `nnue quantize` does
    #[arg(long, value_name = "METHOD", value_parser = super::calibration_method, requires = "positions")]
    pub(crate) calibrate: Option<Method>,
    /// Import this output of a graph that has several, and what it depends on
    #[arg(long, value_name = "NAME")]
    pub(crate) graph_output: Option<String>,
    /// Ignore weights that no output depends on; without it they are an error, because part of the network may be missing
    #[arg(long)]
    pub(crate) leave_out_unread: bool,
    /// List the nodes of the graph and their operations in the declaration, as comments below it
    #[arg(long)]
    pub(crate) report: bool,
    /// Only print the graph
    #[arg(long, conflicts_with_all = ["output", "check", "report"])]
    pub(crate) print: bool,
}

/// The inputs of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// random numbers
    Random,
    /// a NumPy file
    File(PathBuf),
}

fn recorded(text: &str) -> Result<Recorded, String> {
    Ok(if text.is_empty() {
        Recorded::Random
    } else {
        Recorded::File(text.into())
    })
}

const IMPORT_TORCH_EXAMPLES: &str = "\
Examples:
  nnue import torch digits.pt2 --name Digits --check -o digits.bin > src/digits.rs
  nnue import torch digits.pt2 --check=digits.npz --report
  nnue import torch digits.pt2 --print
  nnue import torch chess.pt2 --features 768 --check -o chess.safetensors > chess.rs

In Python:
  batch = torch.export.Dim('batch', min=2, max=512)
  program = torch.export.export(model.eval(), (x,), dynamic_shapes={'x': {0: batch}})
  torch.export.save(program, 'digits.pt2')
  numpy.savez('digits.npz', x=x.numpy(), expected=model(x).detach().numpy())";

const IMPORT_ONNX_EXAMPLES: &str = "\
Examples:
  nnue import onnx digits.onnx --name Digits --check -o digits.bin > src/digits.rs
  nnue import onnx digits.onnx --check=digits.npz --report
  nnue import onnx digits.onnx --print
  nnue import onnx chess.onnx --features 'Chess768[mirrored]' --check -o chess.safetensors > chess.rs

In Python:
  torch.onnx.export(model.eval(), (x,), 'digits.onnx', dynamo=True)";
