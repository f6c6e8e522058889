//! A block of LEB128 numbers: a [head](crate::block_head) and the numbers of some tensors.
//!
//! ```text
//!   head | numbers of ft_psqt | numbers of ft_weight
//! ```

use alloc::format;

use nnue_spec::{BLOCK_MAGIC, NetDesc};

use super::piece::Piece;
use crate::block_head::Head;
use crate::error::{LoadError, LoadErrorKind};
use crate::stream::Stream;

/// A block that is read.
pub(super) struct Block {
    /// offset of the first number
    start: u64,
    /// bytes of the numbers
    length: u64,
    /// tensors that are not read yet
    left: usize,
}

impl Block {
    /// Reads the head of a block of `tensors` tensors; `None` if the file ends before.
    pub(super) fn read(
        stream: &mut Stream<'_>,
        net: &NetDesc<'_>,
        tensors: usize,
    ) -> Result<Option<Self>, LoadError> {
        let at = stream.offset();
        let length = match Head::read(stream)? {
            Head::Bytes(length) => length,
            Head::Cut(_) => return Ok(None),
            Head::Other => return Err(other(net, at)),
        };
        Ok(Some(Self {
            start: stream.offset(),
            length,
            left: tensors,
        }))
    }

    /// Notes that the numbers of a tensor end at `offset`: those of the last one end with the block.
    pub(super) fn pass(&mut self, piece: &Piece<'_>, offset: u64) -> Result<(), LoadError> {
        self.left = self.left.saturating_sub(1);
        let (used, name) = (offset - self.start, piece.desc.name);
        if used == self.length || used < self.length && self.left > 0 {
            return Ok(());
        }
        let message = format!(
            "the block of tensor `{name}` at offset {} has {} bytes, but its numbers end after {used}",
            self.start, self.length
        );
        let error = LoadError::new(LoadErrorKind::Compression, offset, message).with_tensor(name);
        Err(error.with_values(self.length, used))
    }
}

/// The error for something else at the offset `at`.
fn other(net: &NetDesc<'_>, at: u64) -> LoadError {
    let message = format!(
        "no {} stands at offset {at}, where `{}` has a block of LEB128 numbers",
        BLOCK_MAGIC.escape_ascii(),
        net.name
    );
    LoadError::new(LoadErrorKind::Compression, at, message)
}
