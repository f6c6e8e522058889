//! Regular files: a device never ends, and a pipe may wait for ever for one who writes.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a regular file, or a link to one, as `options` say.
///
/// # Errors
///
/// If it is a pipe, a device, a socket or a folder, or if the system refuses.
pub fn open(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let refused = || io::Error::new(io::ErrorKind::InvalidInput, NOT_REGULAR);
    // before it is opened, which waits where a pipe has no writer, and after, as it may have been replaced
    if !std::fs::metadata(path)?.is_file() {
        return Err(refused());
    }
    let file = options.open(path)?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(refused())
    }
}

const NOT_REGULAR: &str = "it is a pipe, a device or a folder, and a regular file is expected";

/// Opens a regular file to read it.
///
/// # Errors
///
/// As [`open`].
pub fn read(path: &Path) -> io::Result<File> {
    open(path, OpenOptions::new().read(true))
}
