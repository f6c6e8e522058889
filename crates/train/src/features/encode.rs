//! Encoders: what makes the positions of a batch of records.

use nnue_data::policy::PolicyRecord;

use super::{Features, Rows};
use crate::batch::Batch;

/// Appends records to batches of one network.
pub trait Encode {
    /// what is encoded
    type Record;
    /// memory that is used again for each record
    type Scratch: Default;

    /// Perspectives that the network reads: 1 or 2.
    fn perspectives(&self) -> usize;

    /// Whether the network can be trained on a record: it has a target that counts.
    fn has_target(record: &Self::Record) -> bool;

    /// Appends a record to a batch.
    fn push(&self, record: &Self::Record, scratch: &mut Self::Scratch, batch: &mut Batch);
}

impl Encode for Features {
    type Record = PolicyRecord;
    type Scratch = Rows;

    fn perspectives(&self) -> usize {
        Self::perspectives(self)
    }

    fn has_target(found: &PolicyRecord) -> bool {
        found.record.score().is_some()
    }

    fn push(&self, record: &PolicyRecord, rows: &mut Rows, batch: &mut Batch) {
        self.push_policy(record, rows, batch);
    }
}
