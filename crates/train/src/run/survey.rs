//! What is doubtful about the data of a run, said before it begins.

use std::num::NonZeroUsize;

use nnue_data::Stats;

use super::records::Sources;
use crate::run::Observer;

/// The most records that are read: a second at most.
const MOST: u64 = 200_000;

/// With fewer held-out positions, the loss of a superbatch depends on which they are.
const FEW: usize = 1000;

/// Notes what is doubtful about the first records of an epoch, the size of a batch and the number of held-out
/// positions. Damage is for the training to report.
pub(crate) fn note(
    sources: &Sources,
    batch: NonZeroUsize,
    held_out: usize,
    observer: &mut dyn Observer,
) {
    note_few(held_out, observer);
    if !sources.can_be_read_again() {
        return;
    }
    let mut records = sources.sample();
    let mut stats = Stats::default();
    let is_whole = loop {
        match records.next() {
            Some(Ok(found)) if stats.records < MOST => stats.add(&found.record),
            next => break next.is_none(),
        }
    };
    for doubt in stats.doubts() {
        observer.note(format_args!("data: {doubt}"));
    }
    if is_whole && stats.scored() < batch.get() as u64 {
        observer.note(format_args!(
            "a batch of {batch} positions is larger than the data: an epoch has {}",
            stats.scored()
        ));
    }
}

/// Notes that there are few held-out positions.
pub(crate) fn note_few(held_out: usize, observer: &mut dyn Observer) {
    if held_out < FEW {
        observer.note(format_args!(
            "{held_out} validation positions are few: their loss is a rough estimate"
        ));
    }
}
