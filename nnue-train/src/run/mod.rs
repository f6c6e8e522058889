//! `nnue-train run`: a training as a file says it.
//!
//! ```text
//!   run.toml ──► Config ──► Training ──► superbatch after superbatch:
//!                              │           batches ──► gradient ──► optimiser        (training)
//!                              │           held-out games ──► verdict                (validation)
//!                              │           checkpoint, log, plots, network           (output)
//!                              ▼
//!                           Export: the network's file and its declaration with golden values
//! ```

mod checkpoint;
mod config;
mod export;
mod floats;
mod history;
mod load;
mod neurons;
mod output;
mod records;
mod report;
mod table;
mod training;
mod validation;

use crate::args::RunArgs;
use crate::error::Error;
use config::Config;

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> Result<(), Error> {
    training::run(&Config::read(&args.file)?, args.resume)
}
