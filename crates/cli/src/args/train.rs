//! Arguments of `nnue train` and `nnue data`: those of the crate `nnue-train`, or any where this program is built without it.

#[cfg(feature = "train")]
pub(crate) use nnue_train::command::{DataArgs, TrainArgs};

#[cfg(not(feature = "train"))]
pub(crate) use self::unread::{DataArgs, TrainArgs};

#[cfg(not(feature = "train"))]
mod unread {
    use std::ffi::OsString;

    use clap::Args;

    /// Train a network as a file says (needs a build with --features train)
    #[derive(Args, Debug)]
    pub(crate) struct TrainArgs {
        #[command(flatten)]
        any: AnyArgs,
    }

    /// Make, convert, filter, shuffle, split, count and show training data (needs a build with --features train)
    #[derive(Args, Debug)]
    pub(crate) struct DataArgs {
        #[command(flatten)]
        any: AnyArgs,
    }

    /// Whatever is written after the command.
    #[derive(Args, Debug)]
    struct AnyArgs {
        /// Arguments of the command
        #[arg(
            value_name = "ARGUMENT",
            trailing_var_arg = true,
            allow_hyphen_values = true
        )]
        _arguments: Vec<OsString>,
    }
}
