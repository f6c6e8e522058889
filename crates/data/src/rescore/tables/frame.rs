//! What a file has around its blocks.

use std::fs::File;
use std::io;

use super::{arrow, parquet};
use crate::rescore::error::Error;
use crate::rescore::format::TableFormat;

/// The bytes before the blocks of a file, and the footer after them, which says where the blocks are.
pub(crate) enum Frame {
    Parquet(parquet::Groups),
    Arrow(arrow::Batches),
    /// nothing says where batches are
    ArrowStream,
}

impl Frame {
    pub(crate) fn new(format: TableFormat) -> Result<Self, Error> {
        Ok(match format {
            TableFormat::Parquet => Self::Parquet(parquet::Groups::default()),
            TableFormat::Arrow => Self::Arrow(arrow::Batches::default()),
            TableFormat::ArrowStream => Self::ArrowStream,
        })
    }

    /// What stands before the first block.
    pub(crate) fn head(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Parquet(_) => Ok(Vec::new()),
            Self::Arrow(_) => arrow::head_of_file(),
            Self::ArrowStream => arrow::head(),
        }
    }

    /// A block follows the head or another block.
    pub(crate) fn appended(&mut self, block: &[u8]) -> io::Result<()> {
        match self {
            Self::Parquet(groups) => groups.appended(block),
            Self::Arrow(batches) => batches.appended(block),
            Self::ArrowStream => Ok(()),
        }
    }

    /// So many bytes, of the head and of blocks, were written before.
    pub(crate) fn resumed(&mut self, file: &mut File, bytes: u64) -> io::Result<()> {
        match self {
            Self::Parquet(groups) => groups.resumed(file, bytes),
            Self::Arrow(batches) => batches.resumed(file, bytes),
            Self::ArrowStream => Ok(()),
        }
    }

    /// What stands after the last block.
    pub(crate) fn tail(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Parquet(groups) => groups.tail(),
            Self::Arrow(batches) => batches.tail(),
            Self::ArrowStream => Ok(arrow::END.to_vec()),
        }
    }
}
