//! The command `nnue-train`, which `nnue train` and `nnue data` replace.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    nnue_cli::nnue_train()
}
