//! Blocks on their way from the source to the output.

use std::path::PathBuf;

use crate::{ReadError, Record};

use crate::rescore::encode::Encoded;

/// A damaged place, and its file.
pub(crate) type Failure = (PathBuf, ReadError);

/// Records that are scored and encoded together.
#[derive(Debug)]
pub(crate) struct Block {
    /// the number of the block in this run, from 0
    pub(crate) number: u64,
    /// records before this block
    pub(crate) first: u64,
    pub(crate) records: Vec<Record>,
    /// records and damaged places up to the end of this block
    pub(crate) items: u64,
    /// the damage that ends the work after this block
    pub(crate) end: Option<Failure>,
}

/// A scored and encoded block.
pub(crate) struct Done {
    pub(crate) encoded: Encoded,
    pub(crate) items: u64,
    pub(crate) end: Option<Failure>,
}
