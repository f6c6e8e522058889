//! Header-less files: tensors in the declared order, then padding. Nothing in such a file says what it is; its length is the
//! only check, and what is wrong with it is found by trying what else would have that length.
//!
//! ```text
//!   skipped bytes | tensor | tensor | .. | padding to a multiple of 64 bytes
//! ```

mod explain;
mod order;
mod padding;
mod reader;
mod writer;

use nnue_spec::{NetDesc, Padding, RawDesc};

pub(crate) use order::reread;
pub(crate) use reader::read;
pub(crate) use writer::write;

/// Bytes of a file of `net` up to the last tensor, padding excluded.
pub(crate) fn unpadded_size(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> u64 {
    raw.skip as u64 + net.parameter_bytes() as u64
}

/// Bytes from `size` to the next multiple of [`Padding::ALIGNMENT`].
pub(crate) fn to_alignment(size: u64) -> u64 {
    size.next_multiple_of(Padding::ALIGNMENT as u64) - size
}

/// Bytes that a writer makes of `net` if it is raw, with the padding `padding`.
///
/// `None` for the Stockfish container, whose size depends on its contents.
pub fn raw_size(net: &NetDesc<'_>, padding: Padding) -> Option<u64> {
    let size = unpadded_size(net, net.raw.as_ref()?);
    Some(if padding == Padding::None { size } else { size + to_alignment(size) })
}
