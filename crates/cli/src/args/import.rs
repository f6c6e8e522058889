//! The arguments of `nnue import`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use nnue_tools::calibrate::Method;

use super::Head;

/// Start a declaration from another program's file
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    pub(crate) from: ImportFrom,
}

/// Which program.
#[derive(Debug, Subcommand)]
pub(crate) enum ImportFrom {
    Bullet(ImportBulletArgs),
    /// A declaration for a program of `torch.export` (`model.pt2`)
    ///
    /// Finds the operations of the language in the graph, and prints the declaration. The archive holds JSON and raw weights: nothing in it is run, and
    /// pickles (`torch.save`, TorchScript) are refused.
    #[command(after_help = IMPORT_TORCH_EXAMPLES)]
    Torch(ImportGraphArgs),
    /// A declaration for a model of ONNX (`model.onnx`)
    ///
    /// Finds the operations of the language in the graph, and prints the declaration. Opsets 9 to 24 are read; weights beside the model are read from its
    /// own folder only.
    #[command(after_help = IMPORT_ONNX_EXAMPLES)]
    Onnx(ImportGraphArgs),
}

/// A declaration for what the trainer bullet saved
///
/// Takes the trainer's `save_format`, pasted alone or with the program around it, and the size of the file, and finds the widths and
/// numbers of buckets with which the tensors have that size. Where several fit, the likeliest is declared and the others are listed.
#[derive(Args, Debug)]
#[command(after_help = IMPORT_EXAMPLES)]
pub(crate) struct ImportBulletArgs {
    /// The list, `-` for standard input; without it, that of the trainer's examples with one layer
    #[arg(long, value_name = "FILE")]
    pub(crate) save_format: Option<PathBuf>,
    /// The size of the file in bytes
    #[arg(long, value_name = "BYTES", conflicts_with = "net")]
    pub(crate) size: Option<u64>,
    /// The file itself, whose padding is looked at as well
    #[arg(long, value_name = "FILE")]
    pub(crate) net: Option<PathBuf>,
    /// Only accumulators of so many neurons
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<u64>,
    /// Only so many king buckets
    #[arg(long, value_name = "N")]
    pub(crate) king_buckets: Option<u64>,
    /// Only so many output buckets
    #[arg(long, value_name = "N")]
    pub(crate) output_buckets: Option<u64>,
    /// Only these hidden layers
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) hidden: Vec<u64>,
    /// An output beside the value, whose layer is LAYER (`l2` of the tensors `l2w` and `l2b`): so many NUMBERS, `wdl` for loss, draw and win, or
    /// `rows:ROWS` for a policy. May be given several times. Rows read the accumulators, other outputs what the last layer of the value reads
    #[arg(
        long = "head",
        value_name = "NAME=LAYER:NUMBERS",
        requires = "save_format"
    )]
    pub(crate) heads: Vec<Head>,
    /// What the declared type is called
    #[arg(long, value_name = "NAME", default_value = "Network")]
    pub(crate) name: String,
}

const IMPORT_EXAMPLES: &str = "\
Examples:
  nnue import bullet --net quantised.bin
  nnue import bullet --save-format trainer/src/main.rs --net quantised.bin --name Mine
  nnue import bullet --save-format list.rs --net quantised.bin --head wdl=l3:wdl --head policy=p:rows:1880
  nnue export bullet --declaration network.rs | nnue import bullet --save-format - --size 1607744";

/// From which file, and what is written.
#[derive(Args, Debug)]
pub(crate) struct ImportGraphArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// What the declared type is called
    #[arg(long, value_name = "NAME", default_value = "Network")]
    pub(crate) name: String,
    /// The set of features whose rows the graph reads, as in a declaration: `768`, `Chess768[buckets: [..], mirrored]`, `HalfKAv2_hm`. A graph does not
    /// say what its inputs mean; with this it becomes a network with an accumulator, without it one over a dense input
    #[arg(long, value_name = "FEATURES")]
    pub(crate) features: Option<String>,
    /// Write the weights to this file: those of a dense network as its file, those of one with --features as safetensors for `nnue quantize`; without
    /// it nothing is written
    #[arg(long, short, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Compare the declaration with the graph: on the inputs in a file of numpy (`numpy.savez`), by their names, and with the outputs in its array
    /// `expected`, if it is there; or on random inputs, with --features in the built-in positions. Where they differ by more than 1e-5 of the largest number, nothing is written. Nor where the kernels of a level differ from the reference interpreter
    #[arg(long, value_name = "FILE.npz", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = recorded)]
    pub(crate) check: Option<Recorded>,
    /// A value of the graph's output that the program in Python gave in a position: the order of rows with which the graph gives it is searched for, and the
    /// weights are put into that of --features; may be given several times
    #[arg(long, value_name = "FEN=NUMBER", requires = "features")]
    pub(crate) golden: Vec<String>,
    /// Make the network's file as well, as `nnue quantize --round nearest` does
    #[arg(long, value_name = "OUT", requires = "features")]
    pub(crate) quantize: Option<PathBuf>,
    /// With --quantize: positions to compare values in, one FEN per line; without it those of the built-in suite
    #[arg(long, value_name = "FILE", requires = "quantize")]
    pub(crate) positions: Option<PathBuf>,
    /// With --quantize: choose the scale of every activation, as the option of `nnue quantize` does
    #[arg(long, value_name = "METHOD", value_parser = super::calibration_method, requires = "positions")]
    pub(crate) calibrate: Option<Method>,
    /// Leave out weights that nothing reads that leads to an output; without it they are an error, as the graph may be only a part of the network
    #[arg(long)]
    pub(crate) leave_out_unread: bool,
    /// List the nodes of the graph and what each became, as comments below the declaration
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the graph as it was read, and do nothing else
    #[arg(long, conflicts_with_all = ["output", "check", "report"])]
    pub(crate) print: bool,
}

/// What a declaration is compared on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// numbers that were drawn
    Random,
    /// arrays of numpy
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
