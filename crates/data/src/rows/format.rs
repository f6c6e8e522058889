//! Formats of files.

use std::fmt;
use std::path::Path;

use crate::extensions;

/// A format of records over lists of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// [text](super::text), one record a line, which may be compressed
    Text,
    /// Parquet, with the feature `arrow`
    Parquet,
    /// Arrow (IPC, Feather), a file or a stream, with the feature `arrow`
    Arrow,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 3] = [Self::Text, Self::Parquet, Self::Arrow];

    /// The name of the format.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "rows",
            Self::Parquet => "parquet",
            Self::Arrow => "arrow",
        }
    }

    /// The file name extensions of this format.
    pub const fn extensions(self) -> &'static [&'static str] {
        match self {
            Self::Text => &["rows", "txt"],
            Self::Parquet => extensions::PARQUET,
            Self::Arrow => extensions::ARROW,
        }
    }

    /// The format of a file to be read, by its extension. Text may be compressed: `.rows.zst`, `.txt.gz`.
    ///
    /// ```
    /// use nnue_data::rows::Format;
    ///
    /// assert_eq!(Format::of_input("clicks.rows.gz".as_ref()), Some(Format::Text));
    /// assert_eq!(Format::of_input("clicks.parquet".as_ref()), Some(Format::Parquet));
    /// assert_eq!(Format::of_input("clicks.parquet.gz".as_ref()), None);
    /// ```
    pub fn of_input(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        if extensions::COMPRESSED.contains(&extension.as_str()) {
            let within = Self::of_input(Path::new(path.file_stem()?));
            return within.filter(|&format| format == Self::Text);
        }
        let has = |format: &Self| format.extensions().contains(&extension.as_str());
        Self::ALL.into_iter().find(has)
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
