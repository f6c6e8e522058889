//! Opens only regular files or pipes. A device never ends, and a pipe may wait for a writer forever.

use std::fs::{File, FileType, Metadata, OpenOptions};
use std::io;
use std::path::Path;

/// The kinds of files that may be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accepted {
    /// a regular file, which can be read again
    File,
    /// a regular file, or a pipe: shells give one for `<(..)`
    FileOrPipe,
}

const NOT_REGULAR: &str = "it is a pipe, a device or a folder, and a regular file is expected";

const DEVICE: &str = "it is a device: a file is expected";

impl Accepted {
    /// The metadata of `path`, which is not opened: opening some devices has side effects.
    ///
    /// # Errors
    ///
    /// If nothing is there, or a kind of file that is not accepted.
    pub fn check(self, path: &Path) -> io::Result<Metadata> {
        let found = path.metadata()?;
        self.require(found.file_type())?;
        Ok(found)
    }

    fn require(self, found: FileType) -> io::Result<()> {
        let refused = |why| Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        match self {
            _ if found.is_file() => Ok(()),
            Self::File => refused(NOT_REGULAR),
            Self::FileOrPipe if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
            Self::FileOrPipe if is_device(found) => refused(DEVICE),
            Self::FileOrPipe => Ok(()),
        }
    }

    /// Opens `path` with `options`.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), or if the system refuses.
    pub fn open(self, path: &Path, options: &OpenOptions) -> io::Result<File> {
        // Checked before opening, which blocks on a pipe without a writer, and after it, as the file may have
        // been replaced.
        self.check(path)?;
        let file = options.open(path)?;
        self.require(file.metadata()?.file_type())?;
        Ok(file)
    }
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Opens a regular file, or a link to one, to read it.
///
/// # Errors
///
/// If it is a pipe, a device, a socket or a folder, or if the system refuses.
pub fn read(path: &Path) -> io::Result<File> {
    Accepted::File.open(path, OpenOptions::new().read(true))
}

/// Opens a regular file or a pipe to read it.
///
/// # Errors
///
/// If it is a device or a folder, or if the system refuses.
pub fn read_or_pipe(path: &Path) -> io::Result<File> {
    Accepted::FileOrPipe.open(path, OpenOptions::new().read(true))
}
