//! The head of a block of LEB128 numbers, in the container and in header-less files.
//!
//! ```text
//!   C O M P R E S S E D _ L E B 1 2 8 | bytes: u32
//! ```

use alloc::borrow::ToOwned;

use nnue_spec::{BLOCK_HEAD, BLOCK_MAGIC};

use crate::error::{LoadError, WriteError};
use crate::io::Sink;
use crate::stream::Stream;

/// What stands where a block begins.
pub(crate) enum Head {
    /// a head that announces this many bytes of numbers
    Bytes(u64),
    /// as many bytes of a head, and the end of the file
    Cut(usize),
    /// something else
    Other,
}

impl Head {
    /// Reads a head, and passes it.
    pub(crate) fn read(stream: &mut Stream<'_>) -> Result<Self, LoadError> {
        let head = stream.need(BLOCK_HEAD)?;
        let known = head.len().min(BLOCK_MAGIC.len());
        if head[..known] != BLOCK_MAGIC[..known] {
            return Ok(Self::Other);
        }
        let Some(bytes) = head[known..].first_chunk() else {
            return Ok(Self::Cut(head.len()));
        };
        let bytes = u32::from_le_bytes(*bytes);
        stream.consume(BLOCK_HEAD);
        Ok(Self::Bytes(bytes.into()))
    }
}

/// Writes the head of a block with `bytes` bytes of numbers, the first of them those of `tensor`.
pub(crate) fn write_head(sink: &mut dyn Sink, tensor: &str, bytes: u64) -> Result<(), WriteError> {
    let length = u32::try_from(bytes).map_err(|_| WriteError::Block {
        tensor: tensor.to_owned(),
        bytes,
    })?;
    sink.write_all(BLOCK_MAGIC)?;
    sink.write_all(&length.to_le_bytes())
}
