//! The formats of files: those of training data, lists of FENs, tables.

use std::fmt;
use std::path::Path;

use crate::Format;

/// A format that is read or written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// a format of training data
    Data(Format),
    /// a FEN a line, which is only read
    Fens,
    /// columns
    Table(TableFormat),
}

/// A format of tables. Without the feature `arrow` they are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// files of Parquet
    Parquet,
    /// files of Arrow (IPC, Feather), or streams when they are read
    Arrow,
    /// streams of Arrow, or files when they are read
    ArrowStream,
}

impl FileFormat {
    /// All formats.
    pub const ALL: [Self; 12] = [
        Self::Data(Format::Binpack),
        Self::Data(Format::Bulletformat),
        Self::Data(Format::Marlinformat),
        Self::Data(Format::Viriformat),
        Self::Data(Format::Text),
        Self::Data(Format::Plain),
        Self::Data(Format::Pgn),
        Self::Data(Format::Policy),
        Self::Fens,
        Self::Table(TableFormat::Parquet),
        Self::Table(TableFormat::Arrow),
        Self::Table(TableFormat::ArrowStream),
    ];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data(format) => format.name(),
            Self::Fens => "fens",
            Self::Table(TableFormat::Parquet) => "parquet",
            Self::Table(TableFormat::Arrow) => "arrow",
            Self::Table(TableFormat::ArrowStream) => "arrow-stream",
        }
    }

    /// How names of files in this format end.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Data(format) => format.extensions(),
            Self::Fens => &["fen", "fens", "epd"],
            Self::Table(TableFormat::Parquet) => &["parquet"],
            Self::Table(TableFormat::Arrow) => &["arrow", "feather"],
            Self::Table(TableFormat::ArrowStream) => &["arrows"],
        }
    }

    /// The format that the name of a file stands for.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// What is wrong with writing the positions of files in the format `from` in this one, if anything.
    pub(crate) fn refuses(self, from: Self) -> Option<String> {
        let has_moves = match from {
            Self::Data(format) => format.has_moves(),
            Self::Fens => false,
            Self::Table(_) => true, // if there is a column of them
        };
        match (from, self) {
            (_, Self::Fens) => Some("lists of FENs have no scores: they are only read".into()),
            (_, Self::Data(Format::Viriformat)) if !has_moves => {
                Some(format!("{from} has no moves, which {self} needs"))
            }
            (Self::Data(Format::Policy), Self::Data(Format::Policy)) => Some(
                "the visits of its moves would be lost: `nnue train` takes the file as it is"
                    .into(),
            ),
            _ => None,
        }
    }
}

impl fmt::Display for TableFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        FileFormat::Table(*self).fmt(f)
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_and_extension_stands_for_one_format() {
        for format in Format::ALL {
            assert!(
                FileFormat::ALL.contains(&FileFormat::Data(format)),
                "{format}"
            );
        }
        for format in FileFormat::ALL {
            assert_eq!(
                FileFormat::ALL
                    .iter()
                    .filter(|other| other.name() == format.name())
                    .count(),
                1
            );
            for extension in format.extensions() {
                assert_eq!(
                    FileFormat::of_path(Path::new(&format!("a.{extension}"))),
                    Some(format)
                );
            }
        }
    }
}
