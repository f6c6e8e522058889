//! Searches for an order and writes the network in that order.

use std::path::Path;
use std::time::Instant;

use crate::progress::Progress;
use nnue_format::{Header, Tensors, write};
use nnue_spec::NetDesc;
use nnue_tools::compression::Bounds;
use nnue_tools::order::{self, Activity, Blocks};
use nnue_tools::permute::permute;

use super::activity::observe;
use crate::args::OptimizeArgs;
use crate::bench::Data;
use crate::error::Error;
use crate::input::network_file;
use crate::input::{Placement, Spread, is_standard, positions};
use crate::network::Evaluator;

/// Most positions for the search; more take longer and change little.
const SEARCHED: usize = 4096;

/// Positions to evaluate an order with.
pub(super) struct Sample {
    pub(super) name: String,
    /// whether the search uses them
    pub(super) searched: bool,
    pub(super) boards: Vec<Placement>,
}

pub(super) struct Found {
    /// the positions; those of the search first
    pub(super) samples: Vec<Sample>,
    /// by sample: blocks before and after
    pub(super) blocks: Vec<[Blocks; 2]>,
    pub(super) seconds: f64,
    /// network file in the new order
    pub(super) file: Vec<u8>,
}

/// Finds an order for the network in the arguments' file.
pub(super) fn find(args: &OptimizeArgs, spec: &NetDesc<'_>, data: &Data) -> Result<Found, Error> {
    let (header, mut tensors) = reread(&args.file, spec)?;
    let samples = samples(args, data)?;
    let start = Instant::now();
    let searched = observe(spec, &tensors.refs(), &samples[0].boards)?;
    let progress = Progress::new("search: round", order::SWEEPS as u64);
    let order = order::find(&searched, || progress.step());
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    let unchanged: Vec<usize> = (0..order.len()).collect();
    let blocks = |activity: &Activity| [&unchanged, &order].map(|order| activity.blocks(order));
    let mut all = vec![blocks(&searched)];
    for sample in &samples[1..] {
        all.push(blocks(&observe(spec, &tensors.refs(), &sample.boards)?));
    }
    let refuse = |message: String| Error::Network {
        path: args.file.clone(),
        message,
    };
    permute(spec, &mut tensors.muts(), &order).map_err(|error| refuse(error.to_string()))?;
    let mut file = Vec::new();
    write(spec, &header, &tensors.refs(), &mut file).map_err(|error| refuse(error.to_string()))?;
    Ok(Found {
        samples,
        blocks: all,
        seconds,
        file,
    })
}

/// Reads header and tensors, in the order of the file.
fn reread(path: &Path, spec: &NetDesc<'_>) -> Result<(Header, Tensors), Error> {
    let file = network_file::open(path, Bounds::of(spec))?;
    Tensors::read(spec, file).map_err(|error| Error::Network {
        path: path.to_owned(),
        message: error.to_string(),
    })
}

/// The positions for the search, and others for validation.
fn samples(args: &OptimizeArgs, data: &Data) -> Result<Vec<Sample>, Error> {
    let steps = data.games.iter().flat_map(|game| &game.steps);
    let searched = args.positions.is_none();
    let games = Sample {
        name: "the built-in games".into(),
        searched,
        boards: steps.map(|step| step.board).collect(),
    };
    let suite = Sample {
        name: "the built-in suite".into(),
        searched: false,
        boards: data.suite.clone(),
    };
    let Some(path) = &args.positions else {
        return Ok(vec![games, suite]);
    };
    let mut boards = Spread::new(SEARCHED);
    for given in positions(&[], Some(path))? {
        boards.push(given?.position);
    }
    let boards = boards.into_kept();
    let name = if is_standard(path) {
        "standard input".into()
    } else {
        path.display().to_string()
    };
    if boards.is_empty() {
        return Err(Error::Argument(format!(
            "{name} has no positions: one FEN per line is expected"
        )));
    }
    Ok(vec![
        Sample {
            name,
            searched: true,
            boards,
        },
        suite,
        games,
    ])
}

impl Found {
    /// Checks that both networks give equal results in all positions; returns the number of positions.
    pub(super) fn compare(
        &self,
        before: &dyn Evaluator,
        after: &dyn Evaluator,
    ) -> Result<usize, Error> {
        let boards: Vec<&Placement> = self
            .samples
            .iter()
            .flat_map(|sample| &sample.boards)
            .collect();
        let progress = Progress::new("comparison: position", boards.len() as u64);
        for board in &boards {
            let verdicts = |network: &dyn Evaluator| network.trace(board).buckets;
            let [right, found] = [before, after].map(|network| {
                verdicts(network)
                    .iter()
                    .map(|verdict| verdict.evaluation)
                    .collect::<Vec<_>>()
            });
            if right != found {
                return Err(Error::Mismatch(format!(
                    "the networks differ, nothing was written: {right:?} before, {found:?} after, in {board:?}"
                )));
            }
            progress.step();
        }
        Ok(boards.len())
    }
}
