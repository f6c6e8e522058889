//! User input: positions, games and text files.

pub(crate) mod bounded;
pub(crate) mod fen;
pub(crate) mod games;
pub(crate) mod kind;
pub(crate) mod network_file;
mod notation;
mod positions;
mod rows;
mod samples;
mod text;

use std::path::PathBuf;

pub(crate) use fen::Placement;
pub(crate) use notation::is_position;
pub(crate) use positions::{Given, Spread, given, positions, suite};
pub(crate) use rows::{RowsLine, each_line};
pub(crate) use samples::{Sample, SampleFiles, Samples, samples};
pub(crate) use text::{is_standard, lines, without_mark};
#[cfg(feature = "backends")]
pub(crate) use text::{lines_of, open};

use crate::error::Error;

pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Refuses to read standard input twice, since the second reader would find nothing. `options` name files.
pub(crate) fn one_reader(options: &[(&str, Option<PathBuf>)]) -> Result<(), Error> {
    let standard = options
        .iter()
        .filter(|(_, path)| path.as_deref().is_some_and(is_standard));
    match standard
        .map(|&(option, _)| option)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [first, second, ..] => Err(Error::Argument(format!(
            "{first} and {second} cannot both be standard input: name a file for one of them"
        ))),
        _ => Ok(()),
    }
}
