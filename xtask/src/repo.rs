//! Where the repository is, and how chores run programs in it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Why a chore failed, for a person to read.
#[derive(Debug)]
pub(crate) struct Failure(String);

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What a chore returns.
pub(crate) type Outcome<T = ()> = Result<T, Failure>;

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root of the repository")
}

/// The folder that cargo builds into.
pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |dir| root().join(dir))
}

/// The cargo that runs this chore.
pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The file in a folder that was written last, of those whose names begin and end so.
pub(crate) fn newest(folder: &Path, begin: &str, end: &str) -> Outcome<PathBuf> {
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(failure)?.flatten();
    let is_wanted = |name: &str| name.starts_with(begin) && name.ends_with(end);
    let wanted = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_wanted));
    let newest = wanted.max_by_key(|entry| entry.metadata().and_then(|file| file.modified()).ok());
    newest
        .map(|entry| entry.path())
        .ok_or_else(|| Failure::new(format!("no {begin}*{end} in {}", folder.display())))
}

/// The contents of a text file of the repository.
pub(crate) fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Writes a text file and the folders above it.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Runs a program in the root of the repository with its output shown.
pub(crate) fn run(program: &str, args: &[&str]) -> Outcome {
    succeed(Command::new(program).args(args).current_dir(root()))
}

/// Runs a command with its output shown; fails if it does.
pub(crate) fn succeed(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::new(format!("{command:?}: {status}"))),
        Err(error) => Err(Failure::new(format!("{command:?}: {error}"))),
    }
}
/// Runs a command and returns what it printed; fails if it does.
pub(crate) fn output(command: &mut Command) -> Outcome<String> {
    let output = command
        .output()
        .map_err(|error| Failure::new(format!("{command:?}: {error}")))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!(
            "{command:?}: {}\n{said}",
            output.status
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
