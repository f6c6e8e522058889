//! Writes a header-less file: the inverse of the reader.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{NetDesc, Padding, Placed, RawDesc, Section, TensorRef};

use super::piece::Piece;
use super::{numbers, order, stored, to_alignment, to_multiple};
use crate::error::WriteError;
use crate::io::Sink;
use crate::reader::Header;
use crate::tensors::Elements;

/// Writes `net` with the weights `tensors`. The description becomes the bytes that belong to no tensor, one
/// section after the other, cut or zero-padded to the declared length.
pub(crate) fn write(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    let mut kept = &header.description[..];
    let mut counted = Counted { sink, bytes: 0 };
    for Placed { section, stack } in raw.placed(net) {
        match section {
            Section::Skip(bytes) => counted.write_all(&next(&mut kept, bytes))?,
            Section::Align(to) => {
                let bytes = to_multiple(counted.bytes, to);
                counted.write_all(&next(&mut kept, bytes))?;
            }
            Section::Constant(bytes) => counted.write_all(bytes)?,
            Section::Tensor(index) => {
                let piece = Piece::new(net, raw, index, stack);
                write_piece(&piece, tensors[index].part(piece.range()), &mut counted)?;
            }
            Section::Stacks(_) => {}
        }
    }
    if header.padding != Padding::None {
        let bytes = to_alignment(counted.bytes) as usize;
        let padding: Vec<u8> = (0..bytes).map(|index| header.padding.byte(index)).collect();
        counted.write_all(&padding)?;
    }
    counted.flush()
}

/// A sink that counts.
struct Counted<'s> {
    sink: &'s mut dyn Sink,
    bytes: u64,
}

impl Sink for Counted<'_> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.bytes += bytes.len() as u64;
        self.sink.write_all(bytes)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        self.sink.flush()
    }
}

/// The next kept bytes; zeros where there are none.
fn next(kept: &mut &[u8], bytes: usize) -> Vec<u8> {
    let (now, rest) = kept.split_at(bytes.min(kept.len()));
    *kept = rest;
    let mut all = vec![0; bytes];
    all[..now.len()].copy_from_slice(now);
    all
}

fn write_piece(
    piece: &Piece<'_>,
    tensor: TensorRef<'_>,
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    let file = in_file(piece, tensor)?;
    let numbers = file.as_ref().map_or(tensor, Elements::borrow);
    numbers::write(numbers, piece.leb128, sink)
}

/// The numbers of the file in their order; `None` if memory has the same.
pub(super) fn in_file(
    piece: &Piece<'_>,
    tensor: TensorRef<'_>,
) -> Result<Option<Elements>, WriteError> {
    match &piece.stored {
        Some(stored) => stored::to_file(piece, stored, tensor).map(Some),
        None if order::is_held(&piece.desc, piece.order) => Ok(None),
        None => Ok(Some(order::to_file(&piece.desc, piece.order, tensor))),
    }
}
