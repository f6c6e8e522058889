//! Writes a header-less file: the inverse of the reader.

use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{NetDesc, Padding, Placed, RawDesc, Section, TensorRef};

use super::piece::Piece;
use super::{numbers, order, stored, to_alignment, to_multiple, unused};
use crate::block_head::write_head;
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
    let placed = raw.placed(net);
    for (at, Placed { section, .. }) in placed.iter().enumerate() {
        match *section {
            Section::Skip(bytes) => counted.write_all(&next(&mut kept, bytes))?,
            Section::Align(to) => {
                let bytes = to_multiple(counted.bytes, to);
                counted.write_all(&next(&mut kept, bytes))?;
            }
            Section::Constant(bytes) => counted.write_all(bytes)?,
            Section::Text => counted.write_all(&next_text(&mut kept))?,
            Section::Block(count) => {
                let inside = placed[at + 1..].iter().take(count);
                let pieces: Vec<_> = inside
                    .filter_map(|placed| Piece::new(net, raw, placed))
                    .collect();
                write_block_head(net, &pieces, tensors, kept, &mut counted)?;
            }
            Section::Tensor(_) | Section::Rows(_) => {
                if let Some(piece) = Piece::new(net, raw, &placed[at]) {
                    let tensor = tensors[piece.index].part(piece.range());
                    let file = with_kept(net, &piece, tensor, &mut kept)?;
                    let numbers = file.as_ref().map_or(tensor, Elements::borrow);
                    numbers::write(numbers, piece.leb128, &mut counted)?;
                }
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

/// The next kept text with its length; an empty one where there is none.
pub(super) fn next_text(kept: &mut &[u8]) -> Vec<u8> {
    let mut text = next(kept, size_of::<u32>());
    let length = text
        .first_chunk()
        .map_or(0, |word| u32::from_le_bytes(*word));
    let length = kept.len().min(length as usize);
    text = (length as u32).to_le_bytes().to_vec();
    text.extend(next(kept, length));
    text
}

/// Writes the head of a block of these tensors.
fn write_block_head(
    net: &NetDesc<'_>,
    pieces: &[Piece<'_>],
    tensors: &[TensorRef<'_>],
    mut kept: &[u8],
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    let mut bytes = 0;
    for piece in pieces {
        let tensor = tensors[piece.index].part(piece.range());
        let file = with_kept(net, piece, tensor, &mut kept)?;
        bytes += numbers::encoded_len(file.as_ref().map_or(tensor, Elements::borrow), true);
    }
    let first = pieces.first().map_or("", |piece| piece.desc.name);
    write_head(sink, first, bytes)
}

/// The numbers of the file in their order, with what was kept of them: what rounding dropped, weights that are not
/// used. `None` if memory has the same.
fn with_kept(
    net: &NetDesc<'_>,
    piece: &Piece<'_>,
    tensor: TensorRef<'_>,
    kept: &mut &[u8],
) -> Result<Option<Elements>, WriteError> {
    let dropped = piece.rounded();
    let dropped = dropped.map(|stored| (stored, next(kept, piece.desc.len())));
    let whole = unused::put_back(net, piece, tensor, |bytes| next(kept, bytes));
    let tensor = whole.as_ref().map_or(tensor, Elements::borrow);
    let mut file = in_file(piece, tensor)?;
    if let Some(((stored, dropped), file)) = dropped.zip(file.as_mut()) {
        stored::restore(stored, file, &dropped);
    }
    Ok(file.or(whole))
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
