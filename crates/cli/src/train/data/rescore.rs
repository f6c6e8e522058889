//! `nnue data rescore`.

use std::num::NonZeroUsize;
use std::thread;

use crate::note::{line, note};
use nnue_data::Record;
use nnue_spec::plan::plan;
use nnue_train::features::{Features, Rows};
use nnue_train::network::Head;
use nnue_train::quantized::Quantized;
use nnue_train::search::{Limits, MAX_PLY, Real, Search, score_of};

use super::input::{Input, Order, Rule};
use super::output::Output;
use crate::args::train::RescoreArgs;
use crate::error::Error;
use crate::train::loaded::{RealNetwork, declared, exact};

/// Records per thread that are read before they are scored.
const BLOCK: usize = 4096;

/// Size of a search's hash table, as a power of two: enough for a few thousand nodes.
const TABLE_BITS: u32 = 13;

/// Limit of scores; greater ones are mates in some formats.
const GREATEST: f64 = 31_000.0;

pub(crate) fn run(args: &RescoreArgs) -> Result<(), Error> {
    let graph = declared(&args.network)?;
    let plan = plan(&graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let exact = exact(&net, &args.network.net)?;
    let real = RealNetwork::new(&graph, &net, &exact)?;
    let scorer = Scorer {
        exact: &exact,
        real: &real,
        nodes: args.nodes,
    };
    let threads = args
        .threads
        .or(thread::available_parallelism().ok())
        .unwrap_or(NonZeroUsize::MIN);

    let mut output = Output::create(&args.output, &args.input.inputs)?;
    // searches make moves; the network's value alone exists for every position
    let rule = if args.nodes.is_some() {
        Rule::Game
    } else {
        Rule::Evaluation
    };
    let mut input = Input::open_by(rule, &args.input, Order::Given, |from| output.takes(from))?;
    let (mut block, mut unsearched) = (Vec::with_capacity(BLOCK * threads.get()), 0);
    let mut score_and_write = |block: &mut Vec<Record>| {
        unsearched += scorer.score_all(block, threads);
        let written = block.iter().try_for_each(|record| output.write(record));
        block.clear();
        written
    };
    let end = input.for_each(|record| {
        block.push(*record);
        if block.len() == BLOCK * threads.get() {
            score_and_write(&mut block)?;
        }
        Ok(true)
    })?;
    score_and_write(&mut block)?;
    if unsearched > 0 {
        note!(
            "{unsearched} positions, in which nobody can move, have the value of the network alone"
        );
    }
    line(format_args!("{}", output.finish()?));
    end.judge(|| "the records before it were written".into())
}

struct Scorer<'n> {
    exact: &'n Quantized<'n>,
    real: &'n RealNetwork,
    nodes: Option<u64>,
}

impl Scorer<'_> {
    /// Scores records on several threads. Returns the number of records that could not be searched.
    fn score_all(&self, records: &mut [Record], threads: NonZeroUsize) -> usize {
        let each = records.len().div_ceil(threads.get()).max(1);
        thread::scope(|scope| {
            let parts: Vec<_> = records
                .chunks_mut(each)
                .map(|part| scope.spawn(|| self.score(part)))
                .collect();
            parts
                .into_iter()
                .map(|part| part.join().expect("evaluations do not panic"))
                .sum()
        })
    }

    fn score(&self, records: &mut [Record]) -> usize {
        let RealNetwork {
            features,
            network,
            parameters,
        } = self.real;
        let mut rows = Rows::default();
        let mut search = Search::new(Real::new(features, network, parameters), TABLE_BITS);
        let mut unsearched = 0;
        for record in records.iter_mut().filter(|record| record.score().is_some()) {
            let searched = self.nodes.map(|nodes| {
                search.clear();
                let limits = Limits {
                    depth: MAX_PLY as u32,
                    soft_nodes: nodes,
                    hard_nodes: nodes.saturating_mul(8),
                };
                let board = record.position.board().ok()?;
                search.best(&board, &[], limits).map(|found| found.value)
            });
            unsearched += usize::from(searched == Some(None));
            record.score = match searched.flatten() {
                Some(value) => value as i16,
                None => self.value(features, network.head(), record, &mut rows),
            };
        }
        unsearched
    }

    /// The quantised network's value for the side to move.
    fn value(&self, features: &Features, head: Head, record: &Record, rows: &mut Rows) -> i16 {
        let seen = features.see(&record.position, rows);
        let score = score_of(head, self.exact.evaluate(seen).outputs);
        features.for_mover(&record.position, score.clamp(-GREATEST, GREATEST)) as i16
    }
}
