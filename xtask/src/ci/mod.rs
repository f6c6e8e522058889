//! `cargo xtask ci`: all checks that a change must pass. `.ci/run` starts it, locally and on CI.
//!
//! [`plan`] lists the checks. [`schedule`] runs them, two at a time unless they need the same cargo folder.
//! [`report`] summarises results, levels and times. A check that cannot run reports why; if the environment
//! variable `CI` is set, this is a failure.

mod build_modes;
mod c;
mod check;
mod console;
mod datafusion;
pub(crate) mod foreign;
mod fuzz;
mod header;
mod levels;
mod needs;
mod nightly;
mod plan;
mod programs;
pub(crate) mod python;
mod report;
mod schedule;
mod shell;
mod source;
mod stranger;
mod suites;

use std::process::Command;
use std::time::Instant;

use check::Check;
use console::Console;

#[cfg(test)]
pub(crate) use suites::with_features;

use crate::repo::{self, Failure, Outcome};

/// Runs the named checks. Without names, those that every change must pass; with `--nightly`, the others.
pub(crate) fn run(arguments: &[String]) -> Outcome {
    let is_nightly = arguments.iter().any(|argument| argument == "--nightly");
    let names: Vec<&String> = arguments
        .iter()
        .filter(|argument| *argument != "--nightly")
        .collect();
    let checks = select(plan::checks(), &names, is_nightly)?;
    println!("{}", machine()?);
    let start = Instant::now();
    let kept = suites::KeptNetworks::new()?;
    let records = schedule::run(checks, &Console::new(start));
    drop(kept);
    if is_nightly {
        nightly::note_dates(&records)?;
    }
    report::print(&records, start.elapsed())
}

/// Whether this is a CI machine, where every check must run.
fn on_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// The named checks; without names, the nightly ones or the others.
fn select(checks: Vec<Check>, names: &[&String], is_nightly: bool) -> Outcome<Vec<Check>> {
    if let Some(unknown) = names
        .iter()
        .find(|name| !checks.iter().any(|check| check.name == ***name))
    {
        let known: Vec<&str> = checks.iter().map(|check| &*check.name).collect();
        return Err(Failure::new(format!(
            "there is no check `{unknown}`, but: {}",
            known.join(" ")
        )));
    }
    let wanted = |check: &Check| match names {
        [] => check.is_nightly == is_nightly,
        names => names.contains(&&check.name),
    };
    Ok(checks.into_iter().filter(wanted).collect())
}

/// Compiler, cores, processor and its levels, in one line.
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
