//! Checks that the tree can be released.

use std::path::Path;
use std::process::Command;

use crate::repo::{self, Failure, Outcome};

pub(super) fn version() -> Outcome<String> {
    let manifest = read("Cargo.toml")?;
    let package = manifest
        .split("[workspace.package]")
        .nth(1)
        .unwrap_or_default();
    let line = package
        .lines()
        .find_map(|line| line.strip_prefix("version = \"")?.strip_suffix('"'));
    line.map(str::to_owned)
        .ok_or_else(|| Failure::new("Cargo.toml has no version under [workspace.package]"))
}

/// The reasons against a release of this version, one sentence each.
pub(super) fn faults(version: &str) -> Outcome<Vec<String>> {
    let status = repo::output(git().args(["status", "--porcelain"]))?;
    let changed = status.lines().count();
    let tree = (changed > 0).then(|| format!("{changed} files differ from the last commit"));
    let tags = repo::output(git().args(["tag", "--list", &tag(version)]))?;
    let tagged = (!tags.trim().is_empty()).then(|| {
        format!(
            "{} is tagged already: choose the next version",
            tag(version)
        )
    });
    let changelog = changelog(&read("CHANGELOG.md")?, version);
    let versions = versions(&read("Cargo.toml")?, version);
    Ok([tree, tagged, changelog]
        .into_iter()
        .flatten()
        .chain(versions)
        .collect())
}

/// The version needs a heading with a date, and *Unreleased* must be empty.
fn changelog(text: &str, version: &str) -> Option<String> {
    let heading = format!("## [{version}] - ");
    if !text.lines().any(|line| line.starts_with(&heading)) {
        return Some(format!("CHANGELOG.md has no heading `{heading}YYYY-MM-DD`"));
    }
    let unreleased = text
        .lines()
        .skip_while(|line| !line.starts_with("## [Unreleased]"))
        .skip(1);
    let is_left = unreleased
        .take_while(|line| !line.starts_with("## "))
        .any(|line| line.starts_with("- "));
    is_left.then(|| "CHANGELOG.md has changes under Unreleased: move them to the version".into())
}

/// All workspace crates must have the same version and depend on exactly it, since the macro's output fits
/// only the runtime of its version.
fn versions(manifest: &str, version: &str) -> Vec<String> {
    let own = manifest
        .lines()
        .filter(|line| line.contains("version = \"=") && line.contains("path = "));
    let wrong = own.filter(|line| !line.contains(&format!("version = \"={version}\"")));
    wrong
        .map(|line| format!("Cargo.toml: `{line}` is not of version {version}"))
        .collect()
}

/// Runs checks of tools that not every machine has.
pub(super) fn tools(version: &str) -> Outcome {
    let is_there = |tool: &str| repo::output(repo::cargo().args([tool, "--version"])).is_ok();
    if is_there("deny") {
        repo::succeed(repo::cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    } else {
        println!("left out: `cargo deny check` (cargo install cargo-deny --locked)");
    }
    let tags = repo::output(git().args(["tag", "--list", "v*", "--sort=-version:refname"]))?;
    let Some(before) = tags.lines().find(|earlier| *earlier != tag(version)) else {
        println!(
            "left out: `cargo semver-checks`, which compares with an earlier release, and there is none"
        );
        return Ok(());
    };
    if is_there("semver-checks") {
        let arguments = [
            "semver-checks",
            "check-release",
            "--workspace",
            "--baseline-rev",
            before,
        ];
        return repo::succeed(repo::cargo().args(arguments));
    }
    println!("left out: `cargo semver-checks` (cargo install cargo-semver-checks --locked)");
    Ok(())
}

fn tag(version: &str) -> String {
    format!("v{version}")
}

fn git() -> Command {
    let mut git = Command::new("git");
    git.current_dir(repo::root());
    git
}

fn read(file: &str) -> Outcome<String> {
    repo::read(&repo::root().join(Path::new(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changelog_is_ready_when_its_version_has_a_date_and_all_changes() {
        let ready = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2026-12-01\n\n- This.\n";
        assert_eq!(changelog(ready, "1.2.0"), None);
        assert!(changelog(ready, "1.3.0").is_some_and(|fault| fault.contains("## [1.3.0] - ")));
        let early = ready.replace("## [1.2.0]", "- That.\n\n## [1.2.0]");
        assert!(changelog(&early, "1.2.0").is_some_and(|fault| fault.contains("Unreleased")));
    }

    #[test]
    fn this_workspace_is_of_one_version() {
        let version = version().expect("a version");
        assert_eq!(
            versions(&read("Cargo.toml").expect("the manifest"), &version),
            Vec::<String>::new()
        );
        let other = "nnue = { path = \".\", version = \"=0.0.9\" }";
        assert_eq!(versions(other, &version).len(), 1);
    }
}
