//! `nnue bench --backend`: positions per second, by batch size and number of clients.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::progress::Progress;
use nnue_backend::{Answers, Attributes, Backend, Chess, Sample, Wanted};

use super::positions::Game;
use super::registry::{Networks, create};
use crate::args::{BenchArgs, DeclarationArgs};
use crate::bench::{GAMES, threads};
use crate::error::Error;

/// Batch sizes, besides the recommended one.
const SIZES: [usize; 3] = [1, 16, 256];

const MOST: usize = 1 << 16;

/// Shortest duration of a measurement, which has at least two batches per client.
const LEAST: Duration = Duration::from_millis(400);

struct Setting {
    size: usize,
    clients: usize,
}

struct Measured {
    setting: Setting,
    positions_per_second: f64,
    /// latency from a batch's first sample to its answers
    milliseconds: f64,
}

pub(crate) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    let text = args.backend.text.as_deref().unwrap_or_default();
    let backend = create(text, &Networks::new(&args.net, &DeclarationArgs::default()))?;
    let games: Vec<Game> = GAMES
        .lines()
        .map(|line| Game::of_line(line).expect("the built-in games are legal"))
        .collect();
    let samples: Vec<Sample<'_, Chess>> = games.iter().flat_map(Game::samples).collect();
    let settings = settings(args, &backend.attributes())?;
    let difference = difference(&*backend, &samples)?;
    let progress = Progress::new("measurement", settings.len() as u64);
    let mut measured = Vec::new();
    for setting in settings {
        measured.push(measure(&*backend, &samples, setting)?);
        progress.step();
    }
    drop(progress);
    if args.json {
        return Ok(json(text, &measured, out)?);
    }
    writeln!(
        out,
        "backend {}",
        if text.is_empty() {
            backend.name()
        } else {
            text
        }
    )?;
    writeln!(
        out,
        "{} positions of {} games, each with those before it",
        samples.len(),
        games.len()
    )?;
    writeln!(
        out,
        "alone and in batches values differ by at most {difference:.1e}"
    )?;
    table(&measured, out)?;
    let mut report = String::new();
    backend.report(&mut report).map_err(io::Error::other)?;
    Ok(write!(out, "{report}")?)
}

fn settings(args: &BenchArgs, attributes: &Attributes) -> Result<Vec<Setting>, Error> {
    let most = attributes.maximum_batch.min(MOST);
    if let Some(size) = args
        .backend
        .size
        .iter()
        .find(|size| !(1..=most).contains(*size))
    {
        return Err(Error::Argument(format!(
            "--size {size}: expected 1 to {most}"
        )));
    }
    let mut sizes = args.backend.size.clone();
    if sizes.is_empty() {
        sizes = SIZES
            .into_iter()
            .chain([attributes.recommended_batch])
            .filter(|size| (1..=most).contains(size))
            .collect();
        sizes.sort_unstable();
        sizes.dedup();
    }
    let clients = threads(&args.batch)?;
    let of_size = |&size: &usize| {
        clients
            .iter()
            .map(move |&clients| Setting { size, clients })
            .collect::<Vec<_>>()
    };
    Ok(sizes.iter().flat_map(of_size).collect())
}

/// The greatest difference between values of single positions and of batches. A NaN is an error.
fn difference(backend: &dyn Backend<Chess>, samples: &[Sample<'_, Chess>]) -> Result<f32, Error> {
    let some: Vec<Sample<'_, Chess>> = samples
        .iter()
        .step_by(samples.len().div_ceil(64))
        .copied()
        .collect();
    let together = batch(backend, &some)?;
    let mut greatest = 0.0_f32;
    for (slot, sample) in some.iter().enumerate() {
        let alone = batch(backend, &[*sample])?;
        let difference = (alone.q(0) - together.q(slot)).abs();
        if difference.is_nan() {
            return Err(Error::Mismatch(format!(
                "{}: the value of a position is not a number",
                backend.name()
            )));
        }
        greatest = greatest.max(difference);
    }
    Ok(greatest)
}

fn batch(backend: &dyn Backend<Chess>, samples: &[Sample<'_, Chess>]) -> Result<Answers, Error> {
    Ok(backend.evaluate(samples, Wanted::ALL)?)
}

/// Runs clients that evaluate batches of their own samples.
fn measure(
    backend: &dyn Backend<Chess>,
    samples: &[Sample<'_, Chess>],
    setting: Setting,
) -> Result<Measured, Error> {
    let Setting { size, clients } = setting;
    let (batches, busy) = (AtomicU64::new(0), AtomicU64::new(0));
    let start = Instant::now();
    let client = |number: usize| -> Result<(), Error> {
        let mut all = samples
            .iter()
            .copied()
            .cycle()
            .skip(number * samples.len() / clients);
        let mut count = 0;
        while count < 2 || start.elapsed() < LEAST {
            let own: Vec<Sample<'_, Chess>> = all.by_ref().take(size).collect();
            let begin = Instant::now();
            batch(backend, &own)?;
            busy.fetch_add(begin.elapsed().as_nanos() as u64, Ordering::Relaxed);
            count += 1;
        }
        batches.fetch_add(count, Ordering::Relaxed);
        Ok(())
    };
    std::thread::scope(|threads| {
        let client = &client;
        let all: Vec<_> = (0..clients)
            .map(|number| threads.spawn(move || client(number)))
            .collect();
        all.into_iter()
            .try_for_each(|thread| thread.join().expect("a client does not panic"))
    })?;
    let (elapsed, batches) = (start.elapsed().as_secs_f64(), batches.into_inner() as f64);
    Ok(Measured {
        positions_per_second: batches * size as f64 / elapsed,
        milliseconds: busy.into_inner() as f64 / 1e6 / batches,
        setting,
    })
}

fn table(measured: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "  {:>6} {:>8} {:>13} {:>11}",
        "batch", "clients", "positions/s", "ms a batch"
    )?;
    for Measured {
        setting,
        positions_per_second,
        milliseconds,
    } in measured
    {
        let Setting { size, clients } = setting;
        writeln!(
            out,
            "  {size:>6} {clients:>8} {positions_per_second:>13.0} {milliseconds:>11.3}"
        )?;
    }
    Ok(())
}

fn json(text: &str, measured: &[Measured], out: &mut dyn Write) -> io::Result<()> {
    let rows: Vec<serde_json::Value> = measured
        .iter()
        .map(
            |Measured {
                 setting,
                 positions_per_second,
                 milliseconds,
             }| {
                serde_json::json!({
                    "batch": setting.size,
                    "clients": setting.clients,
                    "positions_per_second": positions_per_second,
                    "milliseconds": milliseconds,
                })
            },
        )
        .collect();
    writeln!(
        out,
        "{}",
        serde_json::json!({ "backend": text, "rows": rows })
    )
}
