//! `[data]` and `[validation]` of a network over lists of rows.

use std::path::{Path, PathBuf};

use nnue_data::files::Digest;
use nnue_data::rows::Format;
use nnue_spec::HeadKind;
use nnue_spec::graph::Graph;

use super::Reading;
use super::data::{files_by, missing, positions};
use crate::run::table::Table;
use crate::run::{Error, ListedData, ListedValidation};

/// The share of the records that is held out, unless the file says another.
const SHARE: f64 = 0.05;

/// Training and validation data.
#[derive(Clone, Debug)]
pub(crate) struct Rows {
    pub(crate) origin: RowsOrigin,
    /// maximum number of records for validation
    pub(crate) positions: usize,
}

/// Where records come from.
#[derive(Clone, Debug)]
pub(crate) enum RowsOrigin {
    Files(RowsFiles),
    /// records of the program
    Memory {
        /// the share that is held out, where the program does not say which are
        share: f64,
        digest: Digest,
    },
}

#[derive(Clone, Debug)]
pub(crate) struct RowsFiles {
    pub(crate) files: Vec<(PathBuf, Format)>,
    pub(crate) held_out: HeldOutRows,
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
        data: Option<&ListedData>,
    ) -> Result<(Self, Reading), Error> {
        let policy = graph.heads.iter().find(|head| head.kind == HeadKind::Rows);
        if let Some(policy) = policy {
            let message = format!(
                "`{}` is an output of rows, for which records of lists have no targets\nhelp: a program of its own trains it, with `nnue_train` as a library",
                policy.name
            );
            return Err(all.refuse("network", message));
        }
        match data {
            Some(data) => Self::in_memory(all, data),
            None => Self::in_files(all, folder),
        }
    }

    /// The files that a run names.
    fn in_files(all: &mut Table<'_>, folder: &Path) -> Result<(Self, Reading), Error> {
        let mut table = all.table("data")?;
        let Some(files) = files(&mut table, folder)? else {
            return Err(missing(&table));
        };
        let reading = Reading::read(&mut table)?;
        table.finish()?;
        let table = all.table("validation")?;
        let origin = |table: &mut Table<'_>| {
            let held_out = held_out(table, folder, &files)?;
            Ok(RowsOrigin::Files(RowsFiles { files, held_out }))
        };
        Ok((Self::validated(table, origin)?, reading))
    }

    /// Records of the program, which are all shuffled together.
    fn in_memory(all: &mut Table<'_>, data: &ListedData) -> Result<(Self, Reading), Error> {
        let mut table = all.table("data")?;
        let reading = Reading::read_all(&mut table, data.records.len())?;
        table.finish()?;
        let table = all.table("validation")?;
        let origin = |table: &mut Table<'_>| {
            let share = match data.validation {
                ListedValidation::Drawn => held_out_share(table)?.unwrap_or(SHARE),
                ListedValidation::Marked(_) | ListedValidation::Records(_) => 0.0,
            };
            let digest = data.digest();
            Ok(RowsOrigin::Memory { share, digest })
        };
        Ok((Self::validated(table, origin)?, reading))
    }

    /// Reads the table of the validation, of which `origin` reads what is held out.
    fn validated(
        mut table: Table<'_>,
        origin: impl FnOnce(&mut Table<'_>) -> Result<RowsOrigin, Error>,
    ) -> Result<Self, Error> {
        let origin = origin(&mut table)?;
        let positions = positions(&mut table)?;
        table.finish()?;
        Ok(Self { origin, positions })
    }

    pub(super) fn files(&self) -> Vec<&Path> {
        let RowsOrigin::Files(RowsFiles { files, held_out }) = &self.origin else {
            return Vec::new();
        };
        let judged = match held_out {
            HeldOutRows::Files(files) => &files[..],
            HeldOutRows::Share(_) | HeldOutRows::Column(_) => &[],
        };
        let data = files.iter().chain(judged);
        data.map(|(path, _)| path.as_path()).collect()
    }

    /// The digest of records in memory.
    pub(super) const fn digest(&self) -> Option<Digest> {
        match &self.origin {
            RowsOrigin::Files(_) => None,
            RowsOrigin::Memory { digest, .. } => Some(*digest),
        }
    }
}

/// The share of the records that is held out.
fn held_out_share(table: &mut Table<'_>) -> Result<Option<f64>, Error> {
    table.number(
        "held_out",
        f64::MIN_POSITIVE..=1.0,
        "a number above 0, and not above 1",
    )
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
    let share = held_out_share(table)?;
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
        (None, share, None) => Ok(HeldOutRows::Share(share.unwrap_or(SHARE))),
        _ => Err(table.refuse(
            "held_out",
            "`held_out`, `column` and `files` exclude each other: leave out all but one",
        )),
    }
}
