//! The command `nnue`.
#![forbid(unsafe_code)]

mod archs;
mod args;
mod bench;
mod declaration;
mod error;
mod eval;
mod expand;
mod export;
mod golden;
mod import;
mod input;
mod inspect;
mod network;
mod optimize;
mod progress;
mod quantize;
mod random;
mod verify;

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use error::Error;

fn main() -> ExitCode {
    let mut out = BufWriter::new(io::stdout().lock());
    let result = run(Cli::parse().command, &mut out).and_then(|()| Ok(out.flush()?));
    match result {
        Ok(()) | Err(Error::Pipe) => ExitCode::SUCCESS,
        Err(error) => {
            // what was written before the error belongs to the user too
            drop(out);
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        Command::Eval(args) => eval::run(&args, out),
        Command::Inspect(args) => inspect::run(&args, out),
        Command::Archs(_) => Ok(archs::run(out)?),
        Command::Verify(args) => verify::run(&args, out),
        Command::Bench(args) => bench::run(&args, out),
        Command::Quantize(args) => quantize::run(&args, out),
        Command::Optimize(args) => optimize::run(&args, out),
        Command::Expand(args) => expand::run(&args, out),
        Command::Golden(args) => golden::run(&args, out),
        Command::Export(args) => export::run(&args, out),
        Command::Import(args) => import::run(&args, out),
    }
}
