//! `[data]` and `[validation]`.

use std::num::NonZeroU32;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use nnue_data::Format;
use nnue_data::filter::Filter;
use nnue_data::win_rate::WinRate;

use super::MOST_THREADS;
use crate::run::Error;
use crate::run::table::Table;

/// How data are read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reading {
    /// size of the shuffle buffer in records
    pub(crate) shuffle: usize,
    /// threads that make batches
    pub(crate) threads: NonZeroUsize,
}

impl Reading {
    pub(super) fn read(table: &mut Table<'_>) -> Result<Self, Error> {
        let shuffle = table.count("shuffle", 0..=1 << 28)?.unwrap_or(1 << 20);
        Self::read_all(table, shuffle as usize)
    }

    /// So many records are shuffled together, whatever the table says.
    pub(super) fn read_all(table: &mut Table<'_>, shuffle: usize) -> Result<Self, Error> {
        let threads = table.count("threads", 1..=MOST_THREADS)?.unwrap_or(1);
        Ok(Self {
            shuffle,
            threads: NonZeroUsize::new(threads as usize).expect("at least 1"),
        })
    }
}

/// Training data of chess and their filter.
#[derive(Clone, Debug)]
pub(crate) struct Data {
    pub(crate) files: Vec<(PathBuf, Format)>,
    pub(crate) filter: Filter,
    /// weights of positions, evenly spaced from 0 to 32 pieces
    pub(crate) weight_by_pieces: Vec<f32>,
}

/// The validation data.
#[derive(Clone, Debug)]
pub(crate) struct Validation {
    pub(crate) held_out: Origin,
    /// maximum number of positions
    pub(crate) positions: usize,
}

/// The source of the validation positions.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// a share of the games of the training data
    Games(f64),
    /// other files
    Files(Vec<(PathBuf, Format)>),
}

impl Data {
    pub(super) fn read(mut table: Table<'_>, folder: &Path) -> Result<(Self, Reading), Error> {
        let Some(files) = files(&mut table, folder)? else {
            return Err(missing(&table));
        };
        let reading = Reading::read(&mut table)?;
        let weights = table.numbers(
            "weight_by_pieces",
            f64::from(f32::MIN_POSITIVE)..=1000.0,
            "a list of numbers above 0, up to 1000",
        )?;
        let weight_by_pieces = weights.map_or_else(
            || vec![1.0],
            |weights| weights.iter().map(|&weight| weight as f32).collect(),
        );
        let mut rules = table.table("filter")?;
        let filter = filter(&mut rules)?;
        for (path, format) in &files {
            let lack = |what: &str, keys: &str| {
                let message = format!(
                    "{}: {format} has no {what}, and {keys} need them",
                    path.display()
                );
                Err(rules.refuse("", message))
            };
            if filter.needs_moves() && !format.has_moves() {
                return lack("moves", "`quiet`, `no_captures` and `no_promotions`");
            }
            if filter.needs_plies() && !format.has_plies() {
                return lack("plies", "`min_ply`, `max_ply` and `win_rate`");
            }
        }
        rules.finish()?;
        table.finish()?;
        let data = Self {
            files,
            filter,
            weight_by_pieces,
        };
        Ok((data, reading))
    }
}

/// The error for a table without files.
pub(super) fn missing(table: &Table<'_>) -> Error {
    table.refuse("files", "`data.files` is missing: the training data")
}

/// The files of a table; their extensions give the formats.
fn files(table: &mut Table<'_>, folder: &Path) -> Result<Option<Vec<(PathBuf, Format)>>, Error> {
    let known: Vec<&str> = Format::ALL
        .iter()
        .flat_map(|format| format.extensions())
        .chain(&["epd", "csv"])
        .copied()
        .collect();
    files_by(table, folder, Format::of_input, &known)
}

/// The files of a table; `format` gives the format of a name, which ends with one of `known`.
pub(super) fn files_by<F>(
    table: &mut Table<'_>,
    folder: &Path,
    format: impl Fn(&Path) -> Option<F>,
    known: &[&str],
) -> Result<Option<Vec<(PathBuf, F)>>, Error> {
    let Some(names) = table.texts("files")? else {
        return Ok(None);
    };
    let file = |name: &String| {
        let format = format(Path::new(name)).ok_or_else(|| {
            let message = format!(
                "`{}`: the name does not say the format\nhelp: names end with .{}, and may go on with .zst or .gz",
                name.escape_debug(),
                known.join(", .")
            );
            table.refuse("files", message)
        });
        Ok((folder.join(name), format?))
    };
    names.iter().map(file).collect::<Result<_, _>>().map(Some)
}

fn filter(table: &mut Table<'_>) -> Result<Filter, Error> {
    let all = Filter::KEEP_ALL;
    let quiet = table.flag("quiet")?;
    let scores = table
        .count("max_score", 0..=i16::MAX as u64)?
        .map(|limit| limit as i16);
    let mut bound = |key, otherwise: u32| {
        table
            .count(key, 0..=u32::MAX.into())
            .map(|bound| bound.map_or(otherwise, |bound| bound as u32))
    };
    let plies = bound("min_ply", *all.plies.start())?..=bound("max_ply", *all.plies.end())?;
    let pieces =
        bound("min_pieces", *all.pieces.start())?..=bound("max_pieces", *all.pieces.end())?;
    let one_in = bound("one_in", 1)?;
    Ok(Filter {
        no_score: true,
        check: table.flag("no_check")? || quiet,
        captures: table.flag("no_captures")? || quiet,
        promotions: table.flag("no_promotions")? || quiet,
        scores: scores.map_or(all.scores, |limit| -limit..=limit),
        plies,
        pieces,
        one_in: NonZeroU32::new(one_in).ok_or_else(|| {
            table.refuse("one_in", "`data.filter.one_in` is an integer of at least 1")
        })?,
        win_rate: table.flag("win_rate")?.then_some(WinRate::TRAINERS),
    })
}

impl Validation {
    pub(super) fn read(mut table: Table<'_>, folder: &Path, data: &Data) -> Result<Self, Error> {
        let files = files(&mut table, folder)?;
        let share = table.number(
            "held_out",
            f64::MIN_POSITIVE..=1.0,
            "a number above 0, and not above 1",
        )?;
        let held_out = match (files, share) {
            (Some(files), None) => Origin::Files(files),
            (Some(_), Some(_)) => {
                return Err(table.refuse(
                    "held_out",
                    "`held_out` and `files` exclude each other: leave out one",
                ));
            }
            (None, share) => {
                let without = data.files.iter().find(|(_, format)| !format.has_plies());
                if let Some((path, format)) = without {
                    let message = format!(
                        "{}: {format} has no plies, which mark where games begin\nhelp: name other files for `validation.files`",
                        path.display()
                    );
                    return Err(table.refuse("held_out", message));
                }
                Origin::Games(share.unwrap_or(0.05))
            }
        };
        let positions = positions(&mut table)?;
        table.finish()?;
        Ok(Self {
            held_out,
            positions,
        })
    }
}

/// The greatest number of positions that judge the network.
pub(super) fn positions(table: &mut Table<'_>) -> Result<usize, Error> {
    let positions = table.count("positions", 1..=1 << 30)?.unwrap_or(10_000);
    Ok(positions as usize)
}
