//! The command `nnue-train`: `nnue train` and `nnue data` under the names of the first versions.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::{data, generate, train};
use crate::args::train::{DataArgs, GenerateArgs, TrainArgs};
use crate::shell::{self, CompletionsArgs, ManArgs};
use crate::system;

/// Prepare training data and train networks: the old name of `nnue train` and `nnue data`.
///
/// This command will be removed. Use `nnue train FILE` instead of `nnue-train run FILE`, `nnue data` instead of `nnue-train data`, and
/// `nnue data generate` instead of `nnue-train generate`.
#[derive(Debug, Parser)]
#[command(
    name = "nnue-train",
    version,
    propagate_version = true,
    arg_required_else_help = true
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
enum Command {
    Run(TrainArgs),
    Data(DataArgs),
    Generate(GenerateArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// The command `nnue-train`, with the arguments of this process.
#[must_use]
pub fn nnue_train() -> ExitCode {
    system::run(|out| match Cli::parse().command {
        Command::Data(args) => data(&args, out),
        Command::Generate(args) => generate::run(&args),
        Command::Run(args) => train(&args, out),
        Command::Completions(args) => Ok(shell::completions(&args, Cli::command(), out)?),
        Command::Man(args) => Ok(shell::man(&args, Cli::command(), out)?),
    })
}
