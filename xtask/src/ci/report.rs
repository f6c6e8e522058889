//! The final report: levels, times, failures and their reasons.

use std::time::Duration;

use super::on_ci;
use super::schedule::{Record, Verdict};
use crate::repo::{Failure, Outcome};

/// Lines of a failed check that are repeated.
const LINES: usize = 25;

/// Words in lines that explain a failure.
const REASONS: [&str; 4] = ["panicked at", "FAILED", "error: ", "error["];

/// Prints the report. Fails if a check failed or, on CI, did not run.
pub(super) fn print(records: &[Record], time: Duration) -> Outcome {
    println!("\n===== levels");
    let mut levels: Vec<String> = records.iter().filter_map(of_levels).collect();
    levels.sort();
    levels.iter().for_each(|line| println!("{line}"));
    println!("\n===== times");
    records
        .iter()
        .for_each(|record| println!("{:>5} s  {}", record.time.as_secs(), record.name));
    println!("{:>5} s  all", time.as_secs());
    records
        .iter()
        .filter(|record| record.verdict == Verdict::Failed)
        .for_each(why);
    let not_run = records.iter().filter_map(not_run).collect::<Vec<_>>();
    not_run.iter().for_each(|line| println!("{line}"));
    summary(records)
}

fn of_levels(record: &Record) -> Option<String> {
    Some(format!("{} ({})", record.levels.as_ref()?, record.name))
}

fn not_run(record: &Record) -> Option<String> {
    let Verdict::NotRun(reason) = &record.verdict else {
        return None;
    };
    let consequence = if on_ci() { ", which CI must have" } else { "" };
    Some(format!("NOT RUN: {}{consequence}: {reason}", record.name))
}

/// Repeats the lines that explain a failure, since only the end of a long log is kept.
fn why(record: &Record) {
    println!("\n===== why {} failed", record.name);
    let lines: Vec<&str> = record.printed.lines().collect();
    let mut telling: Vec<usize> = (0..lines.len())
        .filter(|&at| tells(lines[at]))
        .flat_map(|at| at..at + 7)
        .collect();
    telling.retain(|&at| at < lines.len());
    telling.sort_unstable();
    telling.dedup();
    if telling.is_empty() {
        telling = (lines.len().saturating_sub(8)..lines.len()).collect();
    }
    for &at in &telling[telling.len().saturating_sub(LINES)..] {
        println!(
            "{:>6}: {}",
            at + 1,
            lines[at].chars().take(200).collect::<String>()
        );
    }
}

/// Whether a line reports a failure. `0 failed`, in the last line of every suite, does not.
fn tells(line: &str) -> bool {
    let failed = line.split(' ').collect::<Vec<_>>();
    let some = failed.windows(2).any(|words| {
        words[1].starts_with("failed") && words[0].parse::<u32>().is_ok_and(|n| n > 0)
    });
    some || REASONS.iter().any(|reason| line.contains(reason))
}

fn summary(records: &[Record]) -> Outcome {
    let count = |wanted: fn(&Verdict) -> bool| {
        records
            .iter()
            .filter(|record| wanted(&record.verdict))
            .count()
    };
    let passed = count(|verdict| *verdict == Verdict::Passed);
    let skipped = count(|verdict| matches!(verdict, Verdict::NotRun(_)));
    let failed = records.len() - passed - if on_ci() { 0 } else { skipped };
    println!("\n{skipped} checks not run\n{passed} passed, {failed} failed");
    if failed == 0 {
        Ok(())
    } else {
        Err(Failure::new(format!("{failed} checks failed")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_say_why_are_found() {
        let telling = [
            "test simd::adds ... FAILED",
            "thread 'main' panicked at src/a.rs:1:2:",
            "error: no rule",
            "error[E0308]: mismatched types",
            "test result: FAILED. 3 passed; 1 failed; 0 ignored",
            "checks: 30 passed, 2 failed",
        ];
        assert!(telling.into_iter().all(tells));
        assert!(!tells(
            "test result: ok. 3 passed; 0 failed; 0 ignored; 0 measured"
        ));
        assert!(!tells("test a_wrong_error_is_found ... ok"));
    }
}
