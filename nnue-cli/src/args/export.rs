//! The arguments of `nnue export`.

use clap::{Args, Subcommand};

use crate::declaration;

/// Print a declaration for another program
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
}

/// The `save_format` with which the trainer bullet writes exactly the declared file
///
/// Tensors are called l0w, l0b, l1w, .. as in the trainer's examples: give the trainer's own ids where they differ.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  nnue export bullet --declaration network.rs\n  nnue export bullet --declaration network.rs --factoriser l0f"
)]
pub(crate) struct ExportBulletArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument)]
    pub(crate) declaration: String,
    /// The id of a factoriser of 768 rows, to be added to the rows of every king bucket
    #[arg(long, value_name = "ID")]
    pub(crate) factoriser: Option<String>,
}

/// The descriptor as JSON: features, accumulator, layers, steps, stacks, and each tensor with its name, element type, shape, axes,
/// scale, order, offset and bytes
#[derive(Args, Debug)]
#[command(
    after_help = "Example: a tensor of a raw file in Python\n  nnue export json --declaration network.rs > network.json\n  t = json.load(open('network.json'))['tensors'][0]\n  w = numpy.fromfile('quantised.bin', t['element'], count=t['bytes']//2, offset=t['offset']).reshape(t['shape'])"
)]
pub(crate) struct ExportJsonArgs {
    /// The declaration: Rust source with `nnue! { .. }`, or the declaration alone, `-` for standard input; NAME chooses one of several
    #[arg(long, value_name = "FILE[:NAME]", allow_hyphen_values = true, value_parser = declaration::argument, conflicts_with = "arch")]
    pub(crate) declaration: Option<String>,
    /// One of the known declarations (see `nnue archs`)
    #[arg(long, value_name = "NAME")]
    pub(crate) arch: Option<String>,
}
