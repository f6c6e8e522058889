//! Header-less files: tensors in the declared order, with bytes of the file's own between them, then padding.
//! Besides these bytes, only the length of such a file can be checked. `docs/files.md` describes the format.
//!
//! ```text
//!   skipped bytes | tensor | tensor | stacks [tensor, tensor, skipped bytes] | padding to a multiple of 64 bytes
//! ```

mod bias;
mod block;
mod length;
mod numbers;
mod order;
mod padding;
mod piece;
mod reader;
mod spans;
mod stored;
mod unused;
mod writer;

use nnue_spec::{NetDesc, Padding};

pub use bias::of_padding as other_bias;
pub use order::reread;
pub(crate) use reader::read;
pub use spans::spans;
pub(crate) use writer::write;

/// The number of bytes from `size` to the next multiple of [`Padding::ALIGNMENT`].
pub fn to_alignment(size: u64) -> u64 {
    to_multiple(size, Padding::ALIGNMENT) as u64
}

/// The number of bytes from `offset` to the next multiple of `to`.
fn to_multiple(offset: u64, to: usize) -> usize {
    let to = to.max(1) as u64;
    (offset.next_multiple_of(to) - offset) as usize
}

/// The size in bytes of a header-less file of `net` with the padding `padding`.
///
/// `None` for the Stockfish container and for LEB128, whose size depends on the contents.
pub fn raw_size(net: &NetDesc<'_>, padding: Padding) -> Option<u64> {
    let size = net.raw.as_ref()?.size(net)?;
    Some(if padding == Padding::None {
        size
    } else {
        size + to_alignment(size)
    })
}
