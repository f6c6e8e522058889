//! Programs as users build them: the command, a board without an operating system, the page in a browser.

use std::path::PathBuf;
use std::process::Command;

use super::foreign::Target;
use super::levels;
use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Runs the README's first command, and checks that a baseline x86-64 release finds the processor's best
/// level.
pub(super) fn release(shell: &Shell<'_>) -> Outcome {
    let printed = eval(shell, &[])?;
    let level = printed
        .lines()
        .find_map(|line| line.strip_prefix("level ")?.split_whitespace().next());
    let best = levels::best();
    shell.say(format!(
        "best level of this processor: {best}, chosen: {}",
        level.unwrap_or("none")
    ));
    if level == Some(best) {
        Ok(())
    } else {
        Err(Failure::new("another level than the best one was chosen"))
    }
}

pub(super) fn eval(shell: &Shell<'_>, args: &[&str]) -> Outcome<String> {
    let mut build = repo::cargo();
    build
        .args(["build", "--release", "-p", "nnue-cli"])
        .env_remove("RUSTFLAGS");
    shell.run(build)?;
    let mut eval = Command::new(command());
    eval.arg("eval").args(args);
    shell.output(eval)
}

fn command() -> PathBuf {
    repo::target_dir().join("release/nnue")
}

/// Runs without a standard library: the output must match the program's header, the value the command's.
pub(super) fn bare_metal(shell: &Shell<'_>) -> Outcome {
    const FOLDER: &str = "examples/bare_metal";
    let value = value(&eval(shell, &["--fen", START])?)?;
    shell.run(format_check(FOLDER))?;
    let printed = shell.output(Target::BareMetal.cargo_in(FOLDER, "run")?)?;
    let source = repo::read(&repo::root().join(FOLDER).join("src/main.rs"))?;
    let promised: Vec<&str> = promised(&source).collect();
    if printed.lines().ne(promised.iter().copied()) {
        return Err(Failure::new(format!(
            "the header of the program promises\n{}",
            promised.join("\n")
        )));
    }
    let words = ["start", &value, "incremental", &value, "fresh"];
    let says = |line: &str| line.split_whitespace().eq(words);
    if printed.lines().any(says) {
        Ok(())
    } else {
        Err(Failure::new(format!("the value of the command is {value}")))
    }
}

/// The `text` block in the header of a program.
fn promised(source: &str) -> impl Iterator<Item = &str> {
    let header = source.lines().map_while(|line| line.strip_prefix("//!"));
    let header = header.map(|line| line.strip_prefix(' ').unwrap_or(line));
    header
        .skip_while(|line| *line != "```text")
        .skip(1)
        .take_while(|line| *line != "```")
}

pub(super) fn value(printed: &str) -> Outcome<String> {
    let value = printed
        .lines()
        .find_map(|line| line.strip_prefix("value ")?.split_whitespace().next());
    let value = value.ok_or_else(|| Failure::new("the command printed no value"))?;
    Ok(value.trim_start_matches('+').into())
}

/// Checks that the demonstration page in a browser shows the command's values.
pub(super) fn page(shell: &Shell<'_>) -> Outcome {
    const FOLDER: &str = "examples/web";
    shell.run(format_check(FOLDER))?;
    shell.run(Target::Browser.cargo_in(FOLDER, "build")?)?;
    eval(shell, &[])?;
    let mut node = Command::new("node");
    node.args([".ci/page.mjs", "examples/web/index.html"])
        .current_dir(repo::root());
    node.arg(Target::Browser.release().join("nnue_web.wasm"))
        .arg(command());
    shell.run(node)
}

/// Checks the format of a crate outside the workspace.
pub(super) fn format_check(folder: &str) -> Command {
    let mut format = repo::cargo();
    format
        .args(["fmt", "--check"])
        .current_dir(repo::root().join(folder));
    format
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_promises_are_found() {
        assert_eq!(
            value("level   avx2 (best)\nvalue   +24 (white)\n").expect("a value"),
            "24"
        );
        assert_eq!(value("value  -7\n").expect("a value"), "-7");
        assert!(value("nothing").is_err());
        let source =
            "//! Words.\n//!\n//! ```text\n//! a\n//!  b\n//! ```\n//! more\nfn main() {}\n";
        assert_eq!(promised(source).collect::<Vec<_>>(), ["a", " b"]);
    }
}
