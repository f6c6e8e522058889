//! Header-less files: tensors in the declared order, then padding. Only the length of such a file can be
//! checked. `docs/file-formats.md` describes the format.
//!
//! ```text
//!   skipped bytes | tensor | tensor | .. | padding to a multiple of 64 bytes
//! ```

mod bias;
mod length;
mod order;
mod padding;
mod reader;
mod stored;
mod writer;

use nnue_spec::{NetDesc, Padding, RawDesc};

pub use bias::of_padding as other_bias;
pub use order::reread;
pub(crate) use reader::read;
pub(crate) use writer::write;

/// The size of a file of `net` in bytes, without padding.
pub fn unpadded_size(net: &NetDesc<'_>, raw: &RawDesc<'_>) -> u64 {
    let tensors = (0..net.tensors.len()).map(|index| raw.bytes(net, index) as u64);
    raw.skip as u64 + tensors.sum::<u64>()
}

/// The number of bytes from `size` to the next multiple of [`Padding::ALIGNMENT`].
pub fn to_alignment(size: u64) -> u64 {
    size.next_multiple_of(Padding::ALIGNMENT as u64) - size
}

/// The size in bytes of a header-less file of `net` with the padding `padding`.
///
/// `None` for the Stockfish container, whose size depends on its contents.
pub fn raw_size(net: &NetDesc<'_>, padding: Padding) -> Option<u64> {
    let size = unpadded_size(net, net.raw.as_ref()?);
    Some(if padding == Padding::None {
        size
    } else {
        size + to_alignment(size)
    })
}
