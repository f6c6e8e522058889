//! The command `nnue`.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    nnue_cli::nnue()
}
