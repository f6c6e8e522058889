//! `cargo xtask packages`: checks the contents of the published crates.
//!
//! Packages every crate and checks that readme and licences are included and that no source refers to a file
//! outside. `cargo xtask release` also builds each package on its own.

use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::repo::{self, Failure, Outcome};

/// Workspace members that are not published.
const PRIVATE: [&str; 5] = [
    "nnue-benches",
    "nnue-benches-engines",
    "nnue-testkit",
    "nnue-testkit-macros",
    "xtask",
];

/// Files that crates.io and the licences require.
const EXPECTED: [&str; 4] = ["Cargo.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE"];

/// Beginnings of expressions that make the compiler read a file.
const READS: [&str; 4] = [
    "include_str!(\"",
    "include_bytes!(\"",
    "include!(\"",
    "weights \"",
];

pub(crate) fn run(_: &[String]) -> Outcome {
    repo::succeed(command().arg("--no-verify"))?;
    let mut wrong = Vec::new();
    let packages = packages()?;
    for package in &packages {
        wrong.extend(faults(package)?);
    }
    if packages.is_empty() {
        return Err(Failure::new("cargo made no package"));
    }
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(wrong.join("\n")))
    }
}

/// Packages all published crates. Without `--no-verify` cargo builds each on its own, with the others as a
/// registry would have them.
pub(crate) fn command() -> Command {
    let mut package = repo::cargo();
    package.args(["package", "--quiet", "--workspace", "--allow-dirty"]);
    package
        .args(PRIVATE.iter().flat_map(|name| ["--exclude", name]))
        .arg("--target-dir")
        .arg(target());
    package
}

/// A separate folder, since packages are built while other folders are in use.
fn target() -> PathBuf {
    repo::target_dir().join("packages")
}

/// The packages of this version that cargo has made.
pub(crate) fn packages() -> Outcome<Vec<PathBuf>> {
    let folder = target().join("package");
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(&folder).map_err(failure)?;
    let mut paths = entries
        .map(|entry| Ok(entry.map_err(failure)?.path()))
        .collect::<Outcome<Vec<_>>>()?;
    let ending = concat!("-", env!("CARGO_PKG_VERSION"), ".crate");
    paths.retain(|path| path.to_string_lossy().ends_with(ending));
    paths.sort();
    Ok(paths)
}

fn faults(package: &Path) -> Outcome<Vec<String>> {
    let name = package
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let unpacked = target().join("unpacked");
    std::fs::create_dir_all(&unpacked)
        .map_err(|error| Failure::new(format!("{}: {error}", unpacked.display())))?;
    let list = repo::output(
        Command::new("tar")
            .arg("-xvzf")
            .arg(package)
            .arg("-C")
            .arg(&unpacked),
    )?;
    let inside = |path: &str| {
        path.strip_prefix(&*name)?
            .strip_prefix('/')
            .map(str::to_owned)
    };
    let files: BTreeSet<String> = list.lines().filter_map(inside).collect();
    let missing = EXPECTED.iter().filter(|file| !files.contains(**file));
    let mut faults: Vec<String> = missing
        .map(|file| format!("{name} has no {file}"))
        .collect();
    for source in files.iter().filter(|file| file.ends_with(".rs")) {
        let text = repo::read(&unpacked.join(&name).join(source))?;
        let outside = read_files(source, &text).filter(|(_, file)| !files.contains(file));
        faults.extend(outside.map(|(said, _)| {
            format!("{name}: {source} reads `{said}`, which is not in the package")
        }));
    }
    Ok(faults)
}

/// The files that a source makes the compiler read: as named, and relative to the package root. Comments are
/// skipped, since examples in them name files too.
fn read_files(source: &str, text: &str) -> impl Iterator<Item = (String, String)> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let named = code.flat_map(|line| {
        READS
            .iter()
            .filter_map(move |start| Some((*start, line.split_once(start)?.1)))
    });
    let folder = Path::new(source).parent().unwrap_or(Path::new(""));
    named.filter_map(move |(start, rest)| {
        let said = rest.split_once('"')?.0;
        // paths of weights start at the root
        let from = if start.starts_with("weights") {
            Path::new("")
        } else {
            folder
        };
        Some((said.to_owned(), without_dots(&from.join(said))?))
    })
}

/// Resolves `..`. A path that leaves the root keeps its `..`, so no package contains it.
fn without_dots(path: &Path) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for component in path.components() {
        match component {
            Component::ParentDir if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            other => parts.push(other.as_os_str().to_str()?),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_the_compiler_reads_are_found() {
        let source = r#"
            const GAMES: &str = include_str!("../../data/games.tsv");
            // include_str!("comment")
            weights "nets/default.nnue";
            include!("../../../tests/golden.rs");
        "#;
        let found: Vec<String> = read_files("src/bench/data.rs", source)
            .map(|(_, file)| file)
            .collect();
        assert_eq!(
            found,
            ["data/games.tsv", "nets/default.nnue", "../tests/golden.rs"]
        );
    }
}
