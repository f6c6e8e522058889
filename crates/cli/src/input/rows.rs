//! Files of lists of rows: a list a line, or a change of the list of the line before.

use std::path::Path;

use nnue::rows::{RowSets, RowsChange, RowsError, RowsShape};
use nnue_spec::rows::RowsPosition;

use super::lines;
use crate::error::Error;

/// A line of a file.
pub(crate) enum RowsLine {
    List(RowsPosition),
    Change(RowsChange),
}

impl RowsLine {
    pub(crate) fn apply(&self, rows: &mut RowSets) -> Result<(), RowsError> {
        let black_to_move = match self {
            Self::List(position) => {
                rows.set(position.lists())?;
                Some(position.black_to_move.unwrap_or(false))
            }
            Self::Change(change) => {
                rows.change(change.added(), change.removed())?;
                change.black_to_move
            }
        };
        if let Some(black) = black_to_move {
            rows.set_black_to_move(black);
        }
        Ok(())
    }
}

/// Calls `found` with each line of a file and the rows after it. Changes are applied to the list before them.
pub(crate) fn each_line(
    shape: &RowsShape<'_>,
    path: &Path,
    mut found: impl FnMut(RowsLine, &RowSets),
) -> Result<(), Error> {
    let mut rows = RowSets::new(shape);
    let mut is_first = true;
    for line in lines(path)? {
        let (place, text) = line?;
        let line = match RowsChange::is_next(&text) {
            true if is_first => Err("a change needs a list in a line before it".into()),
            true => RowsChange::parse(&text)
                .map(RowsLine::Change)
                .map_err(|error| error.to_string()),
            false => RowsPosition::parse(&text)
                .map(RowsLine::List)
                .map_err(|error| error.to_string()),
        };
        let applied = line.and_then(|line| {
            let applied = line.apply(&mut rows).map(|()| line);
            applied.map_err(|error| error.to_string())
        });
        let line = applied.map_err(|message| Error::Input { place, message })?;
        is_first = false;
        found(line, &rows);
    }
    match is_first {
        true => Err(Error::Argument(format!(
            "{}: no list of rows",
            path.display()
        ))),
        false => Ok(()),
    }
}
