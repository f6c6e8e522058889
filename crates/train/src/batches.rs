//! Batches made by several threads, in the order of the records.
//!
//! ```text
//!   records ──► worker 1: reads 1, makes 1 ........... reads 3, ..      one reads at a time, and promises a batch
//!               worker 2:          reads 2, makes 2 ...........
//!                                                                      promised:  1  2  3 ..     a bounded queue, in the order
//!   trainer: waits for the first promise, returns the memory of the     of the records
//!            batch before
//! ```
//!
//! A worker that has read the records of a batch queues the receiver of the batch, and only then lets the
//! next worker read. So batches come in the order of the records for any number of workers, and a full queue
//! makes all workers wait.

use std::any::Any;
use std::num::NonZeroUsize;
use std::panic;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::batch::Batch;
use crate::features::Encode;

/// How batches are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// positions in a batch; the last one may be shorter
    pub size: NonZeroUsize,
    /// number of worker threads; at most `threads + 2` batches are in memory
    pub threads: NonZeroUsize,
    /// positions to skip first: the value of [`Batches::positions`] when a run was stopped
    pub skip: u64,
}

/// The batches of a sequence of records.
///
/// The records may come from any iterator: one reader of `nnue-data`, several, filtered, endless. An encoder
/// finds their rows: [`Features`](crate::features::Features) of positions of chess, with or without visit
/// counts of moves, or [`ListedRows`](crate::features::ListedRows). Records without a target are skipped. The number of threads does not change the batches.
///
/// **To resume**, keep [`positions`](Self::positions) and pass it as [`Settings::skip`] with the same
/// records: the same files, filter and seeds. Skipped records are read but not encoded.
///
/// ```no_run
/// use std::fs::File;
///
/// use nnue_data::filter::{Filter, Sieve};
/// use nnue_data::{ReadError, binpack};
/// use nnue_spec::NetDesc;
/// use nnue_train::batches::{Batches, Settings};
/// use nnue_train::features::Features;
///
/// fn train(net: &NetDesc<'_>) -> Result<(), Box<dyn std::error::Error>> {
///     let mut sieve = Sieve::new(Filter { check: true, captures: true, ..Filter::KEEP_ALL }, 1);
///     let records = binpack::Reader::new(File::open("train.binpack")?);
///     let kept = records.filter(move |next| next.as_ref().map_or(true, |record| sieve.judge(record).is_none()));
///
///     let settings = Settings { size: 16384.try_into()?, threads: 4.try_into()?, skip: 0 };
///     let mut batches = Batches::new(Features::new(net)?, kept, settings);
///     while let Some(batch) = batches.next_batch()? {
///         println!("{} positions, the first with rows {:?}", batch.len(), batch.rows(0, 0));
///     }
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct Batches<E> {
    /// receivers of the next batches; `None` after the end
    promised: Option<Receiver<Promise<E>>>,
    /// the batch that was returned last
    current: Option<Batch>,
    /// returns used batches to the workers
    used: Sender<Batch>,
    workers: Vec<JoinHandle<()>>,
    positions: u64,
}

/// Receiver of a batch in the making.
type Promise<E> = Receiver<Result<Batch, E>>;

impl<E> Batches<E> {
    /// Starts to make batches of `records`.
    ///
    /// # Panics
    ///
    /// If the system cannot start a thread.
    pub fn new<F, I, R>(encoder: F, records: I, settings: Settings) -> Self
    where
        F: Encode<Record: Send> + Send + Sync + 'static,
        I: IntoIterator<Item = Result<R, E>>,
        I::IntoIter: Send + 'static,
        R: Into<F::Record>,
        E: Send + 'static,
    {
        let (size, threads) = (settings.size.get(), settings.threads.get());
        let (promises, promised) = sync_channel(threads);
        let (used, memory) = channel();
        let records = records.into_iter();
        let source = Source {
            records: Some(records),
            skip: settings.skip,
            failure: None,
            promises,
            memory,
        };
        let shared = Arc::new((encoder, Mutex::new(source)));
        let worker = |_| {
            let shared = Arc::clone(&shared);
            thread::spawn(move || work(&shared.0, &shared.1, size))
        };
        let workers = (0..threads).map(worker).collect();
        Self {
            promised: Some(promised),
            current: None,
            used,
            workers,
            positions: settings.skip,
        }
    }

    /// Waits for the next batch; `None` after the last one. The next call reuses its memory.
    ///
    /// # Errors
    ///
    /// The error of the records, after a batch (perhaps shorter) of the records before it. After an error
    /// comes nothing.
    ///
    /// # Panics
    ///
    /// If reading the records panics.
    pub fn next_batch(&mut self) -> Result<Option<&Batch>, E> {
        if let Some(batch) = self.current.take() {
            // The workers may have ended.
            let _ = self.used.send(batch);
        }
        let promise = self
            .promised
            .as_ref()
            .and_then(|promised| promised.recv().ok());
        let Some(made) = promise.and_then(|promise| promise.recv().ok()) else {
            return self
                .join()
                .map_or(Ok(None), |panic| panic::resume_unwind(panic));
        };
        let batch = made?;
        self.positions += batch.len() as u64;
        Ok(Some(self.current.insert(batch)))
    }

    /// Positions returned so far, including those that were skipped: the progress in the records.
    pub const fn positions(&self) -> u64 {
        self.positions
    }

    /// Waits until all workers have ended, each after its current batch. Returns the first panic, if any.
    fn join(&mut self) -> Option<Box<dyn Any + Send>> {
        self.promised = None;
        self.workers
            .drain(..)
            .filter_map(|worker| worker.join().err())
            .reduce(|first, _| first)
    }
}

impl<E> Drop for Batches<E> {
    /// Waits for the workers and ignores their panics, since no more batches are wanted.
    fn drop(&mut self) {
        drop(self.join());
    }
}

/// State that one worker at a time holds.
struct Source<I, E> {
    /// `None` after the end
    records: Option<I>,
    skip: u64,
    /// the error that ended the records, until it is reported
    failure: Option<E>,
    promises: SyncSender<Promise<E>>,
    memory: Receiver<Batch>,
}

/// A batch to fill with the records that were read.
struct Task<E> {
    batch: Option<Batch>,
    promise: SyncSender<Result<Batch, E>>,
}

impl<I: Iterator<Item = Result<R, E>>, R, E> Source<I, E> {
    /// Reads the records of a batch and queues its receiver. `None` if no records are left or nobody
    /// receives.
    fn next_task<F>(&mut self, records: &mut Vec<F::Record>, size: usize) -> Option<Task<E>>
    where
        F: Encode,
        R: Into<F::Record>,
    {
        records.clear();
        self.read::<F>(records, size);
        let (promise, promised) = sync_channel(1);
        if records.is_empty() {
            let failure = self.failure.take()?;
            promise.send(Err(failure)).ok()?;
            self.promises.send(promised).ok()?;
            return None;
        }
        self.promises.send(promised).ok()?;
        Some(Task {
            batch: self.memory.try_recv().ok(),
            promise,
        })
    }

    fn read<F>(&mut self, records: &mut Vec<F::Record>, size: usize)
    where
        F: Encode,
        R: Into<F::Record>,
    {
        let Some(source) = &mut self.records else {
            return;
        };
        for next in source {
            match next.map(R::into) {
                Ok(record) if !F::has_target(&record) => {}
                Ok(_) if self.skip > 0 => self.skip -= 1,
                Ok(record) => {
                    records.push(record);
                    if records.len() == size {
                        return;
                    }
                }
                Err(failure) => {
                    self.failure = Some(failure);
                    break;
                }
            }
        }
        self.records = None;
    }
}

fn work<F, I, R, E>(encoder: &F, source: &Mutex<Source<I, E>>, size: usize)
where
    F: Encode,
    I: Iterator<Item = Result<R, E>>,
    R: Into<F::Record>,
{
    let (mut records, mut scratch) = (Vec::new(), F::Scratch::default());
    // Stop if another worker panicked.
    while let Ok(mut source) = source.lock()
        && let Some(task) = source.next_task::<F>(&mut records, size)
    {
        drop(source);
        let mut batch = task
            .batch
            .unwrap_or_else(|| Batch::new(encoder.perspectives()));
        batch.clear();
        for record in &records {
            encoder.push(record, &mut scratch, &mut batch);
        }
        // If nobody receives it, the next call of `next_task` notices.
        let _ = task.promise.send(Ok(batch));
    }
}
