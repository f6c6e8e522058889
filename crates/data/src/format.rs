//! Formats that are chosen at run time.

use std::fmt;
use std::io::{Read, Write};
use std::path::Path;

use crate::policy::{self, PolicyRecord};
use crate::text::{line, plain};
use crate::{
    PassedOver, ReadError, Record, WriteError, binpack, bullet, extensions, marlin, pgn, viri,
};

/// A format of training data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// [`binpack`], of Stockfish's tools
    Binpack,
    /// [`bullet`]
    Bulletformat,
    /// [`marlin`]
    Marlinformat,
    /// [`viri`]
    Viriformat,
    /// [`mod@line`]: `FEN | score | outcome`
    Text,
    /// [`plain`]: six lines a position
    Plain,
    /// [`pgn`]
    Pgn,
    /// [`policy`]: positions with visits, which a [`Record`] does not hold
    Policy,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 8] = [
        Self::Binpack,
        Self::Bulletformat,
        Self::Marlinformat,
        Self::Viriformat,
        Self::Text,
        Self::Plain,
        Self::Pgn,
        Self::Policy,
    ];

    /// The name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Binpack => "binpack",
            Self::Bulletformat => "bulletformat",
            Self::Marlinformat => "marlinformat",
            Self::Viriformat => "viriformat",
            Self::Text => "text",
            Self::Plain => "plain",
            Self::Pgn => "pgn",
            Self::Policy => "policy",
        }
    }

    /// The file name extensions of this format.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Binpack => &["binpack"],
            Self::Bulletformat => &["bf", "bullet"],
            Self::Marlinformat => &["marlin"],
            Self::Viriformat => &["vf", "viri"],
            Self::Text => &["txt"],
            Self::Plain => &["plain"],
            Self::Pgn => &["pgn"],
            Self::Policy => &["policy"],
        }
    }

    /// The format of a file by its extension.
    ///
    /// ```
    /// use nnue_data::Format;
    ///
    /// assert_eq!(Format::of_path("data/test80.binpack".as_ref()), Some(Format::Binpack));
    /// assert_eq!(Format::of_path("data.bin".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The format of a file to be read: also of a compressed one, `.gz` or `.zst`, and of labelled positions in
    /// [`.epd` and `.csv`](mod@line).
    ///
    /// ```
    /// use nnue_data::Format;
    ///
    /// assert_eq!(Format::of_input("test80.binpack.zst".as_ref()), Some(Format::Binpack));
    /// assert_eq!(Format::of_input("quiet-labeled.epd".as_ref()), Some(Format::Text));
    /// ```
    pub fn of_input(path: &Path) -> Option<Self> {
        let ends_in = |path: &Path, known: &[&str]| {
            let extension = path.extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|found| known.contains(&found.to_ascii_lowercase().as_str()))
        };
        if ends_in(path, &extensions::COMPRESSED) {
            return Self::of_input(Path::new(path.file_stem()?));
        }
        let of_text = || ends_in(path, &["epd", "csv"]).then_some(Self::Text);
        Self::of_path(path).or_else(of_text)
    }

    /// Whether the format stores moves.
    pub const fn has_moves(self) -> bool {
        matches!(
            self,
            Self::Binpack | Self::Viriformat | Self::Plain | Self::Pgn | Self::Policy
        )
    }

    /// Whether the format stores plies.
    pub const fn has_plies(self) -> bool {
        !matches!(self, Self::Bulletformat)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Reads the records of a file in any format.
#[derive(Debug)]
#[non_exhaustive]
pub enum Reader<R> {
    /// a binpack
    Binpack(binpack::Reader<R>),
    /// boards of bullet
    Bulletformat(bullet::Reader<R>),
    /// boards of marlinformat
    Marlinformat(marlin::Reader<R>),
    /// games of viriformat
    Viriformat(viri::Reader<R>),
    /// lines of text
    Text(line::Reader<R>),
    /// positions of six lines
    Plain(plain::Reader<R>),
    /// games in PGN
    Pgn(pgn::Reader<R>),
    /// positions with visits; the visits are dropped
    Policy(policy::Reader<R>),
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(format: Format, input: R) -> Self {
        match format {
            Format::Binpack => Self::Binpack(binpack::Reader::new(input)),
            Format::Bulletformat => Self::Bulletformat(bullet::Reader::new(input)),
            Format::Marlinformat => Self::Marlinformat(marlin::Reader::new(input)),
            Format::Viriformat => Self::Viriformat(viri::Reader::new(input)),
            Format::Text => Self::Text(line::Reader::new(input)),
            Format::Plain => Self::Plain(plain::Reader::new(input)),
            Format::Pgn => Self::Pgn(pgn::Reader::new(input)),
            Format::Policy => Self::Policy(policy::Reader::new(input)),
        }
    }
}

impl<R> Reader<R> {
    /// What has been passed over so far, because nothing can be learned from it.
    pub fn passed_over(&self) -> PassedOver {
        match self {
            Self::Pgn(reader) => reader.passed_over(),
            _ => PassedOver::default(),
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        match self {
            Self::Binpack(reader) => reader.next(),
            Self::Bulletformat(reader) => reader.next(),
            Self::Marlinformat(reader) => reader.next(),
            Self::Viriformat(reader) => reader.next(),
            Self::Text(reader) => reader.next(),
            Self::Plain(reader) => reader.next(),
            Self::Pgn(reader) => reader.next(),
            Self::Policy(reader) => reader.next().map(|next| next.map(|found| found.record)),
        }
    }
}

/// Writes records in any format.
#[derive(Debug)]
#[non_exhaustive]
pub enum Writer<W> {
    /// a binpack
    Binpack(binpack::Writer<W>),
    /// boards of bullet
    Bulletformat(bullet::Writer<W>),
    /// boards of marlinformat
    Marlinformat(marlin::Writer<W>),
    /// games of viriformat
    Viriformat(viri::Writer<W>),
    /// lines of text
    Text(line::Writer<W>),
    /// positions of six lines
    Plain(plain::Writer<W>),
    /// games in PGN
    Pgn(pgn::Writer<W>),
    /// positions whose policy is their move
    Policy(policy::Writer<W>),
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, which should have a buffer.
    pub fn new(format: Format, output: W) -> Self {
        match format {
            Format::Binpack => Self::Binpack(binpack::Writer::new(output)),
            Format::Bulletformat => Self::Bulletformat(bullet::Writer::new(output)),
            Format::Marlinformat => Self::Marlinformat(marlin::Writer::new(output)),
            Format::Viriformat => Self::Viriformat(viri::Writer::new(output)),
            Format::Text => Self::Text(line::Writer::new(output)),
            Format::Plain => Self::Plain(plain::Writer::new(output)),
            Format::Pgn => Self::Pgn(pgn::Writer::new(output)),
            Format::Policy => Self::Policy(policy::Writer::new(output)),
        }
    }

    /// Appends a record. Formats that store games join records that come in the order of their game.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or the format cannot express the record
    /// ([`WriteError::is_incomplete`] if the record lacks a score or a move). Nothing is written then, and
    /// other records can follow.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        match self {
            Self::Binpack(writer) => writer.write(record),
            Self::Bulletformat(writer) => writer.write(record),
            Self::Marlinformat(writer) => writer.write(record),
            Self::Viriformat(writer) => writer.write(record),
            Self::Text(writer) => writer.write(record),
            Self::Plain(writer) => writer.write(record),
            Self::Pgn(writer) => writer.write(record),
            Self::Policy(writer) => writer.write(&PolicyRecord::from(*record)),
        }
    }

    /// Completes the file and returns the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(self) -> Result<W, WriteError> {
        match self {
            Self::Binpack(writer) => writer.finish(),
            Self::Bulletformat(writer) => writer.finish(),
            Self::Marlinformat(writer) => writer.finish(),
            Self::Viriformat(writer) => writer.finish(),
            Self::Text(writer) => writer.finish(),
            Self::Plain(writer) => writer.finish(),
            Self::Pgn(writer) => writer.finish(),
            Self::Policy(writer) => writer.finish(),
        }
    }
}
