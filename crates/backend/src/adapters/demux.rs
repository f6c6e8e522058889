//! `demux`: splits a batch over several backends.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::common::{MOST, Parents, joined, passed_on};
use super::multiplexing::{Samples, THREADS, start};
use super::queue::{Queue, Workers};
use crate::answers::Answers;
use crate::backend::{Added, Attributes, Backend, Computation};
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::options::{Integer, Opt};
use crate::registry::Entry;

const STEP: Integer = Integer {
    name: "step",
    default: 1,
    range: 1..=MOST as u64,
    about: "a batch has no more parts than it has so many positions",
};

/// Each backend inside computes an equal part of each batch, on threads of its own. The remainder goes to the
/// backends in turn.
///
/// ```text
///   11 positions, 3 backends, begin with 1:      0 0 0 | 1 1 1 1 | 2 2 2 2
/// ```
pub struct Demux<G: Game> {
    name: String,
    parents: Parents<G>,
    step: usize,
    workers: Vec<Workers<G>>,
    /// the backend that gets the first extra position
    turn: Arc<AtomicUsize>,
}

impl<G: Game> Demux<G> {
    /// Splits over these backends, each with a number of threads, 0 for its own recommendation. A batch of
    /// `n` positions is split into at most `n / step` parts, rounded up.
    ///
    /// # Errors
    ///
    /// If there are no backends, or a thread cannot be started.
    pub fn new(
        name: &str,
        parents: Vec<(Arc<dyn Backend<G>>, usize)>,
        step: usize,
    ) -> Result<Self, Error> {
        let one = |(parent, threads): &(Arc<dyn Backend<G>>, usize)| {
            let mut workers = Workers::new(Arc::new(Queue::new(name)));
            start(&mut workers, parent, *threads, MOST)?;
            Ok(workers)
        };
        let workers = parents.iter().map(one).collect::<Result<_, Error>>()?;
        let parents = Parents::new(
            name,
            parents.into_iter().map(|(parent, _)| parent).collect(),
        )?;
        Ok(Self {
            name: name.to_owned(),
            parents,
            step: step.max(1),
            workers,
            turn: Arc::default(),
        })
    }
}

impl<G: Game> Backend<G> for Demux<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Attributes {
        let (all, count) = (self.parents.attributes(), self.parents.iter().len());
        let recommended_batch = all.recommended_batch.saturating_mul(count).min(MOST);
        Attributes {
            recommended_batch,
            maximum_batch: MOST,
            ..all
        }
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        let queues = self
            .workers
            .iter()
            .map(|workers| Arc::clone(&workers.queue))
            .collect();
        let samples = Samples::new(&self.name, self.parents.attributes().history);
        Box::new(Parted {
            queues,
            samples,
            step: self.step,
            turn: Arc::clone(&self.turn),
        })
    }

    passed_on!(parents: digest, key, cached, set, report);
}

struct Parted<G: Game> {
    queues: Vec<Arc<Queue<G>>>,
    samples: Samples<G>,
    step: usize,
    turn: Arc<AtomicUsize>,
}

/// The share of `count` samples for each of `queues`. The remainder is given to those from `turn` on, one
/// each.
fn shares(count: usize, queues: usize, step: usize, turn: usize) -> Vec<usize> {
    let parts = count.div_ceil(step).clamp(1, queues);
    let mut shares = vec![0; queues];
    for part in 0..parts {
        // larger parts come first, so that the next turn begins after them
        shares[(turn + part) % queues] = count / parts + usize::from(part < count % parts);
    }
    shares
}

impl<G: Game> Computation<G> for Parted<G> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        self.samples.add(sample, wanted)
    }

    fn used_batch_size(&self) -> usize {
        self.samples.len()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let Self {
            queues,
            samples,
            step,
            turn,
        } = *self;
        let batch = samples.finish();
        let count = queues.len();
        let parts = batch.len().div_ceil(step).clamp(1, count);
        let turn = turn.fetch_add(batch.len() % parts, Ordering::Relaxed) % count;
        let (mut begin, mut promises) = (0, Vec::with_capacity(parts));
        for (queue, share) in queues.iter().zip(shares(batch.len(), count, step, turn)) {
            if share > 0 {
                promises.push(queue.push(&batch, begin..begin + share));
            }
            begin += share;
        }
        // wait for all, so that no backend computes for a batch that is gone
        let parts: Vec<Result<Answers, Error>> =
            promises.into_iter().map(|promise| promise.wait()).collect();
        Ok(joined(parts.into_iter().collect::<Result<_, _>>()?))
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    let about = "one batch is split over several backends";
    Entry::new(
        "demux",
        -1001,
        about,
        vec![THREADS.help(), STEP.help()],
        |builder| {
            let (threads, step) = (
                builder.get(&THREADS)? as usize,
                builder.get(&STEP)? as usize,
            );
            let parents = if builder.parent_count() == 0 {
                vec![(builder.parent()?, threads)]
            } else {
                builder.each_parent(|inner| Ok((inner.make()?, inner.get(&THREADS)? as usize)))?
            };
            Ok(Arc::new(Demux::new(builder.path(), parents, step)?))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_samples_are_shared_out() {
        assert_eq!(shares(11, 3, 1, 1), [3, 4, 4]);
        assert_eq!(shares(5, 3, 4, 0), [3, 2, 0]);
        assert_eq!(shares(0, 3, 1, 2), [0, 0, 0]);
        for (count, queues, step, turn) in
            [(1, 4, 1, 3), (7, 2, 3, 1), (256, 5, 32, 4), (3, 8, 1, 6)]
        {
            let shares = shares(count, queues, step, turn);
            assert_eq!(shares.iter().sum::<usize>(), count);
            let used: Vec<usize> = shares.into_iter().filter(|&share| share > 0).collect();
            assert!(used.len() <= count.div_ceil(step));
            assert!(used.iter().max().unwrap() - used.iter().min().unwrap() <= 1);
        }
    }
}
