//! Collects the licences of everything in a binary into one text.
//!
//! The packages are those that cargo builds for the target; the texts are files in their sources. Equal texts
//! are printed once.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::repo::{self, Failure, Outcome};

const HEAD: &str = "\
The programs in this archive are MIT or Apache-2.0, at your choice (LICENSE-MIT, LICENSE-APACHE). They contain the standard library of Rust
(MIT or Apache-2.0; https://github.com/rust-lang/rust/blob/main/COPYRIGHT) and the packages listed here; those for Linux also musl (MIT;
LICENSE-musl) and LLVM's unwinder (Apache-2.0 with LLVM's exception; https://llvm.org/LICENSE.txt). Where licences are joined by OR, the
choice is the reader's.\n";

/// Beginnings of the names of licence files.
const FILES: [&str; 6] = [
    "LICENSE",
    "LICENCE",
    "COPYING",
    "COPYRIGHT",
    "NOTICE",
    "UNLICENSE",
];

/// Licence expressions of packages, by `name version`.
type Packages = BTreeMap<String, String>;

/// The licences in binaries of these workspace packages and features.
pub(super) fn of(
    packages: impl Iterator<Item = (&'static str, &'static str)>,
    target: &str,
) -> Outcome<String> {
    let mut all = Packages::new();
    for (package, features) in packages {
        all.extend(built(
            repo::cargo().args(["-p", package, "--features", features]),
            target,
        )?);
    }
    text(&all, &mut repo::cargo())
}

/// The licences in the build of a crate outside the workspace.
pub(super) fn of_folder(folder: &str, target: &str) -> Outcome<String> {
    let cargo = || {
        let mut cargo = repo::cargo();
        cargo.current_dir(repo::root().join(folder));
        cargo
    };
    text(&built(&mut cargo(), target)?, &mut cargo())
}

/// The packages that cargo builds into a binary, except our own. `cargo` has the arguments that select it.
fn built(cargo: &mut Command, target: &str) -> Outcome<Packages> {
    let mut tree = repo::cargo();
    tree.args([
        "tree", "--quiet", "--locked", "-e", "normal", "--prefix", "none", "--format", "{p}|{l}",
        "--target", target,
    ]);
    tree.args(cargo.get_args());
    if let Some(folder) = cargo.get_current_dir() {
        tree.current_dir(folder);
    }
    Ok(listed(&repo::output(&mut tree)?))
}

/// The packages in the output of `cargo tree`: `name v1.2.3 (proc-macro)|MIT (*)`. Excludes our own, which
/// have a path, and macros, which are not in a binary.
fn listed(tree: &str) -> Packages {
    let lines = tree.lines().filter_map(|line| line.split_once('|'));
    let others = lines.filter(|(package, _)| !package.contains('('));
    others
        .map(|(package, licence)| {
            (
                package.replacen(" v", " ", 1),
                licence.trim_end_matches(" (*)").to_owned(),
            )
        })
        .collect()
}

fn text(packages: &Packages, cargo: &mut Command) -> Outcome<String> {
    let sources = sources(&repo::output(cargo.args([
        "metadata",
        "--locked",
        "--all-features",
        "--format-version",
        "1",
    ]))?);
    let mut text = HEAD.to_owned();
    let mut printed: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for (package, licence) in packages {
        text.push_str(&format!("\n{package}: {licence}"));
        let folder = sources
            .get(package)
            .ok_or_else(|| Failure::new(format!("cargo knows no sources of {package}")))?;
        let files = files(folder)?;
        if files.is_empty() {
            text.push_str(" (its sources have no file with the text)");
        }
        for file in files {
            printed
                .entry(repo::read(&file)?.trim().to_owned())
                .or_default()
                .insert(package);
        }
    }
    for (licence, of) in printed {
        let of: Vec<&str> = of.into_iter().collect();
        text.push_str(&format!(
            "\n\n{}\n{}\n\n{licence}\n",
            "=".repeat(80),
            of.join(", ")
        ));
    }
    Ok(text)
}

fn files(folder: &Path) -> Outcome<Vec<PathBuf>> {
    let failure = |error| Failure::new(format!("{}: {error}", folder.display()));
    let entries = std::fs::read_dir(folder).map_err(failure)?;
    let paths = entries
        .map(|entry| Ok(entry.map_err(failure)?.path()))
        .collect::<Outcome<Vec<_>>>()?;
    let is_licence = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .to_uppercase();
        FILES.iter().any(|start| name.starts_with(start)) && path.is_file()
    };
    let mut files: Vec<PathBuf> = paths.into_iter().filter(is_licence).collect();
    files.sort();
    Ok(files)
}

/// The folders of all packages by `name version`, from `cargo metadata`. Cargo names folders `name-version`.
fn sources(metadata: &str) -> BTreeMap<String, PathBuf> {
    let manifests = metadata
        .split("\"manifest_path\":\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next());
    let folders = manifests.filter_map(|manifest| Path::new(manifest).parent());
    let named = folders.filter_map(|folder| {
        let name = folder.file_name()?.to_str()?;
        let version = name
            .match_indices('-')
            .find(|(at, _)| {
                name[at + 1..].starts_with(|c: char| c.is_ascii_digit())
                    && name[at + 1..].contains('.')
            })?
            .0;
        Some((
            format!("{} {}", &name[..version], &name[version + 1..]),
            folder.to_owned(),
        ))
    });
    named.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_of_a_binary_are_those_of_others_without_macros() {
        let tree = "nnue-cli v0.1.0 (/x/nnue-cli)|MIT OR Apache-2.0\nitoa v1.0.18|MIT OR Apache-2.0\nserde_derive v1.0.2 (proc-macro)|MIT\n\
                    itoa v1.0.18|MIT OR Apache-2.0 (*)\n";
        let expected = Packages::from([("itoa 1.0.18".into(), "MIT OR Apache-2.0".into())]);
        assert_eq!(listed(tree), expected);
    }

    #[test]
    fn sources_are_found_by_name_and_version() {
        let metadata = r#"{"manifest_path":"/r/zlib-rs-0.5.2/Cargo.toml","x":1},{"manifest_path":"/r/wasi-0.11.1+wasi-snapshot/Cargo.toml"}"#;
        let found: Vec<String> = sources(metadata).into_keys().collect();
        assert_eq!(found, ["wasi 0.11.1+wasi-snapshot", "zlib-rs 0.5.2"]);
    }

    #[test]
    fn the_command_contains_only_packages_with_a_known_licence() {
        let text = of(
            [("nnue-cli", "full")].into_iter(),
            "x86_64-unknown-linux-gnu",
        )
        .expect("cargo lists them");
        assert!(
            text.contains("\ncozy-chess 0.3.") && text.contains("\nclap 4."),
            "{}",
            &text[..2000.min(text.len())]
        );
        assert!(!text.contains("shakmaty"));
        assert!(text.contains("Permission is hereby granted, free of charge"));
    }
}
