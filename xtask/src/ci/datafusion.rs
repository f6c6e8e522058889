//! Tests the SQL function on arrays, as DataFusion calls it. Whole queries are tested by hand, since
//! DataFusion takes nine core minutes to build.

use super::levels::FEW;
use super::programs::format_check;
use super::shell::Shell;
use super::suites;
use crate::repo::{self, Outcome};

const FOLDER: &str = "crates/datafusion";

pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    shell.run(format_check(FOLDER))?;
    let mut tests = repo::cargo();
    tests
        .args(["test", "--quiet", "--locked"])
        .current_dir(repo::root().join(FOLDER));
    tests
        .arg("--target-dir")
        .arg(repo::target_dir().join("datafusion"));
    tests
        .env("NNUE_SYNTHETIC", suites::kept())
        .env("RUSTFLAGS", "-D warnings")
        .env("NNUE_LEVELS", FEW);
    tests.args(["--", "--include-ignored"]); // a million lists
    shell.run(tests)
}
