//! `nnue train`: a training as a file says it.
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
mod device;
mod export;
mod floats;
mod history;
mod identity;
mod load;
mod neurons;
mod output;
mod records;
mod report;
mod table;
mod training;
mod validation;

use std::path::Path;

use crate::args::{Device, TrainArgs};
use crate::error::Error;
use config::Config;
use table::Source;

/// Runs the command.
pub(crate) fn run(args: &TrainArgs) -> Result<(), Error> {
    let source = Source::read(&args.file)?;
    let folder = args.file.parent().unwrap_or(Path::new(""));
    if dense::is_dense(&source, folder)? {
        if args.device == Some(Device::Cuda) {
            return Err(Error::Argument(
                "--device cuda: a network over a dense input is trained on the CPU".into(),
            ));
        }
        return dense::run(&dense::Config::parse(source, folder)?, args);
    }
    let mut config = Config::parse(source, folder)?;
    config.device = args.device.unwrap_or(config.device);
    training::run(&config, args)
}
