//! The wheels: one for this processor, installed and tested in its own environment, and, nightly, one for
//! aarch64, imported by an emulated Python.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::foreign::Target;
use super::levels::{FEW, FEW_OF_AARCH64};
use super::programs::format_check;
use super::shell::Shell;
use super::suites;
use crate::repo::{self, Failure, Outcome};

const FOLDER: &str = "crates/python";
const PROFILE: &str = "tested";

/// Processors with a wheel; `None` is this machine's.
pub(crate) const PROCESSORS: [Option<Target>; 2] = [None, Some(Target::Aarch64("max"))];

/// Evaluates positions with the network in the package.
const EVALUATE: &str = "
import nnue
network = nnue.Network.default()
fens = ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1', '8/8/4k3/8/8/3QK3/8/8 b - - 0 1']
print([network.evaluate(fen) for fen in fens])
";

pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    shell.run(format_check(FOLDER))?;
    let mut clippy = repo::cargo();
    clippy
        .args(["clippy", "--quiet", "--locked", "--profile", PROFILE])
        .current_dir(repo::root().join(FOLDER));
    clippy
        .arg("--target-dir")
        .arg(target())
        .args(["--", "-D", "warnings"])
        .env("NNUE_LEVELS", FEW);
    shell.run(clippy)?;
    install(shell)?;
    let mut tests = program("pytest");
    tests
        .args(["--quiet", "-p", "no:cacheprovider"])
        .env("NNUE_SYNTHETIC", suites::kept());
    shell.run(tests)
}

/// Follows a million random changes of lists of rows.
pub(super) fn million_changes(shell: &Shell<'_>) -> Outcome {
    install(shell)?;
    let mut tests = program("pytest");
    tests
        .args(["--quiet", "-p", "no:cacheprovider", "tests/test_rows.py"])
        .args(["-k", "random_changes"])
        .env("NNUE_ROW_CHANGES", "1000000");
    shell.run(tests)
}

/// Builds the wheel for this processor and installs it into its environment.
pub(super) fn install(shell: &Shell<'_>) -> Outcome {
    build(shell, None, FEW)?;
    let mut install = program("pip");
    install.args([
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-index",
        "--no-deps",
        "--force-reinstall",
    ]);
    install.arg("--find-links").arg(wheels()).arg("nnue");
    shell.run(install)
}

fn build(shell: &Shell<'_>, processor: Option<Target>, levels: &str) -> Outcome {
    let mut wheel = wheel(processor, PROFILE, &wheels())?;
    wheel.env("NNUE_LEVELS", levels);
    shell.run(wheel)
}

/// Checks that the aarch64 wheel gives the same values as this machine's.
pub(super) fn on_aarch64(shell: &Shell<'_>) -> Outcome {
    install(shell)?;
    build(shell, Some(Target::Aarch64("max")), FEW_OF_AARCH64)?;
    let root = repo::target_dir().join("python-aarch64");
    let package = root.join("package");
    let mut unpack = program("python");
    unpack
        .args(["-m", "zipfile", "-e"])
        .arg(repo::newest(&wheels(), "nnue-", "_aarch64.whl")?)
        .arg(&package);
    shell.run(unpack)?;
    let mut here = program("python");
    let mut there = Command::new("qemu-aarch64-static");
    there
        .arg("-L")
        .arg(&root)
        .arg(root.join("usr/bin/python3"))
        .env("PYTHONPATH", package);
    let [here, there] =
        [&mut here, &mut there].map(|python| repo::output(python.args(["-c", EVALUATE])));
    let (here, there) = (here?, there?);
    shell.say(&there);
    if here == there {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "on aarch64 the wheel says {there}, here it says {here}"
        )))
    }
}

/// The command that builds the wheel for a processor into `folder`.
pub(crate) fn wheel(processor: Option<Target>, profile: &str, folder: &Path) -> Outcome<Command> {
    let mut build = program("maturin");
    build.args(["build", "--quiet", "--locked", "--profile", profile]);
    if let Some(processor) = processor {
        processor.set(&mut build)?;
        build.args(["--target", processor.triple()]);
    }
    build
        .arg("--target-dir")
        .arg(target())
        .arg("--out")
        .arg(folder);
    Ok(build)
}

fn wheels() -> PathBuf {
    repo::target_dir().join("wheels")
}

/// A separate folder, since wheels are built while other folders are in use.
fn target() -> PathBuf {
    repo::target_dir().join("python")
}

fn program(name: &str) -> Command {
    let mut command = Command::new(repo::target_dir().join("venv/bin").join(name));
    command
        .current_dir(repo::root().join(FOLDER))
        .env("PYTHONDONTWRITEBYTECODE", "1");
    command
}
