//! The bytes around the blocks of a file.

use std::fs::File;
use std::io;

use super::{arrow, parquet};
use crate::rescore::error::Error;
use crate::rescore::format::TableFormat;

/// The head before the blocks, and the footer after them, which lists the blocks.
pub(crate) enum Frame {
    Parquet(parquet::Groups),
    Arrow(arrow::Batches),
    /// streams do not list their batches
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

    /// The bytes before the first block.
    pub(crate) fn head(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Parquet(_) => Ok(Vec::new()),
            Self::Arrow(_) => arrow::head_of_file(),
            Self::ArrowStream => arrow::head(),
        }
    }

    /// Notes a block appended after the head or another block.
    pub(crate) fn appended(&mut self, block: &[u8]) -> io::Result<()> {
        match self {
            Self::Parquet(groups) => groups.appended(block),
            Self::Arrow(batches) => batches.appended(block),
            Self::ArrowStream => Ok(()),
        }
    }

    /// Notes the first `bytes` bytes of a file (the head and blocks), which an earlier run wrote.
    pub(crate) fn resumed(&mut self, file: &mut File, bytes: u64) -> io::Result<()> {
        match self {
            Self::Parquet(groups) => groups.resumed(file, bytes),
            Self::Arrow(batches) => batches.resumed(file, bytes),
            Self::ArrowStream => Ok(()),
        }
    }

    /// The bytes after the last block.
    pub(crate) fn tail(&self) -> io::Result<Vec<u8>> {
        match self {
            Self::Parquet(groups) => groups.tail(),
            Self::Arrow(batches) => batches.tail(),
            Self::ArrowStream => Ok(arrow::END.to_vec()),
        }
    }
}
