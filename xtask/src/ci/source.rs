//! Checks of what is written: paths, licences, features.

use std::process::Command;

use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

/// Licences that what a user's program contains may have.
const PERMISSIVE: [&str; 6] = ["MIT", "Apache-2.0", "Zlib", "BSD-3-Clause", "Unicode-3.0", "LLVM-exception"];

/// Paths of one machine do not belong in the project.
pub(super) fn no_foreign_paths(shell: &Shell<'_>) -> Outcome {
    let mut grep = Command::new("git");
    grep.args(["grep", "-nE", "/wor[k]/|shared/net[s]", "--", ".", ":!.ci/run"]).current_dir(repo::root());
    match shell.run(grep) {
        Ok(()) => Err(Failure::new("paths of one machine do not belong in the project")),
        Err(_) => Ok(()),
    }
}

/// What a user's program gets without asking for a feature may be used in any program.
pub(super) fn licences(shell: &Shell<'_>) -> Outcome {
    let mut tree = repo::cargo();
    tree.args([
        "tree",
        "--quiet",
        "-p",
        "nnue",
        "-p",
        "nnue-data",
        "-p",
        "nnue-backend",
        "-p",
        "nnue-capi",
        "-e",
        "normal,build",
    ]);
    tree.args(["--prefix", "none", "--format", "{l}|{p}"]);
    let packages = shell.output(tree)?;
    let wrong: Vec<&str> = packages.lines().filter(|line| !line.is_empty() && !is_permissive(line)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(Failure::new(wrong.join("\n"))) }
}

/// The header of the C library is what `cbindgen` makes of the source.
pub(super) fn header(shell: &Shell<'_>) -> Outcome {
    let mut cbindgen = Command::new(repo::target_dir().join("cbindgen/bin/cbindgen"));
    cbindgen.args(["--quiet", "--verify", "--config", "cbindgen.toml", "--output", "include/nnue.h", "."]);
    cbindgen.current_dir(repo::root().join("nnue-capi"));
    shell.run(cbindgen)
}

/// Whether a line of `cargo tree`, `MIT OR Apache-2.0|name version`, names permissive licences only.
fn is_permissive(line: &str) -> bool {
    let licence = line.split('|').next().unwrap_or_default();
    let mut words =
        licence.split([' ', '(', ')', '/']).filter(|word| !word.is_empty() && !["OR", "AND", "WITH"].contains(word));
    !licence.is_empty() && words.all(|word| PERMISSIVE.contains(&word))
}

/// Every feature compiles without the others.
pub(super) fn features(shell: &Shell<'_>) -> Outcome {
    const SPEC: (&[&str], &[&str]) = (&["nnue-spec"], &["", "compiler", "reference", "compiler,reference"]);
    const NNUE: (&[&str], &[&str]) = (&["nnue-format", "nnue-runtime", "nnue"], &["", "std", "shakmaty", "cozy-chess"]);
    const COMMAND: (&[&str], &[&str]) = (&["nnue-cli"], &[""]);
    for (packages, features) in [SPEC, NNUE, COMMAND] {
        for features in features {
            shell.say(format!("{} --features '{features}'", packages.join(" ")));
            let mut clippy = repo::cargo();
            clippy.args(["clippy", "--quiet", "--no-default-features", "--features", features]);
            clippy.args(packages.iter().flat_map(|package| ["-p", package])).args(["--", "-D", "warnings"]);
            shell.run(clippy)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_judged_word_by_word() {
        assert!(is_permissive("MIT OR Apache-2.0|syn v3.0.0"));
        assert!(is_permissive("(MIT OR Apache-2.0) AND Unicode-3.0|unicode-ident v1.0.0"));
        assert!(!is_permissive("GPL-3.0-or-later|shakmaty v0.30.1"));
        assert!(!is_permissive("MIT AND LGPL-2.1|a v1.0.0"));
        assert!(!is_permissive("|unlicensed v1.0.0"));
    }
}
