//! Schedules: a number, or a table with the name of a schedule.

use crate::schedule::Schedule;

use super::Length;
use crate::run::Error;
use crate::run::table::Table;

#[derive(Clone, Copy)]
enum Kind {
    Constant,
    Step,
    Linear,
    Cosine,
    OneCycle,
}

const KINDS: [(&str, Kind); 5] = [
    ("constant", Kind::Constant),
    ("step", Kind::Step),
    ("linear", Kind::Linear),
    ("cosine", Kind::Cosine),
    ("one_cycle", Kind::OneCycle),
];

/// The default learning rate: half a cosine from 0.001 to `0.001 * 0.3^5`, as in bullet's examples.
pub(crate) fn usual(length: Length) -> Schedule {
    Schedule::Cosine {
        start: 1e-3,
        end: 1e-3 * 0.3_f64.powi(5),
        steps: length.steps(),
    }
}

pub(crate) fn read_or(
    parent: &mut Table<'_>,
    key: &'static str,
    length: Length,
    numbers: Numbers,
    otherwise: impl FnOnce() -> Schedule,
) -> Result<Schedule, Error> {
    if !parent.has(key) {
        // Registers the key for suggestions of misspelt keys.
        parent.table(key)?;
        return Ok(otherwise());
    }
    if parent.has_number(key) {
        return Ok(Schedule::Constant(numbers.read(parent, key)?));
    }
    let mut table = parent.table(key)?;
    let schedule = read(&mut table, numbers, length)?;
    let warm_up = table.count("warm_up", 1..=length.steps())?;
    let schedule = match warm_up {
        Some(steps) => Schedule::WarmUp {
            steps,
            then: Box::new(schedule),
        },
        None => schedule,
    };
    let schedule = match numbers.seed {
        Some(seed) => uneven(&mut table, schedule, length, seed)?,
        None => schedule,
    };
    table.finish()?;
    Ok(schedule)
}

/// Adds `bump` and `jitter` to a schedule.
fn uneven(
    table: &mut Table<'_>,
    mut schedule: Schedule,
    length: Length,
    seed: u64,
) -> Result<Schedule, Error> {
    if let Some(height) = table.number("bump", -1.0..=1.0, "a number from -1 to 1")? {
        schedule = Schedule::Bump {
            height,
            steps: length.steps(),
            then: Box::new(schedule),
        };
    }
    if let Some(deviation) = table.share("jitter")? {
        schedule = Schedule::Jitter {
            deviation,
            seed,
            then: Box::new(schedule),
        };
    }
    Ok(schedule)
}

fn read(table: &mut Table<'_>, numbers: Numbers, length: Length) -> Result<Schedule, Error> {
    let Some(kind) = table.choice("schedule", &KINDS)? else {
        return Err(table.refuse(
            "schedule",
            "`schedule` is missing: one of `constant`, `step`, `linear`, `cosine`, `one_cycle`",
        ));
    };
    let steps = length.steps();
    Ok(match kind {
        Kind::Constant => Schedule::Constant(numbers.read(table, "start")?),
        Kind::Step => Schedule::Step {
            start: numbers.read(table, "start")?,
            factor: table.positive("factor")?.unwrap_or(0.1),
            every: table.count("every", 1..=length.superbatches)?.unwrap_or(1) * length.batches,
        },
        Kind::Linear => Schedule::Linear {
            start: numbers.read(table, "start")?,
            end: numbers.read(table, "end")?,
            steps,
        },
        Kind::Cosine => Schedule::Cosine {
            start: numbers.read(table, "start")?,
            end: numbers.read(table, "end")?,
            steps,
        },
        Kind::OneCycle => one_cycle(table, numbers, steps)?,
    })
}

fn one_cycle(table: &mut Table<'_>, numbers: Numbers, steps: u64) -> Result<Schedule, Error> {
    let peak = numbers.read(table, "peak")?;
    let mut schedule = Schedule::one_cycle(peak, steps);
    if let Schedule::OneCycle {
        start, end, rise, ..
    } = &mut schedule
    {
        *start = numbers.find(table, "start")?.unwrap_or(*start);
        *end = numbers.find(table, "end")?.unwrap_or(*end);
        *rise = table.share("rise")?.unwrap_or(*rise);
    }
    Ok(schedule)
}

/// The range of a schedule's numbers.
#[derive(Clone, Copy)]
pub(crate) struct Numbers {
    least: f64,
    /// seed of jitter, where it is allowed
    seed: Option<u64>,
}

impl Numbers {
    /// For learning rates.
    pub(crate) const RATE: Self = Self {
        least: f64::MIN_POSITIVE,
        seed: None,
    };

    /// For shares, with a seed of jitter.
    pub(crate) const fn share(seed: u64) -> Self {
        Self {
            least: 0.0,
            seed: Some(seed),
        }
    }

    fn find(self, table: &mut Table<'_>, key: &'static str) -> Result<Option<f64>, Error> {
        let expected = if self.least > 0.0 {
            "a number above 0, and not above 1"
        } else {
            "a number from 0 to 1"
        };
        table.number(key, self.least..=1.0, expected)
    }

    fn read(self, table: &mut Table<'_>, key: &'static str) -> Result<f64, Error> {
        match self.find(table, key)? {
            Some(number) => Ok(number),
            None => Err(table.refuse(key, format!("this schedule needs `{key}`"))),
        }
    }
}
