//! `nnue bench --growth`: time by size of the network, compared with a fitted line.
//!
//! ```text
//!   machine   what it reads and adds in a nanosecond              the limits
//!   passes    accumulators: widths, numbers of rows, places  ─┐
//!   layers    forward passes: widths, inputs that are not 0  ─┴─► series ─► fit    the line through all points
//!   threads   accumulators on several threads
//! ```

mod fit;
mod layers;
mod machine;
mod passes;
mod report;
mod series;
mod setting;
mod tensors;
mod threads;

use std::io::Write;

use crate::progress::Progress;

use super::batch;
use super::levels;
use super::timer::Timer;
use crate::args::BenchArgs;
use crate::error::Error;
use crate::network::level_of;
use machine::Machine;
use passes::{Memory, PAIRS, PIECES};
use series::Series;
use setting::Setting;
use tensors::{Pairs, Pieces, Place};
use threads::Scaling;

struct Growth {
    machine: Machine,
    series: Vec<Series>,
    scaling: Vec<Scaling>,
}

struct Rows {
    pieces: [Pieces; 2],
    pairs: [Pairs; 2],
}

const STEPS: usize = 8;

pub(super) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    let threads = batch::threads(&args.batch)?;
    let settings = levels(args).into_iter().map(|level| {
        let (level, reason) = level_of(level)?;
        Ok(Setting {
            level,
            reason,
            repetitions: args.repetitions,
            timer: Timer::new(),
        })
    });
    let settings = settings.collect::<Result<Vec<_>, Error>>()?;
    let rows = Rows {
        pieces: Place::ALL.map(Pieces::new),
        pairs: Place::ALL.map(Pairs::new),
    };
    let progress = Progress::new("measurement", (settings.len() * STEPS) as u64);
    let measure = |setting: &Setting| measure(setting, &rows, &threads, &progress);
    let growths = settings
        .iter()
        .map(measure)
        .collect::<Result<Vec<_>, Error>>()?;
    drop(progress);
    for (setting, growth) in settings.iter().zip(&growths) {
        let write = if args.json {
            report::json
        } else {
            report::table
        };
        write(setting, growth, out)?;
    }
    Ok(())
}

fn measure(
    setting: &Setting,
    rows: &Rows,
    threads: &[usize],
    progress: &Progress,
) -> Result<Growth, Error> {
    let step = || progress.step();
    let [near, far] = &rows.pieces;
    let machine = Machine::measure(setting.level, near, far, setting.repetitions, setting.timer);
    step();
    let (mut series, mut scaling) = (Vec::new(), Vec::new());
    for ((place, pieces), speed) in Place::ALL
        .into_iter()
        .zip(&rows.pieces)
        .zip([machine.near, machine.far])
    {
        series.push(passes::series(
            setting,
            place,
            Memory::new(pieces, None),
            &PIECES,
            [speed, machine.nearest],
        )?);
        step();
    }
    // networks with pairs read few piece rows, so those stay near
    for ((place, pairs), speed) in Place::ALL
        .into_iter()
        .zip(&rows.pairs)
        .zip([machine.near, machine.far])
    {
        series.push(passes::series(
            setting,
            place,
            Memory::new(near, Some(pairs)),
            &PAIRS,
            [speed, machine.nearest],
        )?);
        step();
    }
    series.push(layers::series(setting, machine.products)?);
    step();
    for (place, pieces) in Place::ALL.into_iter().zip(&rows.pieces) {
        scaling.push(threads::measure(setting, place, pieces, threads));
        step();
    }
    Ok(Growth {
        machine,
        series,
        scaling,
    })
}
