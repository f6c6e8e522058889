//! The input files, as one sequence of records.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use nnue_data::compressed::{self, Bytes, Followed};
use nnue_data::files::regular;
use nnue_data::{Format, Interleave, PassedOver, ReadError, Reader, Record};
use nnue_format::signature::HEAD;

use crate::args::train::InputArgs;
use crate::error::Error;
use crate::input::kind;
use crate::note::note;
use crate::progress::Progress;
use crate::system::SystemError;

/// Most faults reported one by one with `--keep-going`.
const TOLD: u64 = 10;

pub(crate) struct Input {
    records: Box<dyn Iterator<Item = Result<Record, Failure>>>,
    keep_going: bool,
    damaged: u64,
    count: u64,
}

struct Failure {
    path: PathBuf,
    format: Format,
    error: ReadError,
}

impl Failure {
    /// What the file is, if it is of another kind from its first byte on.
    fn other_kind(&self) -> Option<&'static str> {
        match self.error {
            ReadError::Damaged { place, .. } if place.offset == 0 => {
                other_kind(&self.path, Some(self.format))
            }
            _ => None,
        }
    }
}

/// The order of records from several files.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    /// file after file
    Given,
    /// mixed by game, with this seed
    Mixed(u64),
}

/// Requirement for the positions of records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rule {
    /// networks can evaluate them, which all readers ensure
    Evaluation,
    /// moves can be made; other positions are faults of their records
    Game,
}

impl Rule {
    fn check(self, number: u64, record: Record) -> Result<Record, ReadError> {
        match self {
            Self::Evaluation => Ok(record),
            Self::Game => match record.position.check_of_game() {
                Ok(()) => Ok(record),
                Err(error) => Err(ReadError::Illegal { number, error }),
            },
        }
    }
}

pub(crate) enum End {
    /// at the end of the files, or because no more records were wanted
    Whole,
    Damaged(PathBuf, ReadError),
}

pub(crate) fn is_standard(path: &Path) -> bool {
    path == Path::new("-")
}

/// The format of a file to read: the given one, otherwise that of its name.
pub(crate) fn format_of(path: &Path, given: Option<Format>) -> Result<Format, Error> {
    let format = given.or_else(|| Format::of_input(path));
    format.ok_or_else(|| match other_kind(path, None) {
        Some(kind) => kind::refused(path, kind),
        None => nameless(path, "--from"),
    })
}

/// What a file is that is not of this format, by its first bytes. `None` if they do not say.
fn other_kind(path: &Path, format: Option<Format>) -> Option<&'static str> {
    let is_text = matches!(
        format,
        None | Some(Format::Text | Format::Plain | Format::Pgn)
    );
    let is_of_format = |kind: &str| {
        let kind = kind.to_ascii_lowercase();
        format.is_some_and(|format| kind.contains(&format!("({})", format.name())))
    };
    let kind = kind::named(&head(path))?;
    let is_plain_text = is_text && kind == "a text file";
    let is_read = is_plain_text || kind.contains("-compressed") || is_of_format(kind);
    (!is_read).then_some(kind)
}

/// The first bytes of a regular file; none of others, which can be read only once.
fn head(path: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    if path.is_file()
        && let Ok(file) = File::open(path)
    {
        // A file that cannot be read is an error where all of it is read.
        let _ = file.take(HEAD as u64).read_to_end(&mut head);
    }
    head
}

/// An error for a name that says no format.
pub(crate) fn nameless(path: &Path, option: &str) -> Error {
    let names = Format::ALL.map(Format::name).join(", ");
    Error::Argument(format!(
        "{}: the name does not say the format; add {option} with one of {names}",
        path.display()
    ))
}

impl Input {
    /// Opens all files. `needs` refuses formats that lack what the command needs.
    pub(crate) fn open(
        args: &InputArgs,
        order: Order,
        needs: impl Fn(Format) -> Result<(), String>,
    ) -> Result<Self, Error> {
        Self::open_by(Rule::Evaluation, args, order, needs)
    }

    /// As [`open`](Self::open), with a rule for positions.
    pub(crate) fn open_by(
        rule: Rule,
        args: &InputArgs,
        order: Order,
        needs: impl Fn(Format) -> Result<(), String>,
    ) -> Result<Self, Error> {
        let mut sources = Vec::new();
        for path in &args.inputs {
            let format = format_of(path, args.from.map(|format| format.0))?;
            needs(format)
                .map_err(|message| Error::Argument(format!("{}: {message}", path.display())))?;
            sources.push(Source::open(path, format)?);
        }
        let progress = Rc::new(match sources.iter().map(|source| source.size).sum() {
            Some(total) => Progress::bytes("reading", total),
            None => Progress::endless("reading: byte"),
        });
        let files = sources
            .into_iter()
            .map(move |source| source.records(rule, Rc::clone(&progress)));
        let records: Box<dyn Iterator<Item = _>> = match order {
            Order::Given => Box::new(files.flat_map(|(records, _)| records)),
            Order::Mixed(seed) => Box::new(Interleave::new(files, seed)),
        };
        Ok(Self {
            records,
            keep_going: args.keep_going,
            damaged: 0,
            count: 0,
        })
    }

    /// Passes every record to `each`, until it returns `false`.
    pub(crate) fn for_each(
        &mut self,
        mut each: impl FnMut(&Record) -> Result<bool, Error>,
    ) -> Result<End, Error> {
        while let Some(next) = self.records.next() {
            match next {
                Ok(record) => {
                    self.count += 1;
                    if !each(&record)? {
                        break;
                    }
                }
                Err(Failure {
                    path,
                    error: ReadError::Io(source),
                    ..
                }) => {
                    return Err(SystemError::read(path, source).into());
                }
                Err(failure) if self.keep_going => self.pass_over(&failure),
                Err(failure) => {
                    return match failure.other_kind() {
                        Some(kind) => Err(kind::refused(&failure.path, kind)),
                        None => Ok(End::Damaged(failure.path, failure.error)),
                    };
                }
            }
        }
        if self.damaged > TOLD {
            note!("{} more places are damaged", self.damaged - TOLD);
        }
        Ok(End::Whole)
    }

    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    fn pass_over(&mut self, failure: &Failure) {
        self.damaged += 1;
        if self.damaged <= TOLD {
            note!(
                "{}: {}; it is left out",
                failure.path.display(),
                failure.error
            );
        }
    }
}

impl End {
    /// An error for a damaged file; `kept` describes what became of the records before the damage.
    pub(crate) fn judge(self, kept: impl FnOnce() -> String) -> Result<(), Error> {
        match self {
            Self::Whole => Ok(()),
            Self::Damaged(path, fault) => Err(Error::Damaged {
                path,
                fault,
                kept: kept(),
            }),
        }
    }
}

struct Source {
    path: PathBuf,
    format: Format,
    input: Box<dyn Read>,
    /// in bytes; `None` for pipes
    size: Option<u64>,
}

impl Source {
    fn open(path: &Path, format: Format) -> Result<Self, Error> {
        let source = |input, size| Self {
            path: path.to_owned(),
            format,
            input,
            size,
        };
        if is_standard(path) {
            return Ok(source(Box::new(io::stdin()), None));
        }
        let failure = |source| Error::from(SystemError::read(path, source));
        let file = regular::read_or_pipe(path).map_err(failure)?;
        let found = file.metadata().map_err(failure)?;
        Ok(source(
            Box::new(file),
            found.is_file().then_some(found.len()),
        ))
    }

    /// The records, and the size as a weight for mixing.
    fn records(self, rule: Rule, progress: Rc<Progress>) -> (Records, f64) {
        let weight = self.size.unwrap_or_default().max(1) as f64;
        let (bytes, fate) = compressed::open(Counted {
            input: self.input,
            progress,
        });
        let records = Records {
            path: self.path,
            format: self.format,
            reader: fate.follow(Reader::new(self.format, bytes)),
            rule,
            number: 0,
        };
        (records, weight)
    }
}

/// The records of a file. At its end, a note says what was passed over.
struct Records {
    path: PathBuf,
    format: Format,
    reader: Followed<Reader<Bytes<Counted>>>,
    rule: Rule,
    /// records so far
    number: u64,
}

impl Records {
    fn note(&self) {
        let passed_over: PassedOver = self.reader.get_ref().passed_over();
        if !passed_over.is_empty() {
            note!("{}: passed over: {passed_over}", self.path.display());
        }
    }
}

impl Iterator for Records {
    type Item = Result<Record, Failure>;

    fn next(&mut self) -> Option<Self::Item> {
        let Some(next) = self.reader.next() else {
            self.note();
            return None;
        };
        self.number += u64::from(next.is_ok());
        let allowed = next.and_then(|record| self.rule.check(self.number, record));
        Some(allowed.map_err(|error| Failure {
            path: self.path.clone(),
            format: self.format,
            error,
        }))
    }
}

/// Reads bytes and reports progress.
struct Counted {
    input: Box<dyn Read>,
    progress: Rc<Progress>,
}

impl Read for Counted {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(bytes)?;
        self.progress.advance(read as u64);
        Ok(read)
    }
}
