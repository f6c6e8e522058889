//! Offsets of everything in a file.

use alloc::vec::Vec;

use nnue_spec::{NetDesc, RawDesc, Span, TensorRef};

use super::piece::Piece;
use super::{numbers, writer};
use crate::tensors::Elements;

/// The parts of a file with these tensors, and their offsets. A tensor that the file cannot express is counted
/// as in memory.
pub fn spans<'a>(net: &NetDesc<'a>, raw: &RawDesc<'a>, tensors: &[TensorRef<'_>]) -> Vec<Span<'a>> {
    raw.spans_of(net.stacks.count, |index, stack| {
        let piece = Piece::new(net, raw, index, stack);
        let tensor = tensors[index].part(piece.range());
        let file = writer::in_file(&piece, tensor).ok().flatten();
        let numbers = file.as_ref().map_or(tensor, Elements::borrow);
        numbers::encoded_len(numbers, raw.leb128)
    })
}
