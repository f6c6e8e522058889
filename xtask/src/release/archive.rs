//! Reproducible archives and their checksums.

use std::path::Path;
use std::process::Command;

use crate::repo::{self, Outcome};

/// Packs the named folder, removes it, and returns the archive's name. Order, owners and times do not depend
/// on the machine: the time is that of the commit.
pub(super) fn pack(folder: &Path, name: &str) -> Outcome<String> {
    let archive = format!("{name}.tar.gz");
    let mut git = Command::new("git");
    let time = repo::output(
        git.args(["log", "-1", "--format=%ct"])
            .current_dir(repo::root()),
    )?;
    let mut tar = Command::new("tar");
    tar.args([
        "--sort=name",
        "--owner=0",
        "--group=0",
        "--numeric-owner",
        "--mode=u+w,go-w,a+rX",
    ]);
    tar.arg(format!("--mtime=@{}", time.trim()))
        .args(["--use-compress-program", "gzip --best --no-name"]);
    repo::succeed(tar.args(["-cf", &archive, name]).current_dir(folder))?;
    repo::succeed(Command::new("rm").args(["-r", name]).current_dir(folder))?;
    Ok(archive)
}

pub(super) fn checksums(folder: &Path, files: &[String]) -> Outcome {
    let sums = repo::output(Command::new("sha256sum").args(files).current_dir(folder))?;
    repo::write(&folder.join("SHA256SUMS"), &sums)
}
