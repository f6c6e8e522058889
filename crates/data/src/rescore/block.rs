//! What a thread takes from the source, and what it makes of it.

use std::path::PathBuf;

use crate::{ReadError, Record};

use crate::rescore::encode::Encoded;

/// A damaged place, and the file that has it.
pub(crate) type Failure = (PathBuf, ReadError);

/// Records that are scored and encoded together.
#[derive(Debug)]
pub(crate) struct Block {
    /// of all blocks of this run, from 0
    pub(crate) number: u64,
    /// records of the inputs before it
    pub(crate) first: u64,
    pub(crate) records: Vec<Record>,
    /// records and damaged places of the inputs up to its end
    pub(crate) items: u64,
    /// what ends the work after it
    pub(crate) end: Option<Failure>,
}

/// A block as bytes.
pub(crate) struct Done {
    pub(crate) encoded: Encoded,
    pub(crate) items: u64,
    pub(crate) end: Option<Failure>,
}
