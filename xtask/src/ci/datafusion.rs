//! Tests the SQL function on arrays, as DataFusion calls it, and whole queries, also on a cluster: building
//! DataFusion takes nine core minutes, with Ballista sixteen.

use std::process::Command;

use super::levels::FEW;
use super::programs::format_check;
use super::shell::Shell;
use super::suites;
use crate::repo::{self, Outcome};

const FOLDER: &str = "crates/datafusion";

pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    shell.run(format_check(FOLDER))?;
    let mut functions = tests(&[]);
    functions.args(["--", "--include-ignored"]); // a million lists
    shell.run(functions)
}

/// Queries by the program `nnue-sql`, and by a scheduler with two executors on this machine.
pub(super) fn queries(shell: &Shell<'_>) -> Outcome {
    shell.run(tests(&["-p", "nnue-sql", "-p", "nnue-cluster"]))
}

fn tests(packages: &[&str]) -> Command {
    let mut tests = repo::cargo();
    tests
        .args(["test", "--quiet", "--locked"])
        .args(packages)
        .current_dir(repo::root().join(FOLDER));
    tests
        .arg("--target-dir")
        .arg(repo::target_dir().join("datafusion"));
    tests
        .env("NNUE_SYNTHETIC", suites::kept())
        .env("RUSTFLAGS", "-D warnings")
        .env("NNUE_LEVELS", FEW);
    tests
}
