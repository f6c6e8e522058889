//! Runs checks two at a time, so that one can use a core that the other leaves idle, for example while it
//! compiles a single crate or runs one thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::check::{Check, Room, are_apart};
use super::console::Console;
use super::needs;
use super::on_ci;
use super::shell::Shell;
use crate::repo::Failure;

const LANES: usize = 2;

#[derive(Debug, PartialEq)]
pub(super) enum Verdict {
    Passed,
    Failed,
    /// its needs are unavailable, with the reason
    NotRun(String),
}

pub(super) struct Record {
    pub(super) name: String,
    pub(super) verdict: Verdict,
    pub(super) time: Duration,
    pub(super) printed: String,
    pub(super) levels: Option<String>,
}

struct State {
    waiting: Vec<Check>,
    running: Vec<(String, &'static [Room])>,
    ended: Vec<Record>,
}

impl State {
    /// Takes the first check that may run now. None overtakes one that waits for the whole machine.
    fn next(&mut self) -> Option<Check> {
        let may_run = |check: &Check| {
            self.running
                .iter()
                .all(|(_, rooms)| are_apart(rooms, check.rooms))
                && !check.after.iter().any(|name| self.is_to_come(name))
        };
        let at = self
            .waiting
            .iter()
            .position(|check| may_run(check) || check.rooms == [Room::Machine])?;
        if !may_run(&self.waiting[at]) {
            return None;
        }
        let check = self.waiting.remove(at);
        self.running.push((check.name.clone(), check.rooms));
        Some(check)
    }

    fn is_to_come(&self, name: &str) -> bool {
        self.waiting.iter().any(|check| check.name == name)
            || self.running.iter().any(|(running, _)| running == name)
    }
}

/// Runs all checks, in this order if possible.
pub(super) fn run(checks: Vec<Check>, console: &Console) -> Vec<Record> {
    let state = Mutex::new(State {
        waiting: checks,
        running: Vec::new(),
        ended: Vec::new(),
    });
    let changed = Condvar::new();
    std::thread::scope(|scope| {
        for _ in 0..LANES {
            scope.spawn(|| lane(&state, &changed, console));
        }
    });
    state
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner)
        .ended
}

fn lane(state: &Mutex<State>, changed: &Condvar, console: &Console) {
    let mut now = state.lock().expect("no lane panics");
    while !now.waiting.is_empty() {
        let Some(check) = now.next() else {
            now = changed.wait(now).expect("no lane panics");
            continue;
        };
        drop(now);
        let record = execute(check, console);
        now = state.lock().expect("no lane panics");
        now.running.retain(|(name, _)| *name != record.name);
        now.ended.push(record);
        changed.notify_all();
    }
}

fn execute(check: Check, console: &Console) -> Record {
    let start = Instant::now();
    let log = console.log(&check.name);
    let verdict = verdict(&check, &Shell::new(&log));
    let (levels, time) = (
        check.levels.filter(|_| verdict == Verdict::Passed),
        start.elapsed(),
    );
    Record {
        printed: log.end(),
        verdict,
        time,
        levels,
        name: check.name.clone(),
    }
}

fn verdict(check: &Check, shell: &Shell<'_>) -> Verdict {
    if let Err(reason) = needs::provide(check.needs, shell) {
        shell.say(format!("===== {} NOT RUN: {reason}", check.name));
        return Verdict::NotRun(reason.to_string());
    }
    for want in check.wants {
        let Err(reason) = needs::provide(&[*want], shell) else {
            continue;
        };
        shell.say(format!("===== {} checks less: {reason}", check.name));
        if on_ci() {
            return Verdict::NotRun(reason.to_string());
        }
    }
    let result = catch_unwind(AssertUnwindSafe(|| (check.task)(shell)));
    match result.unwrap_or_else(|_| Err(Failure::new("it panicked"))) {
        Ok(()) => Verdict::Passed,
        Err(failure) => {
            shell.say(format!("===== {} FAILED: {failure}", check.name));
            Verdict::Failed
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NATIVE: &[Room] = &[Room::Native];
    const WASM: &[Room] = &[Room::Wasm];
    const MACHINE: &[Room] = &[Room::Machine];

    fn check(name: &str, rooms: &'static [Room]) -> Check {
        Check::new(name, rooms, |_| Ok(()))
    }

    /// The checks that run at the same time, again and again until none is left.
    fn rounds(waiting: Vec<Check>) -> Vec<Vec<String>> {
        let mut state = State {
            waiting,
            running: Vec::new(),
            ended: Vec::new(),
        };
        let mut round = || {
            state.running.clear();
            let names: Vec<String> = std::iter::from_fn(|| state.next())
                .map(|check| check.name)
                .collect();
            (!names.is_empty()).then_some(names)
        };
        std::iter::from_fn(&mut round).collect()
    }

    #[test]
    fn checks_in_one_room_follow_each_other() {
        let checks = vec![
            check("a", NATIVE),
            check("b", &[Room::Wasm, Room::Native]),
            check("c", WASM),
        ];
        assert_eq!(rounds(checks), [vec!["a", "c"], vec!["b"]]);
    }

    #[test]
    fn a_check_that_measures_is_alone_and_not_overtaken() {
        let checks = vec![check("a", &[]), check("b", MACHINE), check("c", &[])];
        assert_eq!(rounds(checks), [["a"], ["b"], ["c"]]);
    }

    #[test]
    fn a_check_waits_for_those_before_it() {
        let checks = vec![
            check("b", &[]).after(&["a", "not asked for"]),
            check("a", &[]),
        ];
        assert_eq!(rounds(checks), [["a"], ["b"]]);
    }

    #[test]
    fn all_checks_run_whatever_happens_to_one() {
        let console = Console::new(Instant::now());
        let mut checks = vec![check("a", NATIVE).after(&["c"]), check("b", MACHINE)];
        checks.push(Check::new("c", NATIVE, |_| Err(Failure::new("no"))));
        let records = run(checks, &console);
        let verdict = |name: &str| {
            &records
                .iter()
                .find(|record| record.name == name)
                .expect("it ran")
                .verdict
        };
        assert_eq!(
            [verdict("a"), verdict("b"), verdict("c")],
            [&Verdict::Passed, &Verdict::Passed, &Verdict::Failed]
        );
    }
}
