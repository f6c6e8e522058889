//! Checks of the source: paths, licences, features.

use std::process::Command;

use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

/// Allowed licences of code in users' programs, as in `deny.toml`.
const PERMISSIVE: [&str; 7] = [
    "MIT",
    "Apache-2.0",
    "Zlib",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "Unicode-3.0",
    "ISC",
];

/// The published packages, with every feature but `shakmaty`.
const PUBLISHED: &str = "-p nnue -p nnue-data -p nnue-backend -p nnue-capi -p nnue-import -p nnue-cli -p nnue-train \
    --features nnue/cozy-chess,nnue-cli/full,nnue-train/cuda";

/// Checks that no machine-specific paths are in the project.
pub(super) fn no_foreign_paths(shell: &Shell<'_>) -> Outcome {
    let mut grep = Command::new("git");
    grep.args([
        "grep",
        "-nE",
        "/wor[k]/|shared/net[s]",
        "--",
        ".",
        ":!.ci/run",
    ])
    .current_dir(repo::root());
    match shell.run(grep) {
        Ok(()) => Err(Failure::new(
            "paths of one machine do not belong in the project",
        )),
        Err(_) => Ok(()),
    }
}

/// Checks that code in users' programs (without `shakmaty`) and in the commands has a permissive licence.
pub(super) fn licences(shell: &Shell<'_>) -> Outcome {
    let mut tree = repo::cargo();
    tree.args([
        "tree",
        "--quiet",
        "-e",
        "normal,build",
        "--prefix",
        "none",
        "--format",
        "{l}|{p}",
    ]);
    tree.args(PUBLISHED.split_whitespace());
    let packages = shell.output(tree)?;
    let wrong: Vec<&str> = packages
        .lines()
        .filter(|line| !line.is_empty() && !is_permissive(line))
        .collect();
    if wrong.is_empty() {
        Ok(())
    } else {
        Err(Failure::new(wrong.join("\n")))
    }
}

/// Whether a line of `cargo tree`, `MIT OR Apache-2.0|name version`, offers a permissive licence. Exceptions
/// only permit more.
fn is_permissive(line: &str) -> bool {
    let licence = line
        .split('|')
        .next()
        .unwrap_or_default()
        .replace(['(', ')'], "")
        .replace('/', " OR ");
    let is_known =
        |one: &str| PERMISSIVE.contains(&one.split(" WITH ").next().unwrap_or_default().trim());
    licence
        .split(" AND ")
        .all(|part| part.split(" OR ").any(is_known))
}

/// Checks that every feature compiles without the others. The macro is built for each set of features, and has
/// few networks to expand: it is not optimised.
pub(super) fn features(shell: &Shell<'_>) -> Outcome {
    const SPEC: (&[&str], &[&str]) = (
        &["nnue-spec"],
        &[
            "",
            "compiler",
            "reference",
            "real",
            "compiler,reference",
            "real,reference",
        ],
    );
    const NNUE: (&[&str], &[&str]) = (
        &["nnue-runtime", "nnue"],
        &[
            "",
            "std",
            "shakmaty",
            "cozy-chess",
            "all-levels",
            "dense",
            "described",
            "golden",
            "intermediate",
            "subnets",
            "full",
        ],
    );
    const FILES: (&[&str], &[&str]) = (
        &["nnue-format"],
        &["", "std", "dense", "golden", "subnets", "std,golden"],
    );
    const STOCKFISH: (&[&str], &[&str]) = (&["nnue"], &["stockfish"]);
    const COMPILER: (&[&str], &[&str]) = (&["nnue-codegen"], &["", "golden"]);
    const COMMAND: (&[&str], &[&str]) = (&["nnue-cli"], &["", "plot"]);
    const LIBRARY: (&[&str], &[&str]) = (&["nnue-capi"], &["", "described", "rows", "search"]);
    const TOOLS: (&[&str], &[&str]) = (
        &["nnue-tools"],
        &[
            "",
            "compression",
            "declaration",
            "golden",
            "quantize",
            "search",
            "plot",
            "networks",
        ],
    );
    for (packages, features) in [
        SPEC, FILES, NNUE, STOCKFISH, COMPILER, TOOLS, COMMAND, LIBRARY,
    ] {
        for features in features {
            shell.say(format!("{} --features '{features}'", packages.join(" ")));
            let mut clippy = repo::cargo();
            clippy.args([
                "clippy",
                "--quiet",
                "--no-default-features",
                "--features",
                features,
            ]);
            clippy
                .args(packages.iter().flat_map(|package| ["-p", package]))
                .args(["--", "-D", "warnings"])
                .env("CARGO_PROFILE_DEV_BUILD_OVERRIDE_OPT_LEVEL", "0");
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
        assert!(is_permissive(
            "(MIT OR Apache-2.0) AND Unicode-3.0|unicode-ident v1.0.0"
        ));
        assert!(is_permissive("CC0-1.0 OR MIT-0 OR Apache-2.0|a v1.0.0"));
        assert!(is_permissive("MIT/Apache-2.0|a v1.0.0"));
        assert!(is_permissive("Apache-2.0 WITH LLVM-exception|a v1.0.0"));
        assert!(!is_permissive("GPL-3.0-or-later|shakmaty v0.30.1"));
        assert!(!is_permissive("MIT AND LGPL-2.1|a v1.0.0"));
        assert!(!is_permissive("|unlicensed v1.0.0"));
    }
}
