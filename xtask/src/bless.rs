//! Rewrites all expected outputs in the repository. Review the difference before committing.

use crate::repo::{self, Outcome};
use crate::{errors, readme};

/// Runs the comparing tests in a mode that rewrites the expected files.
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
