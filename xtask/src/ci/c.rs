//! C programs as users build them, with an installed library of declared networks found by `pkg-config` and by CMake.

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
    shared(shell, &installed)?;
    by_cmake(shell, &installed)?;
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

/// The shared library is found by a name that has its interface.
fn shared(shell: &Shell<'_>, installed: &Path) -> Outcome {
    let header = repo::read(&repo::root().join("crates/capi/include/nnue.h"))?;
    let abi = header
        .lines()
        .find_map(|line| line.strip_prefix("#define NNUE_ABI "))
        .ok_or_else(|| Failure::new("nnue.h does not define NNUE_ABI"))?;
    let mut names = Command::new("readelf");
    names
        .arg("-d")
        .arg(repo::root().join(EXAMPLES).join("engine"));
    let needed = format!("Shared library: [libnetworks.so.{abi}]");
    let found = shell.output(names)?;
    if !found.contains(&needed) {
        return Err(Failure::new(format!("the engine has no `{needed}`")));
    }
    let mut names = Command::new("readelf");
    names.arg("-d").arg(installed.join("lib/libnetworks.so"));
    let named = format!("soname: [libnetworks.so.{abi}]");
    match shell.output(names)?.contains(&named) {
        true => Ok(()),
        false => Err(Failure::new(format!("the library has no `{named}`"))),
    }
}

/// A project of CMake finds the library, and refuses another version.
fn by_cmake(shell: &Shell<'_>, installed: &Path) -> Outcome {
    if repo::output(Command::new("cmake").arg("--version")).is_err() {
        shell.say("there is no cmake: `find_package` was not tried");
        return Ok(());
    }
    let project = |folder: &str| {
        let mut configure = Command::new("cmake");
        configure
            .arg("-S")
            .arg(repo::root().join(EXAMPLES).join("cmake"))
            .arg("-B")
            .arg(installed.join(folder))
            .arg(format!("-DCMAKE_PREFIX_PATH={}", installed.display()));
        configure
    };
    shell.run(project("cmake"))?;
    let mut build = Command::new("cmake");
    build.arg("--build").arg(installed.join("cmake"));
    shell.run(build)?;
    let program = |name: &str| Command::new(installed.join("cmake").join(name));
    let mut engine = program("engine");
    engine.args(["eval", "Default", "-", START]);
    let printed = shell.output(engine)?;
    let expected = format!(
        "value {:+}, ",
        value_of(shell, START)?.parse::<i32>().unwrap_or(0)
    );
    if !printed.starts_with(&expected) {
        return Err(Failure::new(format!("the engine of CMake says {printed}")));
    }
    let mut lines = program("lines");
    lines.args(["Default", "-"]);
    shell.run(lines)?;

    let mut newer = project("cmake-newer");
    newer.arg("-DWANTED=1.0");
    match repo::output(&mut newer) {
        Ok(_) => Err(Failure::new("CMake takes 0.1.0 where 1.0 is wanted")),
        Err(_) => Ok(()),
    }
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
pub(super) fn install(shell: &Shell<'_>, installed: &Path) -> Outcome {
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
