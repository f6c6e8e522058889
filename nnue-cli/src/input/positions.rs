//! Positions from arguments and files.

use std::path::Path;

use super::{Placement, lines};
use crate::error::Error;

/// Positions of all kinds; where each comes from stands behind a tab.
const SUITE: &str = include_str!("../../data/suite.fen");

/// A position and how the user wrote it.
pub(crate) struct Given {
    /// the FEN, without blanks around it
    pub(crate) fen: String,
    /// the position
    pub(crate) position: Placement,
}

/// The positions of arguments, then those of a file, one per line; whatever follows a tab is not looked at.
pub(crate) fn positions<'a>(
    fens: &'a [String],
    file: Option<&'a Path>,
) -> Result<Box<dyn Iterator<Item = Result<Given, Error>> + 'a>, Error> {
    let from_arguments = fens.iter().map(|fen| given(fen, || format!("--fen `{}`", fen.escape_default())));
    let Some(path) = file else { return Ok(Box::new(from_arguments)) };
    let from_file = lines(path)?.map(|line| {
        let (place, line) = line?;
        given(before_tab(&line), || place)
    });
    Ok(Box::new(from_arguments.chain(from_file)))
}

/// The built-in positions.
pub(crate) fn suite() -> impl Iterator<Item = Given> {
    SUITE.lines().map(|line| given(before_tab(line), String::new).expect("the built-in positions are sound"))
}

/// The position that `fen` describes; `place` says where it was written.
pub(crate) fn given(fen: &str, place: impl FnOnce() -> String) -> Result<Given, Error> {
    let fen = fen.trim();
    let position = Placement::parse(fen).map_err(|message| Error::Input { place: place(), message })?;
    Ok(Given { fen: fen.to_owned(), position })
}

fn before_tab(line: &str) -> &str {
    line.split('\t').next().unwrap_or_default()
}
