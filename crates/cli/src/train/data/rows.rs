//! `nnue data stats` of records over lists of rows.

use std::io::{self, Write};
use std::path::Path;

use nnue_data::rows::stats::{Spread, Stats};
use nnue_data::rows::{self, Format, Part, Records};
use nnue_data::{Place, ReadError};

use super::input::is_standard;
use crate::args::train::InputArgs;
use crate::error::Error;
use crate::note::note;
use crate::system::SystemError;

/// Most faults reported one by one with `--keep-going`.
const TOLD: u64 = 10;

/// Whether a file has such records by its name, which no file of positions has.
pub(super) fn is_named(path: &Path) -> bool {
    let format = Format::of_input(path);
    format.is_some_and(|_| nnue_data::Format::of_input(path).is_none())
}

/// Counts the records of all files.
pub(super) fn stats(args: &InputArgs, out: &mut dyn Write) -> Result<(), Error> {
    if let Some(from) = args.from {
        return Err(Error::Argument(format!(
            "--from {}: the names of files say the formats of records over lists of rows",
            from.0
        )));
    }
    let mut counting = Counting::default();
    for path in &args.inputs {
        if let Err(fault) = counting.file(path, args.keep_going)? {
            report(&counting.stats, out)?;
            return Err(Error::Damaged {
                path: path.clone(),
                fault,
                kept: "the records before it were counted".into(),
            });
        }
    }
    if counting.damaged > TOLD {
        note!("{} more places are damaged", counting.damaged - TOLD);
    }
    report(&counting.stats, out)?;
    Ok(())
}

#[derive(Default)]
struct Counting {
    stats: Stats,
    damaged: u64,
}

impl Counting {
    /// Counts the records of a file, up to the first fault unless it keeps going.
    fn file(&mut self, path: &Path, keep_going: bool) -> Result<Result<(), ReadError>, Error> {
        let mut records = match open(path) {
            Ok(records) => records,
            Err(fault) => return failed(path, fault).map(Err),
        };
        while let Some(next) = records.next() {
            let place = records.place();
            let Err(fault) = next.and_then(|record| self.add(&record, place)) else {
                continue;
            };
            let fault = failed(path, fault)?;
            if !keep_going {
                return Ok(Err(fault));
            }
            self.damaged += 1;
            if self.damaged <= TOLD {
                note!("{}: {fault}; it is left out", path.display());
            }
        }
        Ok(Ok(()))
    }

    fn add(&mut self, record: &rows::RowsRecord, place: Place) -> Result<(), ReadError> {
        let added = self.stats.add(record);
        added.map_err(|error| ReadError::Damaged {
            place,
            fault: error.into(),
        })
    }
}

/// Files that cannot be read are errors of the system, all others are damaged.
fn failed(path: &Path, fault: ReadError) -> Result<ReadError, Error> {
    match fault {
        ReadError::Io(source) => Err(SystemError::read(path, source).into()),
        fault => Ok(fault),
    }
}

/// The records of a file, which are text unless its name says another format.
fn open(path: &Path) -> Result<Records, ReadError> {
    if is_standard(path) {
        return Ok(rows::open_text(io::stdin()));
    }
    let format = Format::of_input(path).unwrap_or(Format::Text);
    rows::open(path, format, &Part::All)
}

fn report(stats: &Stats, out: &mut dyn Write) -> io::Result<()> {
    let number = |number: Option<f64>| number.map_or("-".into(), |number| format!("{number:.4}"));
    let range = |spread: &Spread| {
        spread
            .range()
            .map_or("-".into(), |(low, high)| format!("{low} to {high}"))
    };
    let black = stats.black_to_move as f64 * 100.0 / stats.records.max(1) as f64;
    let greatest = stats.greatest_row();
    let lines = [
        ("records", stats.records.to_string()),
        ("lists", stats.lists.to_string()),
        (
            "Black to move",
            format!("{} ({black:.1} %)", stats.black_to_move),
        ),
        ("rows that occur", stats.rows().to_string()),
        (
            "greatest row",
            greatest.map_or("-".into(), |row| row.to_string()),
        ),
        ("active rows", range(&stats.active)),
        ("mean active rows", number(stats.active.mean())),
        ("targets", range(&stats.targets)),
        ("mean target", number(stats.targets.mean())),
        ("deviation of targets", number(stats.targets.deviation())),
        ("weights", range(&stats.weights)),
        ("mean weight", number(stats.weights.mean())),
    ];
    for (what, value) in lines {
        writeln!(out, "{what:<20} {value}")?;
    }
    Ok(())
}
