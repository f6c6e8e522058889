//! The command `nnue-train`: `nnue train` and `nnue data` under the names of the first versions.

use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

use super::{data, generate, train};
use crate::args::train::{DataArgs, GenerateArgs, TrainArgs};
use crate::shell::{self, CompletionsArgs, ManArgs};
use crate::system;

/// Prepare data, and train chess networks on them: `nnue train` and `nnue data` under one name of their own.
///
/// This command will go: `nnue train FILE` is what `nnue-train run FILE` is, `nnue data` what `nnue-train data` is, and `nnue data generate`
/// what `nnue-train generate` is.
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
