//! Files of any format.

use std::io::Read;
use std::path::Path;

use super::{Format, Part, Records, text};
use crate::ReadError;
use crate::compressed;
use crate::files::regular;

/// Opens `part` of a file. Text may be compressed.
///
/// # Errors
///
/// [`ReadError`]: the file cannot be opened, or is no table that holds records. Without the feature `arrow`, all
/// tables are refused.
pub fn open(path: &Path, format: Format, part: &Part) -> Result<Records, ReadError> {
    match (format, part) {
        (Format::Text, Part::All) => Ok(open_text(regular::read_or_pipe(path)?)),
        (Format::Text, Part::Where { .. }) => Err(ReadError::Table("text has no columns".into())),
        (Format::Parquet | Format::Arrow, _) => open_table(path, format, part),
    }
}

/// Reads text, which may be compressed.
pub fn open_text(input: impl Read + Send + 'static) -> Records {
    let (bytes, fate) = compressed::open(input);
    Box::new(fate.follow(text::Reader::new(bytes)))
}

#[cfg(feature = "arrow")]
use super::tables::open as open_table;

#[cfg(not(feature = "arrow"))]
fn open_table(_: &Path, format: Format, _: &Part) -> Result<Records, ReadError> {
    let message = format!("{format} is read by builds with the feature `arrow`");
    Err(ReadError::Table(message))
}
