//! The inputs, one after the other, divided into blocks.

use crate::{Next, ReadError, Record};

use crate::rescore::block::{Block, Failure};
use crate::rescore::error::Error;
use crate::rescore::input::Records;
use crate::rescore::job::{Input, Job};
use crate::rescore::open::open;
use crate::rescore::watch::Watch;

/// The inputs of a job. One thread at a time takes the next block.
pub(crate) struct Source<'j> {
    job: &'j Job,
    watch: &'j dyn Watch,
    /// inputs that are not opened yet
    inputs: std::slice::Iter<'j, Input>,
    current: Option<(&'j Input, Records<'j>)>,
    /// the first record of the next block
    pending: Option<Record>,
    /// blocks taken so far
    blocks: u64,
    /// records and damaged places in these blocks
    items: u64,
    /// records in these blocks
    records: u64,
    ended: bool,
}

impl<'j> Source<'j> {
    /// The inputs after the first `items` records and damaged places, which an earlier run has read.
    pub(crate) fn after(items: u64, job: &'j Job, watch: &'j dyn Watch) -> Result<Self, Error> {
        let inputs = job.inputs.iter();
        let mut source = Self {
            job,
            watch,
            inputs,
            current: None,
            pending: None,
            blocks: 0,
            items: 0,
            records: 0,
            ended: false,
        };
        while source.items < items {
            match source.next()? {
                Some(found) => {
                    source.items += 1;
                    source.records += u64::from(found.is_ok());
                }
                None => {
                    return Err(Error::InputsEnd {
                        expected: items,
                        found: source.items,
                    });
                }
            }
        }
        Ok(source)
    }

    /// The next record or damaged place. An error if a file cannot be read.
    fn next(&mut self) -> Result<Option<Result<Record, Failure>>, Error> {
        if let Some(record) = self.pending.take() {
            return Ok(Some(Ok(record)));
        }
        loop {
            if let Some((input, records)) = &mut self.current {
                match records.next() {
                    Some(Ok(record)) => return Ok(Some(Ok(record))),
                    Some(Err(ReadError::Io(source))) => {
                        return Err(Error::read(&input.path, source));
                    }
                    Some(Err(damage)) => return Ok(Some(Err((input.path.clone(), damage)))),
                    None => self.current = None,
                }
            }
            let Some(input) = self.inputs.next() else {
                return Ok(None);
            };
            self.current = Some((input, open(input, self.job, self.watch)?));
        }
    }

    /// The next block, which ends where a game does; `None` after the last one. It reuses the memory of
    /// `records`.
    pub(crate) fn next_block(&mut self, mut records: Vec<Record>) -> Result<Option<Block>, Error> {
        let size = self.job.block.get();
        let (first, mut end) = (self.records, None);
        records.clear();
        while !self.ended {
            match self.next()? {
                Some(Ok(record)) if is_full(&records, &record, size) => {
                    self.pending = Some(record);
                    break;
                }
                Some(Ok(record)) => {
                    records.push(record);
                    self.items += 1;
                }
                Some(Err((path, damage))) if self.job.keep_going => {
                    self.watch.passed_over(&path, &damage);
                    self.items += 1;
                }
                Some(Err(failure)) => {
                    end = Some(failure);
                    self.ended = true;
                }
                None => self.ended = true,
            }
        }
        if records.is_empty() && end.is_none() {
            return Ok(None);
        }
        self.records += records.len() as u64;
        self.blocks += 1;
        Ok(Some(Block {
            number: self.blocks - 1,
            first,
            records,
            items: self.items,
            end,
        }))
    }
}

/// Whether a full block ends before `record`: it ends with a game, or at twice its size.
fn is_full(block: &[Record], record: &Record, size: usize) -> bool {
    let Some(last) = block.last().filter(|_| block.len() >= size) else {
        return false;
    };
    block.len() >= 2 * size || !Next::after(last).is_some_and(|next| next.is(record))
}
