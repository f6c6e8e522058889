//! The wheel: built, installed into an environment of its own, and tested from Python.

use std::process::Command;

use super::programs::format_check;
use super::shell::Shell;
use super::suites;
use crate::repo::{self, Outcome};

const FOLDER: &str = "nnue-python";

pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    let (target, wheels) = (repo::target_dir().join("python"), repo::target_dir().join("wheels"));
    shell.run(format_check(FOLDER))?;
    let mut clippy = repo::cargo();
    clippy.args(["clippy", "--quiet", "--locked", "--profile", "tested"]).current_dir(repo::root().join(FOLDER));
    clippy.arg("--target-dir").arg(&target).args(["--", "-D", "warnings"]);
    shell.run(clippy)?;
    let mut build = program("maturin");
    build.args(["build", "--quiet", "--locked", "--profile", "tested"]);
    build.arg("--target-dir").arg(target).arg("--out").arg(&wheels);
    shell.run(build)?;
    let mut install = program("pip");
    install.args(["install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps", "--force-reinstall"]);
    install.arg("--find-links").arg(wheels).arg("nnue");
    shell.run(install)?;
    let mut tests = program("pytest");
    tests.args(["--quiet", "-p", "no:cacheprovider"]).env("NNUE_SYNTHETIC", suites::kept());
    shell.run(tests)
}

/// A program of the environment.
fn program(name: &str) -> Command {
    let mut command = Command::new(repo::target_dir().join("venv/bin").join(name));
    command.current_dir(repo::root().join(FOLDER)).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
