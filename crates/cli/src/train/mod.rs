//! `nnue train` and `nnue data`.

pub(crate) mod alias;
mod data;
mod generate;
mod loaded;
mod watch;

use std::io::Write;

use nnue_train::run::{Options, Run};

use crate::args::train::{DataArgs, TrainArgs};
use crate::error::Error;
use watch::Watch;

/// `nnue train`: trains a network from a configuration file.
pub(crate) fn train(args: &TrainArgs, _: &mut dyn Write) -> Result<(), Error> {
    let options = Options {
        resume: args.resume,
        changed_data: args.changed_data,
        device: args.device.map(Into::into),
    };
    Ok(Run::open(&args.file)?.train(&options, &mut Watch::default())?)
}

/// `nnue data`: prepares training data. Tables go to `out`, everything else to standard error.
pub(crate) fn data(args: &DataArgs, out: &mut dyn Write) -> Result<(), Error> {
    data::run(&args.command, out)
}
