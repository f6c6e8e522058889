//! `nnue plot neurons`: plots the activity of neurons in positions.

use std::io::Write;

use crate::progress::Progress;
use nnue_tools::plot::Network;
use nnue_tools::plot::activity::{Activity, Group};

use super::{file, network, one_input, open, refuse};
use crate::args::plot::{NeuronsArgs, SeenArgs};
use crate::error::Error;
use crate::input::{Sample, SampleFiles, Samples, Spread, samples};

pub(super) fn run(args: &NeuronsArgs, out: &mut dyn Write) -> Result<(), Error> {
    one_input(&args.drawn, &args.seen.files())?;
    let opened = open(&args.drawn)?;
    let tensors = opened.network.tensors();
    let activity = watch(&network(&*opened.network, &tensors)?, &args.seen)?;
    file::write(&args.drawn, &activity.draw())?;
    writeln!(
        out,
        "{:<32} {:>8} {:>8} {:>10}  (in {} positions)",
        "values", "neurons", "dead", "saturated", activity.positions
    )?;
    for group in activity.groups() {
        line(group, out)?;
    }
    for stack in activity.unused() {
        writeln!(out, "no position uses stack {stack}")?;
    }
    Ok(())
}

fn line(group: &Group, out: &mut dyn Write) -> Result<(), Error> {
    let (dead, saturated) = (group.dead(), group.saturated());
    writeln!(
        out,
        "{:<32} {:>8} {:>8} {:>10}",
        group.title(),
        group.inactive.len(),
        dead.len(),
        saturated.len()
    )?;
    for (what, neurons) in [("dead", dead), ("saturated", saturated)] {
        if !neurons.is_empty() {
            let names: Vec<String> = neurons.iter().map(ToString::to_string).collect();
            writeln!(out, "  {what}: {}", names.join(" "))?;
        }
    }
    Ok(())
}

/// Records activity in the positions of the arguments.
pub(super) fn watch(network: &Network<'_>, args: &SeenArgs) -> Result<Activity, Error> {
    let mut activity = Activity::new(network.desc).map_err(refuse)?;
    let files = SampleFiles {
        boards: ("--fens", args.fens.as_deref()),
        rows: args.rows.as_deref(),
    };
    let Samples { positions, source } = samples(network.desc, files)?;
    let mut spread: Spread<Sample> = Spread::new(args.positions as usize);
    for position in positions {
        spread.push(position?);
    }
    let positions = spread.into_kept();
    if positions.is_empty() {
        return Err(Error::Argument(format!("no positions: {source}")));
    }
    let progress = Progress::new("neurons: position", positions.len() as u64);
    for position in &positions {
        activity.see(network, position);
        progress.step();
    }
    Ok(activity)
}
