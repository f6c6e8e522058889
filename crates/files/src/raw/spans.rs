//! Offsets of everything in a file.

use alloc::vec::Vec;

use nnue_spec::{NetDesc, Placed, RawDesc, Section, Sizes, Span, TensorRef};

use super::piece::Piece;
use super::{numbers, writer};
use crate::tensors::Elements;

/// The parts of a file with these tensors, and their offsets. `kept` are the bytes that belong to no tensor
/// ([`Header::description`](crate::Header::description)). A tensor that the file cannot express is counted as
/// in memory.
pub fn spans<'a>(
    net: &NetDesc<'a>,
    raw: &RawDesc<'a>,
    kept: &[u8],
    tensors: &[TensorRef<'_>],
) -> Vec<Span<'a>> {
    let mut contents = Contents {
        net,
        raw,
        tensors,
        texts: texts(net, raw, kept).into_iter(),
    };
    raw.spans_of(net.stacks.count, &mut contents)
}

/// The sizes of the parts of a file.
struct Contents<'c, 'a> {
    net: &'c NetDesc<'a>,
    raw: &'c RawDesc<'a>,
    tensors: &'c [TensorRef<'c>],
    texts: alloc::vec::IntoIter<u64>,
}

impl Sizes for Contents<'_, '_> {
    fn tensor(&self, placed: &Placed<'_>) -> u64 {
        let Some(piece) = Piece::new(self.net, self.raw, placed) else {
            return 0;
        };
        let tensor = self.tensors[piece.index].part(piece.range());
        let file = writer::in_file(&piece, tensor).ok().flatten();
        let numbers = file.as_ref().map_or(tensor, Elements::borrow);
        numbers::encoded_len(numbers, piece.leb128)
    }

    fn text(&mut self) -> u64 {
        self.texts.next().unwrap_or(size_of::<u32>() as u64)
    }
}

/// The sizes of all texts with their lengths. How many kept bytes of an alignment come before a text depends on
/// all before it, so texts are the first kept parts of a file.
fn texts(net: &NetDesc<'_>, raw: &RawDesc<'_>, mut kept: &[u8]) -> Vec<u64> {
    let mut all = Vec::new();
    for placed in raw.placed(net) {
        match placed.section {
            Section::Skip(bytes) => kept = kept.get(bytes..).unwrap_or_default(),
            Section::Text => all.push(writer::next_text(&mut kept).len() as u64),
            _ => {
                let piece = Piece::new(net, raw, &placed);
                let dropped = piece.filter(|piece| piece.rounded().is_some());
                let bytes = dropped.map_or(0, |piece| piece.desc.len());
                kept = kept.get(bytes..).unwrap_or_default();
            }
        }
    }
    all
}
