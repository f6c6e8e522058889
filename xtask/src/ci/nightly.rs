//! Records when nightly checks last passed, in the last column of a table in `docs/testing.md`.

use std::process::Command;

use super::schedule::{Record, Verdict};
use crate::repo::{self, Outcome};

const PAGE: &str = "docs/testing.md";

/// Writes today's date into the row of each nightly check that passed. A row for several checks needs all of
/// them.
pub(super) fn note_dates(records: &[Record]) -> Outcome {
    let path = repo::root().join(PAGE);
    let page = repo::read(&path)?;
    let today = repo::output(Command::new("date").arg("+%F"))?;
    let passed = |patterns: &[&str]| {
        let mut of_row = records
            .iter()
            .filter(|record| {
                patterns
                    .iter()
                    .any(|pattern| stands_for(pattern, &record.name))
            })
            .peekable();
        of_row.peek().is_some() && of_row.all(|record| record.verdict == Verdict::Passed)
    };
    let mut dated: Vec<String> = Vec::new();
    for line in page.lines() {
        dated.push(match line.rsplit_once(" | ") {
            Some((row, last)) if last.starts_with("20") && passed(&patterns(line)) => {
                format!("{row} | {} |", today.trim())
            }
            _ => line.to_owned(),
        });
    }
    repo::write(&path, &(dated.join("\n") + "\n"))
}

/// The names in the first cell of a row, as `` `fuzz-*` ``.
fn patterns(row: &str) -> Vec<&str> {
    let first = row.split('|').nth(1).unwrap_or_default();
    first.split('`').skip(1).step_by(2).collect()
}

/// Whether a pattern, which may end with `*`, matches the name of a check.
fn stands_for(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => pattern == name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ci::plan;

    /// The rows of the table below a heading.
    fn table<'p>(page: &'p str, heading: &str) -> Vec<&'p str> {
        let (_, below) = page.split_once(heading).expect("the heading is there");
        let rows = below.lines().skip_while(|line| !line.starts_with('|'));
        rows.take_while(|line| line.starts_with('|'))
            .skip(2)
            .collect()
    }

    #[test]
    fn every_check_has_its_row() {
        let page = repo::read(&repo::root().join(PAGE)).expect("the page");
        let every_change = table(&page, "## What CI runs");
        let nightly = table(&page, "### Nightly");
        for check in plan::checks() {
            let has_row = |rows: &[&str]| {
                rows.iter().any(|row| {
                    patterns(row)
                        .iter()
                        .any(|pattern| stands_for(pattern, &check.name))
                })
            };
            assert_eq!(
                (has_row(&every_change), has_row(&nightly)),
                (!check.is_nightly, check.is_nightly),
                "{}",
                check.name
            );
        }
        for row in every_change.iter().chain(&nightly) {
            for pattern in patterns(row) {
                let is_known = plan::checks()
                    .iter()
                    .any(|check| stands_for(pattern, &check.name));
                assert!(is_known, "there is no check `{pattern}`");
            }
        }
    }
}
