//! A stranger's day: `tests/stranger/day` with what other checks have built.

use std::fs;
use std::process::Command;

use super::foreign::Target;
use super::levels::FEW;
use super::shell::Shell;
use super::{c, python, suites};
use crate::repo::{self, Outcome};

pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    let mut command = suites::with_features();
    command.args(["--quiet", "--no-run"]);
    shell.run(command)?;
    let installed = repo::target_dir().join("c");
    c::install(shell, &installed)?;
    python::install(shell)?;
    shell.run(Target::Browser.cargo_in("examples/web", "build")?)?;
    let folder = repo::target_dir().join("stranger/day");
    let _ = fs::remove_dir_all(&folder); // of an earlier run: a day begins in an empty folder
    let mut day = Command::new("tests/stranger/day");
    day.arg(folder)
        .current_dir(repo::root())
        .env("NNUE", repo::target_dir().join("debug/nnue"))
        .env("PREFIX", installed)
        .env("PYTHON", repo::target_dir().join("venv/bin/python"))
        .env("WASM", Target::Browser.release().join("nnue_web.wasm"))
        .env(
            "CARGO_TARGET_DIR",
            repo::target_dir().join("stranger/target"),
        )
        .env("NNUE_LEVELS", FEW);
    shell.run(day)
}
