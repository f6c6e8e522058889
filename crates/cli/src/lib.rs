//! The commands `nnue` and, for one more release, `nnue-train`, as functions that read the process arguments.
#![forbid(unsafe_code)]
// These macros panic if the stream is closed or full; `note` and `out` do not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod archs;
mod args;
#[cfg_attr(not(feature = "backends"), path = "without_backends.rs")]
mod backends;
mod bench;
mod change;
mod convert;
mod declaration;
mod error;
mod eval;
mod expand;
mod export;
mod golden;
mod import;
mod input;
mod inspect;
#[cfg(all(test, any(feature = "train", feature = "rescore")))]
mod kept;
mod network;
mod note;
mod optimize;
mod output;
#[cfg_attr(not(feature = "plot"), path = "without_plot.rs")]
mod plot;
mod progress;
mod quantize;
mod random;
#[cfg_attr(not(feature = "rescore"), path = "without_rescore.rs")]
mod rescore;
mod shell;
mod system;
#[cfg_attr(not(feature = "train"), path = "without_train.rs")]
mod train;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use error::Error;

/// The command `nnue`.
#[must_use]
pub fn nnue() -> ExitCode {
    let command = Cli::parse().command;
    system::run(|out| run(sorted(command)?, out))
}

#[cfg(feature = "train")]
pub use train::alias::nnue_train;

/// Sorts the positional arguments into their fields.
fn sorted(mut command: Command) -> Result<Command, Error> {
    match &mut command {
        Command::Eval(args) => args.sort()?,
        Command::Bench(args) => args.sort(),
        _ => {}
    }
    Ok(command)
}

fn run(command: Command, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        Command::Eval(args) if args.backend.text.is_some() => backends::eval(&args, out),
        Command::Bench(args) if args.backend.text.is_some() => backends::bench(&args, out),
        Command::Analyze(args) => backends::analyze(&args, out),
        Command::Backends(args) => backends::list(&args, out),
        Command::Cache(args) => backends::cache(&args, out),
        Command::Rescore(args) => rescore::run(&args, out),
        Command::Train(args) => train::train(&args, out),
        Command::Data(args) => train::data(&args, out),
        Command::Eval(args) => eval::run(&args, out),
        Command::Inspect(args) => inspect::run(&args, out),
        Command::Archs(args) => Ok(archs::run(&args, out)?),
        Command::Verify(args) => verify::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Quantize(args) => quantize::run(&args, out),
        Command::Convert(args) => convert::run(&args, out),
        Command::Optimize(args) => optimize::run(&args, out),
        Command::Plot(args) => plot::run(&args, out),
        Command::Expand(args) => expand::run(&args, out),
        Command::Golden(args) => golden::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Import(args) => import::run(&args, out),
        Command::Completions(args) => Ok(shell::completions(&args, Cli::command(), out)?),
        Command::Man(args) => Ok(shell::man(&args, Cli::command(), out)?),
    }
}
