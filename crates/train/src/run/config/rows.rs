//! `[data]` and `[validation]` of a network over lists of rows.

use std::path::{Path, PathBuf};

use nnue_data::rows::Format;
use nnue_spec::HeadKind;
use nnue_spec::graph::Graph;

use super::Reading;
use super::data::{files_by, missing, positions};
use crate::run::Error;
use crate::run::table::Table;

/// Training and validation data.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) files: Vec<(PathBuf, Format)>,
    pub(crate) held_out: HeldOutRows,
    /// maximum number of records for validation
    pub(crate) positions: usize,
}

/// The source of the records for validation.
#[derive(Clone, Debug)]
pub(crate) enum HeldOutRows {
    /// a share of the records of the training data
    Share(f64),
    /// those of the training data in which a column of booleans is true
    Column(String),
    /// other files
    Files(Vec<(PathBuf, Format)>),
}

impl Rows {
    pub(super) fn read(
        all: &mut Table<'_>,
        folder: &Path,
        graph: &Graph,
    ) -> Result<(Self, Reading), Error> {
        let policy = graph.heads.iter().find(|head| head.kind == HeadKind::Rows);
        if let Some(policy) = policy {
            let message = format!(
                "`{}` is an output of rows, for which records of lists have no targets\nhelp: a program of its own trains it, with `nnue_train` as a library",
                policy.name
            );
            return Err(all.refuse("network", message));
        }
        let mut table = all.table("data")?;
        let Some(files) = files(&mut table, folder)? else {
            return Err(missing(&table));
        };
        let reading = Reading::read(&mut table)?;
        table.finish()?;
        let mut table = all.table("validation")?;
        let held_out = held_out(&mut table, folder, &files)?;
        let positions = positions(&mut table)?;
        table.finish()?;
        let rows = Self {
            files,
            held_out,
            positions,
        };
        Ok((rows, reading))
    }

    pub(super) fn files(&self) -> Vec<&Path> {
        let judged = match &self.held_out {
            HeldOutRows::Files(files) => &files[..],
            HeldOutRows::Share(_) | HeldOutRows::Column(_) => &[],
        };
        let data = self.files.iter().chain(judged);
        data.map(|(path, _)| path.as_path()).collect()
    }
}

fn files(table: &mut Table<'_>, folder: &Path) -> Result<Option<Vec<(PathBuf, Format)>>, Error> {
    let formats = Format::ALL.iter();
    let known: Vec<&str> = formats
        .flat_map(|format| format.extensions())
        .copied()
        .collect();
    files_by(table, folder, Format::of_input, &known)
}

fn held_out(
    table: &mut Table<'_>,
    folder: &Path,
    data: &[(PathBuf, Format)],
) -> Result<HeldOutRows, Error> {
    let files = files(table, folder)?;
    let share = table.number(
        "held_out",
        f64::MIN_POSITIVE..=1.0,
        "a number above 0, and not above 1",
    )?;
    match (files, share, table.text("column")?) {
        (Some(files), None, None) => Ok(HeldOutRows::Files(files)),
        (None, None, Some(column)) => {
            let text = data.iter().find(|(_, format)| *format == Format::Text);
            match text {
                None => Ok(HeldOutRows::Column(column)),
                Some((path, _)) => {
                    let message = format!("{}: text has no columns", path.display());
                    Err(table.refuse("column", message))
                }
            }
        }
        (None, share, None) => Ok(HeldOutRows::Share(share.unwrap_or(0.05))),
        _ => Err(table.refuse(
            "held_out",
            "`held_out`, `column` and `files` exclude each other: leave out all but one",
        )),
    }
}
