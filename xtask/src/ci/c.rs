//! C programs as users build them, with an installed library of declared networks found by `pkg-config`.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::levels::FEW;
use super::programs::{START, eval, value};
use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

const EXAMPLES: &str = "crates/capi/examples";

const PAWN_UP: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";

/// Checks that an engine skeleton and the README's program print the command's values.
pub(super) fn run(shell: &Shell<'_>) -> Outcome {
    let installed = repo::target_dir().join("c");
    install(shell, &installed)?;
    let printed = shell.output(example("engine", &["eval", "Default", "-", START]))?;
    let said = printed
        .split([' ', ','])
        .nth(1)
        .map(|said| said.trim_start_matches('+'));
    same("the engine", said, &value_of(shell, START)?)?;
    shell.output(example("lines", &["Default", "-"]))?; // compares values itself
    ataxx(shell)?;
    let printed = shell.output(Command::new(readme(shell, &installed)?))?;
    same(
        "the program in README.md",
        Some(printed.trim()),
        &value_of(shell, PAWN_UP)?,
    )
}

/// A game over lists of rows is played move by move as expected.
fn ataxx(shell: &Shell<'_>) -> Outcome {
    let file = |name: &str| format!("ataxx/{name}");
    let mut game = example("ataxx-game", &["play", &file("net.rs"), &file("net.nnue")]);
    game.current_dir(repo::root().join(EXAMPLES));
    let played = shell.output(game)?;
    let expected = repo::read(&repo::root().join(EXAMPLES).join(file("expected.txt")))?;
    if played == expected {
        return Ok(());
    }
    Err(Failure::new(format!("another game of ataxx:\n{played}")))
}

fn value_of(shell: &Shell<'_>, fen: &str) -> Outcome<String> {
    value(&eval(shell, &["--fen", fen])?)
}

fn same(what: &str, said: Option<&str>, value: &str) -> Outcome {
    if said == Some(value) {
        return Ok(());
    }
    Err(Failure::new(format!(
        "{what} says {}; the value of the command is {value}",
        said.unwrap_or("nothing")
    )))
}

/// Builds the library, its headers and the programs in C and C++.
fn install(shell: &Shell<'_>, installed: &Path) -> Outcome {
    ["install", "engine", "lines", "ataxx"]
        .iter()
        .try_for_each(|goal| {
            let mut make = Command::new("make");
            make.arg(goal)
                .current_dir(repo::root().join(EXAMPLES))
                .env_remove("RUSTFLAGS")
                .env("NNUE_LEVELS", FEW);
            make.arg(format!("TARGET={}", repo::target_dir().display()))
                .arg(format!("PREFIX={}", installed.display()));
            shell.run(make)
        })
}

fn example(name: &str, arguments: &[&str]) -> Command {
    let mut program = Command::new(repo::root().join(EXAMPLES).join(name));
    program.args(arguments);
    program
}

/// Compiles the README's program; returns its path.
fn readme(shell: &Shell<'_>, installed: &Path) -> Outcome<PathBuf> {
    let text = repo::read(&repo::root().join("README.md"))?;
    let program: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "```c")
        .skip(1)
        .take_while(|line| *line != "```")
        .collect();
    if program.len() > 10 {
        return Err(Failure::new(format!(
            "README.md promises ten lines of C and has {}",
            program.len()
        )));
    }
    let (source, compiled) = (installed.join("readme.c"), installed.join("readme"));
    repo::write(&source, &(program.join("\n") + "\n"))?;
    let mut flags = Command::new("pkg-config");
    flags
        .args(["--cflags", "--libs", "networks"])
        .env("PKG_CONFIG_PATH", installed.join("lib/pkgconfig"));
    let mut compile = Command::new("cc");
    compile
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror"])
        .arg(&source)
        .arg("-o")
        .arg(&compiled);
    compile.args(shell.output(flags)?.split_whitespace());
    compile.arg(format!("-Wl,-rpath,{}", installed.join("lib").display()));
    shell.run(compile)?;
    Ok(compiled)
}
