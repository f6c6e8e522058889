//! `nnue bench`: speed of a network, in nanoseconds and relative to a calibration kernel.

mod batch;
mod changes;
mod data;
mod growth;
mod listed;
mod measure;
mod plans;
mod replay;
mod report;
mod rows;
mod timer;
mod traffic;
mod weights;
mod workload;

use std::io::Write;

use crate::note::note;
use crate::progress::Progress;
use nnue_spec::ElementType;

use crate::args::BenchArgs;
use crate::error::Error;
use crate::network::{Opened, open_any};
use traffic::Traffic;

#[cfg(feature = "backends")]
pub(crate) use batch::threads;
pub(crate) use data::Data;
#[cfg(feature = "backends")]
pub(crate) use data::GAMES;
pub(crate) use measure::measure;
pub(crate) use plans::other;
pub(crate) use rows::{FeatureRows, Sets};
pub(crate) use timer::{Timer, Times, per_operation};
pub(crate) use workload::Workload;

pub(crate) struct Bench {
    opened: Opened,
    traffic: Traffic,
    /// by workload; one entry per repetition
    samples: Vec<Vec<Times>>,
}

impl Bench {
    /// Whether a workload applies to the network: without pairs, none change.
    fn has(&self, workload: Workload) -> bool {
        workload != Workload::Changes || self.opened.network.spec().features.len() > 1
    }
}

pub(crate) fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<(), Error> {
    if args.repetitions == 0 {
        return Err(Error::Argument("--repetitions must be at least 1".into()));
    }
    if let Some(path) = &args.rows {
        return listed::run(args, path, out);
    }
    if args.batch.batch {
        return batch::run(args, out);
    }
    if args.growth {
        return growth::run(args, out);
    }
    if args.plans.plans {
        return plans::run(args, out);
    }
    let data = Data::new();
    let mut benches = benches(args, &data)?;
    let timer = Timer::new();
    let steps = args.repetitions * benches.len() * Workload::ALL.len();
    let progress = Progress::new("measurement", steps as u64);
    for _ in 0..args.repetitions {
        for bench in &mut benches {
            for (workload, samples) in Workload::ALL.into_iter().zip(&mut bench.samples) {
                let once = || {
                    measure(
                        &*bench.opened.network,
                        workload,
                        &data,
                        bench.traffic.layers as usize,
                        timer,
                    )
                };
                // the first pass, not counted, warms the caches after another workload
                once();
                samples.push(once());
                progress.step();
            }
        }
    }
    drop(progress);
    let reports = benches.iter().map(report::Report::new).collect::<Vec<_>>();
    if args.json {
        report::json(&reports, out)
    } else {
        report::table(&reports, out)
    }
    .map_err(Error::from)
}

fn benches(args: &BenchArgs, data: &Data) -> Result<Vec<Bench>, Error> {
    let bench = |level| {
        let opened = open_any(&args.net, &args.declared, level)?;
        if opened.network.spec().features[0].element != ElementType::I16 {
            return Err(Error::Argument(format!(
                "`{}` has 8-bit rows, but the replay (the unit of the ratios) adds 16-bit rows: measure it with `--batch`",
                opened.known.name
            )));
        }
        let traffic = Traffic::new(&*opened.network, data);
        Ok(Bench {
            opened,
            traffic,
            samples: vec![Vec::new(); Workload::ALL.len()],
        })
    };
    let benches: Vec<Bench> = levels(args)
        .into_iter()
        .map(bench)
        .collect::<Result<_, Error>>()?;
    if let Some(Bench { opened, .. }) = benches.first()
        && !opened.known.is_compiled()
    {
        note!(
            "this command has no compiled code for `{}`: kernels with run-time widths are measured",
            opened.known.name
        );
    }
    Ok(benches)
}

/// The requested levels; by default the best one.
fn levels(args: &BenchArgs) -> Vec<Option<&str>> {
    if args.level.is_empty() {
        vec![None]
    } else {
        args.level
            .iter()
            .map(|level| Some(level.as_str()))
            .collect()
    }
}
