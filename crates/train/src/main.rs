//! The command `nnue-train`.
#![forbid(unsafe_code)]
// These macros panic where the stream is closed or full: `note` and `out` do not.
#![deny(clippy::print_stderr, clippy::print_stdout)]

mod args;
mod data;
mod error;
mod fnv;
mod generate;
mod loaded;
mod run;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};
use nnue_command::{shell, system};

use args::{Cli, Command};

fn main() -> ExitCode {
    match Cli::parse().command {
        Command::Data(args) => system::run(|out| data::run(&args.command, out)),
        Command::Generate(args) => system::run(|_| generate::run(&args)),
        Command::Run(args) => system::run(|_| run::run(&args)),
        Command::Completions(args) => {
            system::run(|out| shell::completions(&args, Cli::command(), out))
        }
        Command::Man(args) => system::run(|out| shell::man(&args, Cli::command(), out)),
    }
}
