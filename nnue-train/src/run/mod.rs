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
mod dense;
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

use std::path::Path;

use crate::args::RunArgs;
use crate::error::Error;
use config::Config;
use table::Source;

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> Result<(), Error> {
    let source = Source::read(&args.file)?;
    let folder = args.file.parent().unwrap_or(Path::new(""));
    if dense::is_dense(&source, folder)? {
        return dense::run(&dense::Config::parse(source, folder)?, args.resume);
    }
    training::run(&Config::parse(source, folder)?, args.resume)
}
