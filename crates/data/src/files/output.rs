//! Atomic output: files that are written whole or not at all.
//!
//! ```text
//!   net.nnue      the old file, or none ─────────────────────────────► the new file
//!                                                              rename ▲
//!   .net.nnue.4711-0.part    written ──► synced to the disk ──────────┘
//! ```
//!
//! After a kill, a full disk or a power cut the old file is as it was. At worst the unfinished part remains
//! beside it; the next process that writes the file removes the part. So an output may replace
//! an input.

use std::fs::{self, File, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::own;

/// Replaces the file at `path` atomically.
///
/// # Errors
///
/// If the file cannot be written.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut output = Output::create(path)?;
    output.write_all(contents)?;
    output.commit()
}

/// A file that is written piece by piece and replaces the old file on [`commit`](Self::commit). Without a
/// commit the old file stays as it is.
///
/// Writes are not buffered.
#[derive(Debug)]
pub struct Output {
    /// the resolved path: a link stays, and its target is replaced
    target: PathBuf,
    to: To,
}

#[derive(Debug)]
enum To {
    /// a new file, and the permissions of the old one, if there is one
    Part(Part, Option<Permissions>),
    /// a pipe or a device: it has no contents to lose, and cannot be replaced
    Itself(File),
}

impl Output {
    /// Begins to write the file at `path`.
    ///
    /// # Errors
    ///
    /// If no file can be created in its folder, or a device cannot be opened.
    pub fn create(path: &Path) -> io::Result<Self> {
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let to = match fs::metadata(&target) {
            Ok(found) if !found.is_file() => To::Itself(File::create(&target)?),
            Ok(found) => To::Part(Part::beside(&target)?, Some(found.permissions())),
            Err(_) => To::Part(Part::beside(&target)?, None),
        };
        Ok(Self { target, to })
    }

    /// Replaces the old file with the written one.
    ///
    /// # Errors
    ///
    /// If permissions cannot be set, or the file cannot be synced or renamed. The old file then stays as it is.
    pub fn commit(self) -> io::Result<()> {
        let To::Part(part, permissions) = self.to else {
            return Ok(());
        };
        if let Some(permissions) = permissions {
            part.file.set_permissions(permissions)?;
        }
        part.file.sync_all()?;
        fs::rename(&part.path, &self.target)?;
        sync_folder(&self.target)
    }

    fn file(&mut self) -> &mut File {
        match &mut self.to {
            To::Part(part, _) => &mut part.file,
            To::Itself(file) => file,
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

/// Refuses an output, named by `option`, that is also one of the named inputs: writing it would destroy the
/// input.
///
/// # Errors
///
/// The message for the user.
pub fn refuse_same(
    option: &str,
    output: Option<&Path>,
    inputs: &[(&str, Option<&Path>)],
) -> Result<(), String> {
    let Some(output) = output.and_then(identity) else {
        return Ok(());
    };
    let same = inputs.iter().find(|(_, input)| {
        input
            .and_then(identity)
            .is_some_and(|input| input == output)
    });
    same.map_or(Ok(()), |(what, input)| {
        let path = input.unwrap_or(Path::new("")).display();
        Err(format!(
            "{option} would overwrite {path}, {what}: name another file"
        ))
    })
}

/// Whether two paths name the same regular file, also through symbolic links and, on Unix, hard links.
pub fn is_same(a: &Path, b: &Path) -> bool {
    identity(a).is_some_and(|found| Some(found) == identity(b))
}

/// Device and inode of a regular file, which all its names share. `None` if there is no such file.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some((found.dev(), found.ino()))
}

/// The canonical path of a regular file. `None` if there is no such file.
#[cfg(not(unix))]
fn identity(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok().filter(|path| path.is_file())
}

/// An unfinished file. It is removed when dropped, unless it was renamed.
#[derive(Debug)]
struct Part {
    path: PathBuf,
    file: File,
}

impl Part {
    /// Creates an empty file in the folder of `target`, where a rename can replace `target`.
    fn beside(target: &Path) -> io::Result<Self> {
        let name = target
            .file_name()
            .ok_or(io::ErrorKind::InvalidFilename)?
            .to_string_lossy();
        let folder = target.parent().unwrap_or(Path::new(""));
        let (path, file) = own::create(folder, &name)?;
        Ok(Self { path, file })
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

/// Makes the rename durable.
#[cfg(unix)]
fn sync_folder(target: &Path) -> io::Result<()> {
    let folder = target
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // The file is in place even if the sync fails: some file systems cannot sync folders, and some
        // folders cannot be read.
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Folders cannot be synced here.
#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("nnue-data.{}.{name}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn a_file_changes_when_it_is_complete() {
        let folder = folder("complete");
        let path = folder.join("data");
        write(&path, b"old").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_all(b"ne").unwrap();
        output.write_all(b"w").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        output.commit().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_is_not_completed_leaves_nothing() {
        let folder = folder("given-up");
        let mut output = Output::create(&folder.join("data")).unwrap();
        output.write_all(b"half").unwrap();
        drop(output);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir_all(folder).unwrap();
    }
}
