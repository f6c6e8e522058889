//! `nnue bench --rows`: lists of rows and changes, as `nnue eval --rows` reads them.

use std::hint::black_box;
use std::io::Write;
use std::path::Path;

use nnue::dynamic::RowsStack;
use nnue::rows::{RowSets, RowsError};

use super::levels;
use super::timer::{Timer, Times, per_operation};
use crate::args::BenchArgs;
use crate::error::Error;
use crate::input::{RowsLine, each_line};
use crate::network::{OpenedRows, open_rows};
use crate::progress::Progress;

/// The plies that a stack keeps.
const MOST_PLIES: usize = 64;

/// Nanoseconds of an evaluation at a level.
struct Report {
    network: String,
    declaration: String,
    level: String,
    reason: String,
    fresh: f64,
    /// none if no line is a change
    changes: Option<f64>,
}

pub(super) fn run(args: &BenchArgs, path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let timer = Timer::new();
    let mut read_lines = None;
    let mut reports = Vec::new();
    for level in levels(args) {
        let opened = open_rows(&args.net, &args.declared, level)?;
        let lines = match &read_lines {
            Some(lines) => lines,
            None => read_lines.insert(read(&opened, path)?),
        };
        reports.push(measured(&opened, lines, (args.repetitions, timer))?);
    }
    let lines = read_lines.unwrap_or_default();
    let changes = lines
        .iter()
        .filter(|line| matches!(line, RowsLine::Change(_)));
    let counts = (lines.len(), changes.count());
    if args.json {
        json(&reports, counts, out)
    } else {
        table(&reports, counts, out)
    }
}

/// Reads the lines of a file, whose rows are checked.
fn read(opened: &OpenedRows, path: &Path) -> Result<Vec<RowsLine>, Error> {
    let mut found = Vec::new();
    each_line(&opened.shape, path, |line, _| found.push(line))?;
    Ok(found)
}

fn measured(
    opened: &OpenedRows,
    lines: &[RowsLine],
    (repetitions, timer): (usize, Timer),
) -> Result<Report, Error> {
    let progress = Progress::new("measurement", repetitions as u64);
    let (mut fresh, mut changes) = (Vec::new(), Vec::new());
    // the first pass, not counted, warms the caches
    for pass in 0..=repetitions {
        let (of_fresh, of_changes) = (
            from_scratch(opened, lines, timer)?,
            along(opened, lines, timer)?,
        );
        if pass > 0 {
            fresh.push(of_fresh);
            changes.push(of_changes);
            progress.step();
        }
    }
    let network = &opened.network;
    let has_changes = changes.iter().any(|times| times.operations > 0);
    Ok(Report {
        network: opened.source.clone(),
        declaration: format!("{}: {}", network.spec().name, network.spec().notation),
        level: network.level().to_string(),
        reason: opened.reason.clone(),
        fresh: per_operation(&fresh),
        changes: has_changes.then(|| per_operation(&changes)),
    })
}

/// Evaluates the position of each line from scratch.
fn from_scratch(opened: &OpenedRows, lines: &[RowsLine], timer: Timer) -> Result<Times, Error> {
    let mut rows = RowSets::new(&opened.shape);
    let mut parts = Vec::new();
    for line in lines {
        line.apply(&mut rows).map_err(unexpected)?;
        parts.push(timer.time(|| {
            black_box(opened.network.evaluate_listed(black_box(&rows)));
        }));
    }
    Ok(Times {
        parts,
        operations: lines.len(),
    })
}

/// Pushes each change and evaluates. Lists are the roots, and not counted.
fn along(opened: &OpenedRows, lines: &[RowsLine], timer: Timer) -> Result<Times, Error> {
    let network = &opened.network;
    let mut parts = Vec::new();
    if let Some(mut stack) = RowsStack::new(network) {
        for line in lines {
            match line {
                RowsLine::List(position) => {
                    stack.set(position.lists()).map_err(unexpected)?;
                    stack.set_black_to_move(position.black_to_move.unwrap_or(false));
                    stack.evaluate(network);
                }
                RowsLine::Change(change) => {
                    if stack.depth() >= MOST_PLIES {
                        stack.make_root();
                        stack.evaluate(network);
                    }
                    let mut pushed = Ok(());
                    parts.push(timer.time(|| {
                        pushed = stack.push_rows(change.added(), change.removed());
                        if let Some(black) = change.black_to_move {
                            stack.set_black_to_move(black);
                        }
                        black_box(stack.evaluate(network));
                    }));
                    pushed.map_err(unexpected)?;
                }
            }
        }
    }
    Ok(Times {
        operations: parts.len(),
        parts,
    })
}

/// The lines were checked when the file was read.
fn unexpected(error: RowsError) -> Error {
    Error::Mismatch(error.to_string())
}

fn table(
    reports: &[Report],
    (lines, changes): (usize, usize),
    out: &mut dyn Write,
) -> Result<(), Error> {
    for report in reports {
        writeln!(out, "network {} ({})", report.network, report.declaration)?;
        writeln!(out, "level {} ({})", report.level, report.reason)?;
        writeln!(out, "  from scratch  {:>9.1} ns", report.fresh)?;
        if let Some(changes) = report.changes {
            writeln!(out, "  by changes    {changes:>9.1} ns")?;
        }
        writeln!(out)?;
    }
    writeln!(
        out,
        "ns: median per evaluation, of {lines} lists, {changes} of them changes"
    )?;
    Ok(())
}

fn json(
    reports: &[Report],
    (lines, changes): (usize, usize),
    out: &mut dyn Write,
) -> Result<(), Error> {
    let reports: Vec<_> = reports
        .iter()
        .map(|report| {
            serde_json::json!({
                "network": report.network,
                "declaration": report.declaration,
                "level": report.level,
                "reason": report.reason,
                "fresh_ns": report.fresh,
                "changes_ns": report.changes,
            })
        })
        .collect();
    let object = serde_json::json!({ "lists": lines, "changes": changes, "reports": reports });
    writeln!(out, "{object}")?;
    Ok(())
}
