//! The formats of files: training data, lists of FENs, tables.

use std::fmt;
use std::path::Path;

use crate::{Format, extensions};

/// A format of an input or output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileFormat {
    /// a format of training data
    Data(Format),
    /// one FEN a line, read only
    Fens,
    /// a table
    Table(TableFormat),
}

/// A format of tables. Without the feature `arrow`, tables are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TableFormat {
    /// Parquet files
    Parquet,
    /// Arrow files (IPC, Feather); streams are read too
    Arrow,
    /// Arrow streams; files are read too
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

    /// The name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Data(format) => format.name(),
            Self::Fens => "fens",
            Self::Table(TableFormat::Parquet) => "parquet",
            Self::Table(TableFormat::Arrow) => "arrow",
            Self::Table(TableFormat::ArrowStream) => "arrow-stream",
        }
    }

    /// The file name extensions of this format.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Data(format) => format.extensions(),
            Self::Fens => &["fen", "fens", "epd"],
            Self::Table(TableFormat::Parquet) => extensions::PARQUET,
            Self::Table(TableFormat::Arrow) => extensions::ARROW_FILES,
            Self::Table(TableFormat::ArrowStream) => extensions::ARROW_STREAMS,
        }
    }

    /// The format of a file by its extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        Self::ALL
            .into_iter()
            .find(|format| format.extensions().contains(&extension.as_str()))
    }

    /// The format of a file to be read, which may be compressed unless it is a table: `.binpack.zst`, `.fens.gz`.
    pub fn of_input(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if !extensions::COMPRESSED.contains(&extension.as_str()) {
            return Self::of_path(path);
        }
        let within = Self::of_path(Path::new(path.file_stem()?));
        within.filter(|format| !matches!(format, Self::Table(_)))
    }

    /// Why positions of files in the format `from` cannot be written in this one, if so.
    pub(crate) fn refuses(self, from: Self) -> Option<String> {
        let has_moves = match from {
            Self::Data(format) => format.has_moves(),
            Self::Fens => false,
            Self::Table(_) => true, // if there is such a column
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
    fn inputs_may_be_compressed() {
        let of = |name: &str| FileFormat::of_input(Path::new(name));
        assert_eq!(of("a.binpack.zst"), Some(FileFormat::Data(Format::Binpack)));
        assert_eq!(of("a.b.fens.GZ"), Some(FileFormat::Fens));
        assert_eq!(of("a.fens"), Some(FileFormat::Fens));
        assert_eq!(of("a.parquet.gz"), None);
        assert_eq!(of("a.zst"), None);
    }

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
