//! `cargo xtask ci`: everything that must hold before a change lands. `.ci/run` starts it, here and on the machines of CI.
//!
//! [`plan`] lists the checks. [`schedule`] runs them, two at a time where they do not need the same folder of cargo, and
//! [`report`] says at the end what passed, on which levels, and how long it took. A check that cannot run says so; where the
//! environment variable `CI` is set that is a failure.

mod build_modes;
mod c;
mod check;
mod console;
mod datafusion;
pub(crate) mod foreign;
mod fuzz;
mod levels;
mod needs;
mod plan;
mod programs;
pub(crate) mod python;
mod report;
mod schedule;
mod shell;
mod source;
mod suites;

use std::process::Command;
use std::time::Instant;

use check::Check;
use console::Console;

use crate::repo::{self, Failure, Outcome};

/// Runs the checks with these names, or all.
pub(crate) fn run(names: &[String]) -> Outcome {
    let checks = select(plan::checks(), names)?;
    println!("{}", machine()?);
    let start = Instant::now();
    let kept = suites::KeptNetworks::new()?;
    let records = schedule::run(checks, &Console::new(start));
    drop(kept);
    report::print(&records, start.elapsed())
}

/// Whether this is a machine of CI, where every check must run.
fn on_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The checks that are called so; all of them without names.
fn select(checks: Vec<Check>, names: &[String]) -> Outcome<Vec<Check>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| !checks.iter().any(|check| check.name == **name))
    {
        let known: Vec<&str> = checks.iter().map(|check| &*check.name).collect();
        return Err(Failure::new(format!(
            "there is no check `{unknown}`, but: {}",
            known.join(" ")
        )));
    }
    let wanted = |check: &Check| names.is_empty() || names.contains(&check.name);
    Ok(checks.into_iter().filter(wanted).collect())
}

/// Compiler, cores, processor and its levels, in a line.
fn machine() -> Outcome<String> {
    let compiler = repo::output(
        Command::new("rustc")
            .arg("--version")
            .current_dir(repo::root()),
    )?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let (processor, levels) = (levels::processor(), levels::native().join(","));
    Ok(format!(
        "{}, {cores} cores, {processor}, levels: {levels}",
        compiler.trim()
    ))
}
