//! `nnue train` and `nnue data`: the commands of the crate `nnue-train`.

use std::io::Write;

use crate::args::train::{DataArgs, TrainArgs};
use crate::error::Error;

/// `nnue train`.
pub(crate) fn train(args: &TrainArgs, _: &mut dyn Write) -> Result<(), Error> {
    Ok(nnue_train::command::train(args)?)
}

/// `nnue data`.
pub(crate) fn data(args: &DataArgs, out: &mut dyn Write) -> Result<(), Error> {
    Ok(nnue_train::command::data(args, out)?)
}
