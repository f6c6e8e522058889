//! `nnue data`.

mod convert;
pub(crate) mod filter;
pub(crate) mod input;
mod inspect;
mod output;
mod rescore;
mod rows;
mod shuffle;
mod split;
mod stats;

use std::io::Write;

use crate::args::train::DataCommand;
use crate::error::Error;
use crate::train::generate;

pub(crate) fn run(command: &DataCommand, out: &mut dyn Write) -> Result<(), Error> {
    match command {
        DataCommand::Generate(args) => generate::run(args),
        DataCommand::Convert(args) => convert::run(args),
        DataCommand::Filter(args) => filter::run(args),
        DataCommand::Shuffle(args) => shuffle::run(args),
        DataCommand::Split(args) => split::run(args),
        DataCommand::Rescore(args) => rescore::run(args),
        DataCommand::Stats(args) => stats::run(args, out),
        DataCommand::Inspect(args) => inspect::run(args, out),
    }
}
