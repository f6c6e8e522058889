//! The columns of a table and their meaning.

use std::path::Path;

use crate::Outcome;
use arrow_schema::{DataType, Schema};

use crate::rescore::error::Error;
use crate::rescore::watch::Watch;
use crate::tables::values::{is_number, is_text};

pub(super) const FEN: &str = "fen";
pub(super) const SCORE: &str = "score";
pub(super) const OUTCOME: &str = "outcome";
pub(super) const RESULT: &str = "result";
pub(super) const PLY: &str = "ply";
pub(super) const MOVE: &str = "move";

/// The indices of the columns to read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) fen: usize,
    pub(super) score: Option<usize>,
    pub(super) outcome: Option<usize>,
    pub(super) result: Option<usize>,
    pub(super) ply: Option<usize>,
    pub(super) mv: Option<usize>,
}

impl Columns {
    /// Finds the columns of a table. The watch receives the names of the others.
    pub(super) fn of(
        schema: &Schema,
        path: &Path,
        outcome: Option<Outcome>,
        watch: &dyn Watch,
    ) -> Result<Self, Error> {
        let refused = |reason| Error::Input {
            path: path.to_owned(),
            reason,
        };
        let find = |name| find(schema, name).map_err(refused);
        let fen = find(FEN)?.ok_or_else(|| refused(without_fen(schema)))?;
        let of_outcome = find(OUTCOME)?;
        let result = if of_outcome.is_some() {
            None
        } else {
            find(RESULT)?
        };
        let found = Self {
            fen,
            score: find(SCORE)?,
            outcome: of_outcome,
            result,
            ply: find(PLY)?,
            mv: find(MOVE)?,
        };
        if found
            .outcome
            .or(found.result)
            .or(outcome.map(|_| 0))
            .is_none()
        {
            return Err(Error::NoColumn {
                path: path.to_owned(),
            });
        }
        let read = found.indices();
        let others = schema
            .fields()
            .iter()
            .enumerate()
            .filter(|(index, _)| !read.contains(index));
        let others: Vec<&str> = others.map(|(_, field)| field.name().as_str()).collect();
        if !others.is_empty() {
            watch.leaves_out(path, &others);
        }
        Ok(found)
    }

    /// The indices of all columns, ascending.
    pub(super) fn indices(&self) -> Vec<usize> {
        let Self {
            fen,
            score,
            outcome,
            result,
            ply,
            mv,
        } = *self;
        let mut indices: Vec<usize> = [Some(fen), score, outcome, result, ply, mv]
            .into_iter()
            .flatten()
            .collect();
        indices.sort_unstable();
        indices
    }

    /// The indices in a table that has only these columns.
    pub(super) fn alone(&self) -> Self {
        let indices = self.indices();
        let at = |column: usize| {
            indices
                .iter()
                .position(|&index| index == column)
                .unwrap_or_default()
        };
        let Self {
            fen,
            score,
            outcome,
            result,
            ply,
            mv,
        } = *self;
        Self {
            fen: at(fen),
            score: score.map(at),
            outcome: outcome.map(at),
            result: result.map(at),
            ply: ply.map(at),
            mv: mv.map(at),
        }
    }
}

/// The column with this name. An error if there are two, or its type is wrong.
fn find(schema: &Schema, name: &str) -> Result<Option<usize>, String> {
    let mut named = schema
        .fields()
        .iter()
        .enumerate()
        .filter(|(_, field)| field.name() == name);
    let Some((index, field)) = named.next() else {
        return Ok(None);
    };
    if named.next().is_some() {
        return Err(format!("two columns `{name}`"));
    }
    let (is_right, expected): (fn(&DataType) -> bool, _) = if matches!(name, FEN | RESULT | MOVE) {
        (is_text, "text")
    } else {
        (is_number, "whole numbers")
    };
    if is_right(field.data_type()) {
        Ok(Some(index))
    } else {
        Err(format!(
            "the column `{name}` has the type {} instead of {expected}",
            field.data_type()
        ))
    }
}

fn without_fen(schema: &Schema) -> String {
    let names: Vec<String> = schema
        .fields()
        .iter()
        .take(20)
        .map(|field| format!("`{}`", field.name()))
        .collect();
    match &names[..] {
        [] => "no column `fen`: it has no columns at all".into(),
        _ => format!("no column `fen`: it has {}", names.join(", ")),
    }
}
