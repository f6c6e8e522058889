//! Runs a job: threads take blocks, score them and pass them on.

use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::thread;

use crate::files::output::refuse_same;
use crate::{ReadError, Record};

use crate::rescore::block::{Block, Done};
use crate::rescore::encode::encode;
use crate::rescore::error::Error;
use crate::rescore::in_order::InOrder;
use crate::rescore::input::{digest, size};
use crate::rescore::job::{Job, is_standard};
use crate::rescore::part::Part;
use crate::rescore::rules::Counts;
use crate::rescore::scorer::{Scorer, Worker};
use crate::rescore::share::{self, Share};
use crate::rescore::sorted::Sorted;
use crate::rescore::source::Source;
use crate::rescore::state::Identity;
use crate::rescore::watch::Watch;

/// Finished blocks for each thread that may wait for an earlier one.
const WAITING: u64 = 2;

/// The result of a job.
#[derive(Debug)]
pub struct Report {
    /// of this run and of those that it resumed
    pub counts: Counts,
    /// bytes of the output
    pub bytes: u64,
    /// the damaged place where reading ended; everything before it was written
    pub damaged: Option<(PathBuf, ReadError)>,
}

/// Scores the positions of files with a network, and writes them in order.
///
/// The output appears when the job is done. A killed run leaves `OUT.part` and `OUT.state`: the same job with
/// `resume` continues from there and gives the same bytes. If an input is damaged, the output holds
/// everything before the damage, and the job can be resumed with `keep_going`.
///
/// # Errors
///
/// If a file cannot be read or written, the format of the output cannot express a record, or the state beside
/// the output is not that of this job.
pub fn rescore(job: &Job, scorer: &dyn Scorer, watch: &dyn Watch) -> Result<Report, Error> {
    let sizes = check(job)?;
    let inputs = job
        .inputs
        .iter()
        .map(|input| digest(&input.path))
        .collect::<Result<_, _>>()?;
    let identity = Identity {
        settings: job.settings(scorer.identity()),
        inputs,
    };
    let part = Part::open(job, identity)?;
    let bytes = |all: u64| job.share.map_or(0..all, |share| share.range(all));
    watch.begins(
        sizes
            .into_iter()
            .sum::<Option<u64>>()
            .map(|all| bytes(all).end - bytes(all).start),
    );
    let source = Mutex::new(Source::after(part.state.items, job, watch)?);
    let output = InOrder::new(part, watch, WAITING * job.threads.get() as u64);
    thread::scope(|threads| {
        for _ in 1..job.threads.get() {
            threads.spawn(|| work(job, scorer, &source, &output));
        }
        work(job, scorer, &source, &output);
    });
    let (part, damaged) = output.into_parts()?;
    let state = part.finish(damaged.is_none())?;
    Ok(Report {
        counts: state.counts,
        bytes: state.bytes,
        damaged,
    })
}

/// Refuses impossible jobs. Returns the sizes of the inputs, where they are known.
fn check(job: &Job) -> Result<Vec<Option<u64>>, Error> {
    let mut sizes = Vec::new();
    for input in &job.inputs {
        let refused = |reason| Error::Input {
            path: input.path.clone(),
            reason,
        };
        if let Some(reason) = job.format.refuses(input.format) {
            return Err(refused(reason));
        }
        if job.resume && is_standard(&input.path) {
            return Err(Error::StandardInput);
        }
        let inputs = [("which is read", Some(input.path.as_path()))];
        refuse_same("the output", Some(&job.output), &inputs).map_err(refused)?;
        sizes.push(size(&input.path)?);
    }
    if let Some(share) = job.share {
        check_share(job, share, &sizes)?;
    }
    Ok(sizes)
}

/// Refuses a part of inputs that cannot be shared.
fn check_share(job: &Job, share: Share, sizes: &[Option<u64>]) -> Result<(), Error> {
    let refused = |reason: &str| {
        Err(Error::Share {
            share,
            reason: reason.into(),
        })
    };
    match (&job.inputs[..], sizes) {
        ([input], [Some(_)]) => {
            share::refusal(input.format).map_or(Ok(()), |reason| refused(&reason))
        }
        ([_], _) => refused("only files can be shared"),
        (inputs, _) => refused(&format!("of one file, not of {}", inputs.len())),
    }
}

/// The loop of one thread: block after block, until there are no more or something has failed.
fn work(job: &Job, scorer: &dyn Scorer, source: &Mutex<Source<'_>>, output: &InOrder<'_>) {
    let (mut worker, mut sorted, mut records) = (scorer.worker(), Sorted::default(), Vec::new());
    while !output.has_ended() {
        let next = source
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next_block(std::mem::take(&mut records));
        let done = match next {
            Ok(None) => return,
            Ok(Some(block)) => {
                let number = block.number;
                finish(job, block, &mut *worker, &mut sorted).map(|(done, memory)| {
                    records = memory;
                    (number, done)
                })
            }
            Err(error) => Err(error),
        };
        match done {
            Ok((number, done)) => {
                if !output.push(number, done) {
                    return;
                }
            }
            Err(error) => return output.fail(error),
        }
    }
}

/// Scores and encodes a block. Also returns its records, whose memory can be reused.
fn finish(
    job: &Job,
    block: Block,
    worker: &mut dyn Worker,
    sorted: &mut Sorted,
) -> Result<(Done, Vec<Record>), Error> {
    let Block {
        first,
        mut records,
        items,
        end,
        ..
    } = block;
    let (counts, skipped) = job.rules.apply(&mut records, worker, sorted);
    let mut encoded = encode(job, first, &records, &skipped)?;
    encoded.counts.add(counts);
    Ok((
        Done {
            encoded,
            items,
            end,
        },
        records,
    ))
}
