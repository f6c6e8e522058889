//! Unfinished files of this process, and those that killed processes left behind.
//!
//! Their names are `.NAME.PROCESS-NUMBER.part`. A file is created only under a free name, and is locked while
//! it is open. So a file with such a name that nobody has locked, and whose process does not run, was left
//! behind by a killed process: the next writer of the same file removes it. Nothing else is ever removed.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Mutex, PoisonError};

/// File names that are tried before giving up.
const TRIES: u32 = 1000;

/// Held while a file is created and locked.
static CREATING: Mutex<()> = Mutex::new(());

/// Creates an unfinished file for `name` in `folder`, and removes those that killed processes left behind.
///
/// # Errors
///
/// If no file can be created.
pub(crate) fn create(folder: &Path, name: &str) -> io::Result<(PathBuf, File)> {
    // Another thread may have created a file and not locked it yet.
    let _creating = CREATING.lock().unwrap_or_else(PoisonError::into_inner);
    remove_left(folder, name);
    for number in 0..TRIES {
        let path = folder.join(format!(".{name}.{}-{number}.part", process::id()));
        let created = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path);
        match created {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
            Ok(file) => {
                // Where files have no locks, abandoned files are not removed.
                let _ = file.try_lock();
                return Ok((path, file));
            }
        }
    }
    Err(io::Error::new(
        io::ErrorKind::AlreadyExists,
        format!("{TRIES} unfinished files of this name are there already"),
    ))
}

/// Removes the unfinished files for `name` whose process was killed. Errors are ignored: an abandoned file
/// does no harm.
fn remove_left(folder: &Path, name: &str) {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let found = entry.file_name();
        let process = found.to_str().and_then(|found| process_of(found, name));
        if process.is_some_and(|process| is_left(&entry.path(), process)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The process id in the file name `found`, if it is an unfinished file for `name`.
fn process_of(found: &str, name: &str) -> Option<u32> {
    let middle = found
        .strip_prefix('.')?
        .strip_prefix(name)?
        .strip_prefix('.')?
        .strip_suffix(".part")?;
    // earlier versions wrote no number
    let (process, number) = middle.split_once('-').unwrap_or((middle, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits(number) && digits(process) {
        process.parse().ok()
    } else {
        None
    }
}

/// Whether a killed process left this file: a file and no link, not locked, and its process does not run.
fn is_left(path: &Path, process: u32) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|found| found.is_file());
    let is_locked = || {
        let file = OpenOptions::new().read(true).write(true).open(path);
        file.map_or(true, |file| file.try_lock().is_err())
    };
    is_file && !is_alive(process) && !is_locked()
}

/// Whether another process with this id runs; always `false` where that is unknown. The id of this process
/// does not count: a killed process may have had it too.
fn is_alive(process: u32) -> bool {
    cfg!(target_os = "linux")
        && process != process::id()
        && Path::new("/proc").join(process.to_string()).exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("nnue-own.{}.{name}", process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn names_say_whose_they_are() {
        for (found, process) in [
            (".net.4711-3.part", Some(4711)),
            (".net.4711.part", Some(4711)),
            ("net.4711-3.part", None),
            (".net.part", None),
            (".net.mine.part", None),
            (".net.4711-.part", None),
            (".net.+4711-3.part", None),
            (".net.nnue.4711-3.part", None),
        ] {
            assert_eq!(process_of(found, "net"), process, "{found}");
        }
    }

    #[test]
    fn what_a_killed_process_left_is_removed_and_nothing_else() {
        let folder = folder("left");
        // no process has such a large id
        let left = [".net.4294967295-0.part", ".net.4294967295.part"];
        let others = [
            ".net.mine.part",
            ".log.4294967295-0.part",
            "net.4294967295-0.part",
            "net.part",
        ];
        for name in left.iter().chain(&others) {
            fs::write(folder.join(name), name).unwrap();
        }
        let (path, file) = create(&folder, "net").unwrap();
        assert!(left.iter().all(|name| !folder.join(name).exists()));
        for name in others {
            assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), name);
        }
        // a file that is being written stays, although it has the id of this process
        let (second, _) = create(&folder, "net").unwrap();
        assert!(path.exists() && path != second);
        drop(file);
        drop(fs::write(&path, "old"));
        let (third, file) = create(&folder, "net").unwrap();
        // the names are free again
        assert_eq!((&third, file.metadata().unwrap().len()), (&path, 0));
        fs::remove_dir_all(folder).unwrap();
    }
}
