//! `nnue bench --batch`: speed of batches of unrelated positions.

mod positions;
mod report;
mod way;

use std::io::Write;

use crate::progress::Progress;
use nnue::Evaluation;

use super::levels;
use super::timer::{Timer, Times};
use crate::args::{BatchArgs, BenchArgs};
use crate::error::Error;
use crate::input::Placement;
use crate::network::{Opened, open_any};
use positions::Positions;
use way::{Evaluate, Way};

/// Most threads; each has its own accumulators.
const MOST_THREADS: usize = 256;

struct Measured {
    opened: Opened,
    /// by way; one entry per repetition
    samples: Vec<Vec<Times>>,
}

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    let positions = Positions::read(args.batch.positions.as_deref())?;
    let ways = ways(&threads(&args.batch)?);
    let open = |level| {
        let opened = open_any(&args.net, &args.declared, level)?;
        Ok(Measured {
            opened,
            samples: vec![Vec::new(); ways.len()],
        })
    };
    let mut measured = levels(args)
        .into_iter()
        .map(open)
        .collect::<Result<Vec<_>, Error>>()?;
    for Measured { opened, .. } in &measured {
        check(opened, &ways, &positions.all)?;
    }
    let timer = Timer::new();
    let progress = Progress::new(
        "measurement",
        (args.repetitions * measured.len() * ways.len()) as u64,
    );
    for _ in 0..args.repetitions {
        for Measured { opened, samples } in &mut measured {
            for (way, samples) in ways.iter().zip(samples) {
                samples.push(measure(
                    &mut *way.of(&*opened.network),
                    *way,
                    &positions.all,
                    timer,
                ));
                progress.step();
            }
        }
    }
    drop(progress);
    report::write(&measured, &ways, &positions, args.json, out).map_err(Error::from)
}

/// The requested numbers of threads. Default: one, and two if there are two processors.
pub(crate) fn threads(args: &BatchArgs) -> Result<Vec<usize>, Error> {
    if let Some(threads) = args
        .threads
        .iter()
        .find(|threads| !(1..=MOST_THREADS).contains(*threads))
    {
        return Err(Error::Argument(format!(
            "--threads {threads}: expected 1 to {MOST_THREADS}"
        )));
    }
    if !args.threads.is_empty() {
        return Ok(args.threads.clone());
    }
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    Ok((1..=processors.min(2)).collect())
}

/// The single-position ways, and batches on each number of threads.
fn ways(threads: &[usize]) -> Vec<Way> {
    let batches = threads
        .iter()
        .flat_map(|&threads| Way::SIZES.map(|size| Way::Batches { size, threads }));
    Way::SINGLE.into_iter().chain(batches).collect()
}

/// Checks that every way gives the values of [`Way::Fresh`].
fn check(opened: &Opened, ways: &[Way], positions: &[Placement]) -> Result<(), Error> {
    let values = |way: &Way| {
        let mut values = vec![Evaluation::default(); positions.len()];
        let mut evaluate = way.of(&*opened.network);
        for (positions, values) in positions
            .chunks(way.together())
            .zip(values.chunks_mut(way.together()))
        {
            evaluate.evaluate(positions, values);
        }
        values
    };
    let fresh = values(&Way::Fresh);
    for way in ways {
        if let Some(at) = values(way)
            .iter()
            .zip(&fresh)
            .position(|(value, fresh)| value != fresh)
        {
            let (source, level) = (&opened.source, opened.network.level());
            return Err(Error::Mismatch(format!(
                "{source}, {level}: position {at} has another value by {way} than alone"
            )));
        }
    }
    Ok(())
}

/// Evaluates all positions, in timed parts.
fn measure(evaluate: &mut dyn Evaluate, way: Way, positions: &[Placement], timer: Timer) -> Times {
    let mut values = vec![Evaluation::default(); way.together()];
    let part = |positions: &[Placement]| {
        timer.time(|| evaluate.evaluate(positions, &mut values[..positions.len()]))
    };
    Times {
        parts: positions.chunks(way.together()).map(part).collect(),
        operations: positions.len(),
    }
}
