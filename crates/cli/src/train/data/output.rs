//! The output file.

use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use crate::note::note;
use nnue_data::files::output;
use nnue_data::{Format, Record, WriteError, Writer, binpack};

use super::input::{is_standard, nameless};
use crate::args::train::OutputArgs;
use crate::error::Error;
use crate::system::SystemError;

/// A file or standard output that records are written to.
pub(crate) struct Output {
    path: PathBuf,
    format: Format,
    writer: Writer<BufWriter<To>>,
    count: u64,
    no_score: u64,
    no_move: u64,
    /// with `--drop-castling`
    castling: Option<Castling>,
}

/// What was removed because a binpack cannot say it.
#[derive(Clone, Copy, Default)]
struct Castling {
    /// positions that have lost their rights
    rights: u64,
    /// positions left out, as their move castles
    moves: u64,
}

impl Castling {
    fn remove(&mut self, record: &Record) -> Option<Record> {
        let left = binpack::without_chess960(record);
        match &left {
            None => self.moves += 1,
            Some(left) => self.rights += u64::from(left != record),
        }
        left
    }

    fn note(self) {
        let Self { rights, moves } = self;
        if rights + moves > 0 {
            note!(
                "{rights} positions have lost their castling rights of Chess960, and {moves} whose move castles are left out"
            );
        }
    }
}

enum To {
    File(output::Output),
    Standard(Stdout),
}

impl Output {
    /// Creates the file of `--output`, which must not be an input.
    pub(crate) fn create(args: &OutputArgs, inputs: &[PathBuf]) -> Result<Self, Error> {
        let format = args.to.map(|format| format.0);
        let output = Self::named("--output", &args.output, format, inputs)?;
        output.dropping_castling(args.drop_castling)
    }

    /// Removes castling of Chess960, if `drops` says so.
    pub(crate) fn dropping_castling(self, drops: bool) -> Result<Self, Error> {
        if drops && self.format != Format::Binpack {
            return Err(Error::Argument(format!(
                "--drop-castling: {} has castling of Chess960, or no castling at all; leave it out",
                self.format
            )));
        }
        Ok(Self {
            castling: drops.then(Castling::default),
            ..self
        })
    }

    pub(crate) fn named(
        option: &str,
        path: &Path,
        format: Option<Format>,
        inputs: &[PathBuf],
    ) -> Result<Self, Error> {
        let format = format_to_write(path, format)?;
        let inputs: Vec<_> = inputs
            .iter()
            .map(|input| ("which is read", Some(input.as_path())))
            .collect();
        output::refuse_same(option, Some(path), &inputs).map_err(Error::Argument)?;
        let to = if is_standard(path) {
            To::Standard(io::stdout())
        } else {
            To::File(
                output::Output::create(path).map_err(|source| SystemError::write(path, source))?,
            )
        };
        let writer = Writer::new(format, BufWriter::with_capacity(1 << 16, to));
        Ok(Self {
            path: path.to_owned(),
            format,
            writer,
            count: 0,
            no_score: 0,
            no_move: 0,
            castling: None,
        })
    }

    /// Refuses input formats whose records this format cannot represent.
    pub(crate) fn takes(&self, from: Format) -> Result<(), String> {
        let to = self.format;
        if to == Format::Viriformat && !from.has_moves() {
            return Err(format!("{from} has no moves, which {to} needs"));
        }
        if (from, to) == (Format::Policy, Format::Policy) {
            return Err(
                "the visits of its moves would be lost: `nnue train` takes the file as it is"
                    .into(),
            );
        }
        Ok(())
    }

    /// Appends a record. Records without a required score or move are skipped and counted.
    pub(crate) fn write(&mut self, record: &Record) -> Result<(), Error> {
        let record = match &mut self.castling {
            None => *record,
            Some(castling) => match castling.remove(record) {
                Some(left) => left,
                None => return Ok(()),
            },
        };
        match self.writer.write(&record) {
            Ok(()) => self.count += 1,
            Err(WriteError::NoScore(_)) => self.no_score += 1,
            Err(WriteError::NoMove(_)) => self.no_move += 1,
            Err(WriteError::Io(source)) => return Err(failure(&self.path, source)),
            Err(reason) => {
                let left_out = self.castling.map_or(0, |castling| castling.moves);
                let number = self.count + self.no_score + self.no_move + left_out + 1;
                return Err(Error::Record {
                    number,
                    path: self.path.clone(),
                    format: self.format,
                    reason,
                });
            }
        }
        Ok(())
    }

    /// Commits the file and notes skipped records. Returns a description with the number of records.
    pub(crate) fn finish(self) -> Result<String, Error> {
        let path = self.path;
        let finished = self.writer.finish().map_err(|error| match error {
            WriteError::Io(source) => source,
            other => io::Error::other(other),
        });
        let written =
            finished.and_then(|buffer| buffer.into_inner().map_err(|error| error.into_error()));
        written
            .and_then(To::commit)
            .map_err(|source| failure(&path, source))?;
        for (count, what) in [(self.no_score, "score"), (self.no_move, "move")] {
            if count > 0 {
                note!(
                    "{count} positions without a {what} are left out: {} needs one",
                    self.format
                );
            }
        }
        if let Some(castling) = self.castling {
            castling.note();
        }
        Ok(format!("{} positions in {}", self.count, path.display()))
    }
}

/// The given format, otherwise that of the name. Files are not compressed.
fn format_to_write(path: &Path, given: Option<Format>) -> Result<Format, Error> {
    let Some(format) = given.or_else(|| Format::of_path(path)) else {
        return Err(match Format::of_input(path) {
            Some(format @ Format::Text) if !is_compressed(path) => Error::Argument(format!(
                "{}: this layout is read only: add --to {format}, and lines are `FEN | score | outcome`",
                path.display()
            )),
            Some(format) => Error::Argument(format!(
                "{}: files are not compressed: write `-o - --to {format}` into `zstd` or `gzip`",
                path.display()
            )),
            None => nameless(path, "--to"),
        });
    };
    Ok(format)
}

fn is_compressed(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "gz" || extension == "zst")
}

/// The error of a write; a closed pipe is not reported.
fn failure(path: &Path, source: io::Error) -> Error {
    if is_standard(path) {
        source.into()
    } else {
        SystemError::write(path, source).into()
    }
}

impl To {
    fn commit(self) -> io::Result<()> {
        match self {
            Self::File(file) => file.commit(),
            Self::Standard(mut stdout) => stdout.flush(),
        }
    }
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(stdout) => stdout.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(stdout) => stdout.flush(),
        }
    }
}
