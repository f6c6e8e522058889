//! Rewrites everything that is compared with a committed copy. Look at the difference before committing it.

use crate::repo::{self, Outcome};
use crate::{errors, readme};

/// Runs the tests that compare with committed files so that they write them instead.
pub(crate) fn run(_: &[String]) -> Outcome {
    readme::run(&[])?;
    repo::succeed(
        repo::cargo()
            .args(["test", "--test", "ui"])
            .env("TRYBUILD", "overwrite"),
    )?;
    errors::run(&[])?;
    repo::succeed(
        repo::cargo()
            .args(["test", "--test", "golden"])
            .env("NNUE_BLESS", "1"),
    )?;
    repo::run("git", &["diff", "--stat"])
}
