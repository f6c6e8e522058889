//! Arguments of `nnue train` and `nnue data` in a build without the feature `train`: anything, so that the command can say what is missing.

use std::ffi::OsString;

use clap::Args;

/// Train a network (needs a build with --features train)
#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    #[command(flatten)]
    any: AnyArgs,
}

/// Generate, convert, filter, shuffle, split and inspect training data (needs a build with --features train)
#[derive(Args, Debug)]
pub(crate) struct DataArgs {
    #[command(flatten)]
    any: AnyArgs,
}

/// Whatever is written after the command.
#[derive(Args, Debug)]
struct AnyArgs {
    /// The arguments of the command
    #[arg(
        value_name = "ARGUMENT",
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    _arguments: Vec<OsString>,
}
