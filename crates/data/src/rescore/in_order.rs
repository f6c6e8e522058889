//! Writes blocks in the order in which they were read, whichever is finished first.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::rescore::block::{Done, Failure};
use crate::rescore::error::Error;
use crate::rescore::part::Part;
use crate::rescore::watch::Watch;

/// The output, and finished blocks that wait for an earlier one.
pub(crate) struct InOrder<'w> {
    inner: Mutex<Inner<'w>>,
    /// notified when blocks were written or the work has ended
    written: Condvar,
    /// the most blocks that may wait
    most: u64,
}

struct Inner<'w> {
    part: Part,
    watch: &'w dyn Watch,
    ready: BTreeMap<u64, Done>,
    /// the number of the next block to write
    next: u64,
    /// the error that has ended the work
    failed: Option<Error>,
    damaged: Option<Failure>,
}

impl<'w> InOrder<'w> {
    /// At most `most` blocks wait, to bound the memory if one thread is slow.
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

    /// Takes a finished block and writes all blocks that are next. `false` if the work has ended.
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

    /// Ends the work with an error. The first error counts.
    pub(crate) fn fail(&self, error: Error) {
        self.lock().failed.get_or_insert(error);
        self.written.notify_all();
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.lock().has_ended()
    }

    /// The output, and the damage in the inputs; or the error that has ended the work.
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

    /// Writes the finished blocks that are next.
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
                // this block is incomplete: resumed work reads it again
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
