//! Blocks that any thread has finished, in the order in which they were read.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::rescore::block::{Done, Failure};
use crate::rescore::error::Error;
use crate::rescore::part::Part;
use crate::rescore::watch::Watch;

/// The output, and blocks that wait for one before them.
pub(crate) struct InOrder<'w> {
    inner: Mutex<Inner<'w>>,
    /// somebody has written
    written: Condvar,
    /// blocks that may wait
    most: u64,
}

struct Inner<'w> {
    part: Part,
    watch: &'w dyn Watch,
    ready: BTreeMap<u64, Done>,
    /// the number of the block that is written next
    next: u64,
    /// what has ended the work
    failed: Option<Error>,
    damaged: Option<Failure>,
}

impl<'w> InOrder<'w> {
    /// Up to `most` blocks wait, so that memory does not grow where one thread is slow.
    pub(crate) fn new(part: Part, watch: &'w dyn Watch, most: u64) -> Self {
        let inner = Inner {
            part,
            watch,
            ready: BTreeMap::new(),
            next: 0,
            failed: None,
            damaged: None,
        };
        Self {
            inner: Mutex::new(inner),
            written: Condvar::new(),
            most,
        }
    }

    /// A block is done: it is written, and all that waited for it. `false` if the work has ended.
    pub(crate) fn push(&self, number: u64, done: Done) -> bool {
        let mut inner = self.lock();
        while number >= inner.next + self.most && !inner.has_ended() {
            inner = self
                .written
                .wait(inner)
                .unwrap_or_else(PoisonError::into_inner);
        }
        inner.ready.insert(number, done);
        if let Err(error) = inner.write() {
            inner.failed.get_or_insert(error);
        }
        self.written.notify_all();
        !inner.has_ended()
    }

    /// Nothing more is to be done: of several reasons the first counts.
    pub(crate) fn fail(&self, error: Error) {
        self.lock().failed.get_or_insert(error);
        self.written.notify_all();
    }

    /// Whether the work has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.lock().has_ended()
    }

    /// The output, and what is damaged in the inputs; or what has failed.
    pub(crate) fn into_parts(self) -> Result<(Part, Option<Failure>), Error> {
        let inner = self
            .inner
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        match inner.failed {
            Some(error) => {
                inner.part.give_up();
                Err(error)
            }
            None => Ok((inner.part, inner.damaged)),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<'w>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner<'_> {
    const fn has_ended(&self) -> bool {
        self.failed.is_some() || self.damaged.is_some()
    }

    /// Writes the blocks that are next.
    fn write(&mut self) -> Result<(), Error> {
        while !self.has_ended() {
            let Some(Done {
                encoded,
                items,
                end,
            }) = self.ready.remove(&self.next)
            else {
                break;
            };
            if end.is_some() {
                // this block is not whole: work that resumes reads it again
                self.part.checkpoint_now()?;
            }
            self.part.append(&encoded.bytes)?;
            self.part.state.counts.add(encoded.counts);
            self.part.state.items = items;
            self.watch.written(encoded.counts.written);
            self.next += 1;
            match end {
                Some(failure) => self.damaged = Some(failure),
                None => self.part.checkpoint()?,
            }
        }
        Ok(())
    }
}
