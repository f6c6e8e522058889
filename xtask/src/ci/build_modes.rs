//! Builds a user's crate (`tests/build_modes`) in various ways. In each, the program must choose the
//! machine's best level at run time, and every level must write the same file. A baseline x86-64 program must
//! be as fast as a native one.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::foreign::{Target, host};
use super::levels;
use super::programs::format_check;
use super::shell::Shell;
use crate::repo::{self, Failure, Outcome};

const FOLDER: &str = "tests/build_modes";

/// Alternating runs of each program, so that other load affects both.
const PAIRS: usize = 9;

/// Duration of a run in milliseconds.
const TIME: &str = "300";

/// Allowed speed ratio. 5 % is promised; shared machines need a margin.
const RATIOS: std::ops::Range<f64> = 0.92..1.09;

pub(super) fn natively(shell: &Shell<'_>) -> Outcome {
    shell.run(format_check(FOLDER))?;
    let release = repo::target_dir().join("release/build-modes");

    shell.run(cargo(&["build"]))?;
    keep(&release, &baseline())?; // the next build overwrites it
    expect(shell, "cargo build", &baseline())?;

    shell.run(cargo(&["rustc", "--", "-C", "target-cpu=native"]))?;
    expect(shell, "cargo rustc -- -C target-cpu=native", &release)?;

    shell.run(for_this_processor(cargo(&[
        "build",
        "--target-dir",
        &folder("native").to_string_lossy(),
    ])))?;
    expect(shell, "RUSTFLAGS='-C target-cpu=native'", &native())?;

    let host = host()?;
    let mut one_level = cargo(&["build", "--target", &host]);
    one_level.env("NNUE_LEVELS", levels::best());
    shell.run(for_this_processor(one_level))?;
    let program = folder(&host).join("release/build-modes");
    expect(
        shell,
        &format!("the same with --target {host}, and NNUE_LEVELS with the best level and no other"),
        &program,
    )?;
    smaller(&program, &native())
}

/// Compares the speed of the baseline and the native program, which are built already.
pub(super) fn speed_of_two(shell: &Shell<'_>) -> Outcome {
    compare(shell, &native(), &baseline())
}

/// Path of the baseline x86-64 program.
fn baseline() -> PathBuf {
    folder("build-modes-baseline")
}

fn native() -> PathBuf {
    folder("native/release/build-modes")
}

fn folder(name: &str) -> PathBuf {
    repo::target_dir().join(name)
}

/// Checks that a program without the other levels is smaller.
fn smaller(one_level: &Path, all_levels: &Path) -> Outcome {
    let length = |program: &Path| {
        std::fs::metadata(program)
            .map(|file| file.len())
            .map_err(|error| Failure::new(error.to_string()))
    };
    let (one, all) = (length(one_level)?, length(all_levels)?);
    let is_smaller = one < all || levels::native().len() == 1;
    if is_smaller {
        Ok(())
    } else {
        Err(Failure::new(format!(
            "a program with one level has {one} bytes, with all {all}"
        )))
    }
}

/// Checks that the program chooses this level on another processor.
pub(super) fn on_target(shell: &Shell<'_>, target: Target, level: &str) -> Outcome {
    let mut run = target.cargo_in(FOLDER, "run")?;
    run.args(["--target", target.triple()]);
    let chosen = shell.output(run)?;
    judge(chosen.trim(), level)
}

/// A release build by the toolchain's compiler.
fn cargo(args: &[&str]) -> Command {
    let mut command = repo::cargo();
    command
        .arg(args[0])
        .args(["--quiet", "--release", "--locked"])
        .args(&args[1..]);
    command
        .current_dir(repo::root().join(FOLDER))
        .env("CARGO_TARGET_DIR", repo::target_dir())
        .env_remove("RUSTFLAGS");
    command
}

fn for_this_processor(mut command: Command) -> Command {
    command.env("RUSTFLAGS", "-C target-cpu=native");
    command
}

fn keep(program: &Path, copy: &Path) -> Outcome {
    let failure = |error| Failure::new(format!("{}: {error}", copy.display()));
    std::fs::copy(program, copy).map(drop).map_err(failure)
}

/// Checks that the program chooses the machine's best level.
fn expect(shell: &Shell<'_>, mode: &str, program: &Path) -> Outcome {
    shell.say(mode);
    let chosen = shell.output(Command::new(program))?;
    judge(chosen.trim(), levels::best())
}

fn judge(chosen: &str, level: &str) -> Outcome {
    if chosen == level {
        Ok(())
    } else {
        Err(Failure::new(format!("the level is {chosen}, not {level}")))
    }
}

fn compare(shell: &Shell<'_>, native: &Path, baseline: &Path) -> Outcome {
    let mut ratios = Vec::new();
    for _ in 0..PAIRS {
        let [native, baseline] = [speed(native)?, speed(baseline)?];
        shell.say(format!(
            "evaluations per second: native {native}, baseline {baseline}, ratio {:.3}",
            baseline / native
        ));
        ratios.push(baseline / native);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[PAIRS / 2];
    shell.say(format!(
        "median of {PAIRS} pairs: the baseline program evaluates {median:.3} times as fast as the native one"
    ));
    if RATIOS.contains(&median) {
        Ok(())
    } else {
        Err(Failure::new(format!("{median:.3} is not in {RATIOS:?}")))
    }
}

fn speed(program: &Path) -> Outcome<f64> {
    let printed = repo::output(Command::new(program).arg(TIME))?;
    printed
        .trim()
        .parse()
        .map_err(|error| Failure::new(format!("{}: {printed}: {error}", program.display())))
}
