//! `multiplexing`: merges the batches of many clients into larger ones.

use std::sync::{Arc, Mutex, PoisonError};

use super::common::{MOST, Parents, passed_on};
use super::queue::{Queue, Workers};
use crate::answers::Answers;
use crate::backend::{Added, Attributes, Backend, Computation};
use crate::batch::Batch;
use crate::error::Error;
use crate::game::{Game, Sample, Wanted};
use crate::options::{Integer, Opt};
use crate::registry::{Entry, Shared};

pub(super) const THREADS: Integer = Integer {
    name: "threads",
    default: 0,
    range: 0..=256,
    about: "threads that compute by each backend; 0: as many as it wants",
};
const MAX_BATCH: Integer = Integer {
    name: "max_batch",
    default: 256,
    range: 1..=MOST as u64,
    about: "positions that are computed together",
};

/// Client batches wait in one queue. Each backend inside has threads that take whole batches from it, up to a
/// number of positions, and compute them together. A batch above this limit is computed alone.
///
/// An error of a backend affects only the batches that it was computing.
pub struct Multiplexing<G: Game> {
    name: String,
    parents: Parents<G>,
    /// after `parents` nothing may need them: threads end before
    workers: Workers<G>,
}

/// A backend, its number of threads, and its maximum batch size.
pub type Parent<G> = (Arc<dyn Backend<G>>, usize, usize);

impl<G: Game> Multiplexing<G> {
    /// Over these backends: each with a number of threads, 0 for its own recommendation, and a maximum batch
    /// size.
    ///
    /// # Errors
    ///
    /// If there are no backends, or a thread cannot be started.
    pub fn new(name: &str, parents: Vec<Parent<G>>) -> Result<Self, Error> {
        let mut workers = Workers::new(Arc::new(Queue::new(name)));
        for (parent, threads, most) in &parents {
            start(&mut workers, parent, *threads, *most)?;
        }
        let parents = Parents::new(
            name,
            parents.into_iter().map(|(parent, ..)| parent).collect(),
        )?;
        Ok(Self {
            name: name.to_owned(),
            parents,
            workers,
        })
    }
}

pub(super) fn start<G: Game>(
    workers: &mut Workers<G>,
    parent: &Shared<G>,
    threads: usize,
    most: usize,
) -> Result<(), Error> {
    let threads = if threads == 0 {
        parent.attributes().threads.max(1)
    } else {
        threads
    };
    (0..threads).try_for_each(|_| workers.start(parent, most))
}

impl<G: Game> Backend<G> for Multiplexing<G> {
    fn name(&self) -> &str {
        &self.name
    }

    fn attributes(&self) -> Attributes {
        Attributes {
            maximum_batch: MOST,
            threads: 2 * self.parents.iter().len(),
            ..self.parents.attributes()
        }
    }

    fn computation(&self) -> Box<dyn Computation<G>> {
        let history = self.parents.attributes().history;
        Box::new(Client {
            queue: Arc::clone(&self.workers.queue),
            samples: Samples::new(&self.name, history),
        })
    }

    passed_on!(parents: digest, key, cached, set, report);
}

/// The samples of a batch, for computation elsewhere.
pub(super) struct Samples<G: Game> {
    name: String,
    /// number of positions per sample
    history: usize,
    batch: Mutex<Batch<G>>,
}

impl<G: Game> Samples<G> {
    pub(super) fn new(name: &str, history: usize) -> Self {
        Self {
            name: name.to_owned(),
            history,
            batch: Mutex::default(),
        }
    }

    pub(super) fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        let backend = || self.name.clone();
        if sample.history.is_empty() {
            return Err(Error::Sample {
                backend: backend(),
                what: "the history has no position".into(),
            });
        }
        let mut batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        if batch.len() >= MOST {
            return Err(Error::Full {
                backend: backend(),
                maximum: MOST,
            });
        }
        batch.push(&sample.last(self.history), wanted);
        Ok(Added::queued(batch.len() - 1))
    }

    pub(super) fn len(&self) -> usize {
        self.batch
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .len()
    }

    pub(super) fn finish(self) -> Arc<Batch<G>> {
        Arc::new(
            self.batch
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner),
        )
    }
}

struct Client<G: Game> {
    queue: Arc<Queue<G>>,
    samples: Samples<G>,
}

impl<G: Game> Computation<G> for Client<G> {
    fn add(&self, sample: &Sample<'_, G>, wanted: Wanted) -> Result<Added, Error> {
        self.samples.add(sample, wanted)
    }

    fn used_batch_size(&self) -> usize {
        self.samples.len()
    }

    fn compute(self: Box<Self>) -> Result<Answers, Error> {
        let batch = self.samples.finish();
        self.queue.push(&batch, 0..batch.len()).wait()
    }
}

pub(super) fn entry<G: Game>() -> Entry<G> {
    let about = "the batches of many clients become larger ones";
    Entry::new(
        "multiplexing",
        -1000,
        about,
        vec![THREADS.help(), MAX_BATCH.help()],
        |builder| {
            let (threads, most) = (
                builder.get(&THREADS)? as usize,
                builder.get(&MAX_BATCH)? as usize,
            );
            let parents = if builder.parent_count() == 0 {
                vec![(builder.parent()?, threads, most)]
            } else {
                builder.each_parent(|inner| {
                    Ok((
                        inner.make()?,
                        inner.get(&THREADS)? as usize,
                        inner.get(&MAX_BATCH)? as usize,
                    ))
                })?
            };
            Ok(Arc::new(Multiplexing::new(builder.path(), parents)?))
        },
    )
}
