//! Paths of the repository, and helpers to run programs in it.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

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

pub(crate) type Outcome<T = ()> = Result<T, Failure>;

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask lies in the root of the repository")
}

pub(crate) fn target_dir() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root().join("target"), |dir| root().join(dir))
}

pub(crate) fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root());
    command
}

/// The newest file in a folder whose name begins with `begin` and ends with `end`.
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

pub(crate) fn read(path: &Path) -> Outcome<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Writes a text file and creates its folders.
pub(crate) fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)
        .and_then(|()| std::fs::write(path, text))
        .map_err(|error| Failure::new(format!("{}: {error}", path.display())))
}

/// Runs a program in the repository root and shows its output.
pub(crate) fn run(program: &str, args: &[&str]) -> Outcome {
    succeed(Command::new(program).args(args).current_dir(root()))
}

/// Runs a command and shows its output; fails if the command does.
pub(crate) fn succeed(command: &mut Command) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure::new(format!("{command:?}: {status}"))),
        Err(error) => Err(Failure::new(format!("{command:?}: {error}"))),
    }
}
/// Runs a command and returns its output; fails if the command does.
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
