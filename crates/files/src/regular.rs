//! Opens only regular files: opening a pipe may wait for a writer forever, and a device never ends.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Opens a regular file, or a link to one, to read it.
///
/// # Errors
///
/// If it is a folder, a pipe, a device or a socket, or if the system refuses.
pub fn open(path: impl AsRef<Path>) -> io::Result<File> {
    let path = path.as_ref();
    // Checked before opening, which blocks on a pipe without a writer, and after it, as the file may have been
    // replaced.
    require_regular(&path.metadata()?)?;
    let file = File::open(path)?;
    require_regular(&file.metadata()?)?;
    Ok(file)
}

fn require_regular(found: &Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    if found.is_file() {
        return Ok(());
    }
    let why = "it is a pipe, a device or a socket, and a regular file is expected";
    Err(io::Error::new(ErrorKind::InvalidInput, why))
}
