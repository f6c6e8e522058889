//! Training and training data as commands: `nnue train`, `nnue data`, and `nnue-train`, which has both under the names of the first versions.

use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use nnue_command::{shell, system};

use crate::args::{Cli, Command};
use crate::{data, generate, run};

pub use crate::args::{DataArgs, TrainArgs};
pub use crate::error::Error;

/// `nnue train`: trains a network as a file says.
///
/// # Errors
///
/// [`Error`]: the run cannot be begun or go on.
pub fn train(args: &TrainArgs) -> Result<(), Error> {
    run::run(args)
}

/// `nnue data`: prepares training data. Tables go to `out`, everything else to standard error.
///
/// # Errors
///
/// [`Error`]: a file is damaged or cannot be read or written, or an argument means nothing.
pub fn data(args: &DataArgs, out: &mut dyn Write) -> Result<(), Error> {
    data::run(&args.command, out)
}

/// The command `nnue-train`, with the arguments of this process.
pub fn nnue_train() -> ExitCode {
    match Cli::parse().command {
        Command::Data(args) => system::run(|out| data(&args, out)),
        Command::Generate(args) => system::run(|_| generate::run(&args)),
        Command::Run(args) => system::run(|_| train(&args)),
        Command::Completions(args) => {
            system::run(|out| shell::completions(&args, Cli::command(), out))
        }
        Command::Man(args) => system::run(|out| shell::man(&args, Cli::command(), out)),
    }
}
