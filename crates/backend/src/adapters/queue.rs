//! A queue of parts of batches, with worker threads.
//!
//! ```text
//!   client ── push ──► jobs ── take ──► worker: parent.computation(), add .., compute()
//!     ▲                                    │
//!     └────────── the answers ◄────────────┘   a channel for each job
//! ```
//!
//! A client waits only for its channel. If its job is computed, fails, or is dropped with the queue or a
//! thread, the channel says so: no client waits forever, and no slot is lost.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

use super::common::joined;
use crate::answers::Answers;
use crate::backend::Backend;
use crate::batch::Batch;
use crate::error::Error;
use crate::game::Game;
use crate::registry::Shared;

type Reply = Result<Answers, Error>;

/// Samples of a batch, and the channel for their answers.
struct Job<G: Game> {
    batch: Arc<Batch<G>>,
    range: Range<usize>,
    reply: SyncSender<Reply>,
}

struct State<G: Game> {
    jobs: VecDeque<Job<G>>,
    is_open: bool,
}

pub(super) struct Queue<G: Game> {
    name: String,
    state: Mutex<State<G>>,
    changed: Condvar,
}

/// Pending answers.
pub(super) struct Promise {
    name: String,
    answers: Receiver<Reply>,
}

impl Promise {
    pub(super) fn wait(self) -> Reply {
        // a closed queue drops the sender
        self.answers.recv().unwrap_or(Err(Error::Closed(self.name)))
    }
}

impl<G: Game> Queue<G> {
    pub(super) fn new(name: &str) -> Self {
        let state = Mutex::new(State {
            jobs: VecDeque::new(),
            is_open: true,
        });
        Self {
            name: name.to_owned(),
            state,
            changed: Condvar::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State<G>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn push(&self, batch: &Arc<Batch<G>>, range: Range<usize>) -> Promise {
        let (reply, answers) = sync_channel(1);
        let mut state = self.state();
        if state.is_open {
            state.jobs.push_back(Job {
                batch: Arc::clone(batch),
                range,
                reply,
            });
            self.changed.notify_one();
        }
        Promise {
            name: self.name.clone(),
            answers,
        }
    }

    /// Refuses further jobs, and drops waiting ones.
    fn close(&self) {
        let mut state = self.state();
        state.is_open = false;
        state.jobs.clear();
        self.changed.notify_all();
    }

    /// Waits for a job, and takes more as long as the total is at most `most` samples. `None` if the queue is
    /// closed.
    fn take(&self, most: usize) -> Option<Vec<Job<G>>> {
        let mut state = self.state();
        while state.jobs.is_empty() && state.is_open {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        let mut taken = vec![state.jobs.pop_front()?];
        let mut count = taken[0].range.len();
        while state
            .jobs
            .front()
            .is_some_and(|job| count + job.range.len() <= most)
        {
            let job = state.jobs.pop_front().expect("it was seen");
            count += job.range.len();
            taken.push(job);
        }
        if !state.jobs.is_empty() {
            self.changed.notify_one();
        }
        Some(taken)
    }

    /// Computes jobs until the queue is closed.
    fn work(&self, parent: &dyn Backend<G>, most: usize) {
        while let Some(jobs) = self.take(most) {
            // a panic of the parent becomes an error of these clients; the thread goes on
            let computed = catch_unwind(AssertUnwindSafe(|| compute(parent, &jobs)));
            match computed.unwrap_or_else(|_| Err(Error::failed(parent.name(), "it panicked"))) {
                Ok(answers) => distribute(&answers, jobs),
                // a client may be gone
                Err(error) => jobs
                    .iter()
                    .for_each(|job| drop(job.reply.send(Err(error.clone())))),
            }
        }
    }
}

/// Computes the samples of some jobs, in as many batches as the parent needs.
fn compute<G: Game>(parent: &dyn Backend<G>, jobs: &[Job<G>]) -> Reply {
    let most = parent.attributes().maximum_batch.max(1);
    let (mut parts, mut computation, mut count) = (Vec::new(), parent.computation(), 0);
    let samples = jobs
        .iter()
        .flat_map(|job| job.batch.from(job.range.start).take(job.range.len()));
    for (sample, wanted) in samples {
        if count == most {
            parts.push(std::mem::replace(&mut computation, parent.computation()).compute()?);
            count = 0;
        }
        computation.add(&sample, wanted)?;
        count += 1;
    }
    parts.push(computation.compute()?);
    Ok(if parts.len() == 1 {
        parts.remove(0)
    } else {
        joined(parts)
    })
}

/// Sends every job its part.
fn distribute<G: Game>(answers: &Answers, jobs: Vec<Job<G>>) {
    let mut all = answers.iter();
    for job in jobs {
        let mut own = Answers::new(answers.digest());
        all.by_ref()
            .take(job.range.len())
            .for_each(|answer| own.push(&answer));
        drop(job.reply.send(Ok(own)));
    }
}

/// Worker threads of a queue. Dropping them closes it, and waits for running jobs.
pub(super) struct Workers<G: Game> {
    pub(super) queue: Arc<Queue<G>>,
    threads: Vec<JoinHandle<()>>,
}

impl<G: Game> Workers<G> {
    pub(super) fn new(queue: Arc<Queue<G>>) -> Self {
        Self {
            queue,
            threads: Vec::new(),
        }
    }

    /// Starts a thread that computes with `parent`, up to `most` samples at a time.
    pub(super) fn start(&mut self, parent: &Shared<G>, most: usize) -> Result<(), Error> {
        let (queue, parent) = (Arc::clone(&self.queue), Arc::clone(parent));
        let name = format!("{} {}", queue.name, self.threads.len());
        let failed = |error| Error::failed(&self.queue.name, error);
        let thread = std::thread::Builder::new()
            .name(name)
            .spawn(move || queue.work(&*parent, most));
        self.threads.push(thread.map_err(failed)?);
        Ok(())
    }
}

impl<G: Game> Drop for Workers<G> {
    fn drop(&mut self) {
        self.queue.close();
        // errors of threads cannot be reported here
        self.threads
            .drain(..)
            .for_each(|thread| drop(thread.join()));
    }
}
