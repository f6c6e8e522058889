//! Reads a header-less file.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use nnue_spec::{NetDesc, Placed, RawDesc, Section, TensorMut};

use super::block::Block;
use super::numbers::Run;
use super::piece::Piece;
use super::{bias, length, numbers, order, padding, stored, to_multiple, unused, writer};
use crate::blocks;
use crate::error::{LoadError, LoadErrorKind};
use crate::floats;
use crate::in_place::{self, Stays};
use crate::io::Source;
use crate::limits::MAX_DESCRIPTION;
use crate::prelude::refuse_other_files;
use crate::reader::Header;
use crate::signature::HEAD;
use crate::stream::Stream;
use crate::tensors::Elements;

/// Bytes that are kept after the tensors; further ones are only counted.
const SEEN: usize = 64;

/// The most bytes that are counted after the tensors. The length of a file shows which declaration fits, but
/// a device never ends.
const MOST_AFTER: u64 = 1 << 28;

/// Reads the network `net`, with the file format `raw`, into `tensors`.
pub(crate) fn read(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    source: &mut dyn Source,
    tensors: &mut [TensorMut<'_>],
    stays: Stays<'_>,
) -> Result<Header, LoadError> {
    let mut stream = Stream::new(source);
    let head = stream
        .need(4)?
        .first_chunk()
        .map(|word| u32::from_le_bytes(*word));
    let mut kept = Vec::new();
    let mut block = None;
    for placed in raw.placed(net) {
        let is_read = match placed.section {
            Section::Skip(bytes) => keep(&mut stream, bytes, &mut kept)?,
            Section::Align(to) => {
                let bytes = to_multiple(stream.offset(), to);
                keep(&mut stream, bytes, &mut kept)?
            }
            Section::Constant(bytes) => read_constant(&mut stream, bytes)?,
            Section::Text => keep_text(&mut stream, net, &mut kept)?,
            Section::Block(tensors) => {
                let head = Block::read(&mut stream, net, tensors)?;
                let is_read = head.is_some();
                block = head.or(block);
                is_read
            }
            Section::Tensor(_) | Section::Rows(_) => match Piece::new(net, raw, &placed) {
                Some(piece) => {
                    let tensor = &mut tensors[piece.index];
                    let is_read = read_piece(&mut stream, &piece, tensor, stays, &mut kept)?;
                    unused::keep(net, &piece, tensor, &mut kept);
                    if let Some(block) = block.as_mut().filter(|_| placed.in_block && is_read) {
                        block.pass(&piece, stream.offset())?;
                    }
                    is_read
                }
                None => true,
            },
            Section::Stacks(_) => true,
        };
        if !is_read {
            let length = stream.end()?;
            return Err(match placed.section.tensor() {
                _ if raw.has_fixed_size() => length::truncated(net, raw, length, head),
                Some(index) => numbers::truncated(net.tensors[index].name, length),
                None => numbers::truncated(net.name, length),
            });
        }
    }
    let size = stream.offset();
    let mut rest = stream.need(SEEN + 1)?.to_vec();
    rest.truncate(SEEN + 1);
    let Some(found) = padding::recognise(size, &rest) else {
        let end = count_to_end(&mut stream, size.saturating_add(MOST_AFTER))?;
        rest.truncate(SEEN);
        let other = tensors
            .last()
            .and_then(|last| bias::other(net, raw, last.as_ref(), &rest));
        let other = other.map(|other| other.element);
        let Some(length) = end else {
            return Err(length::endless(net, size, MOST_AFTER));
        };
        let found = length::Longer {
            size,
            length,
            rest: &rest,
            bias: other,
        };
        return Err(length::trailing(net, &found, head));
    };
    padding::check(net, raw, size, found)?;
    bias::check(net, raw, tensors.last().map(TensorMut::as_ref), &rest)?;
    check_numbers(net, raw, &kept, tensors)?;
    Ok(Header {
        padding: found,
        ..Header::new(net, kept)
    })
}

/// Reads bytes that belong to no tensor; false if the file ends before.
fn keep(stream: &mut Stream<'_>, bytes: usize, kept: &mut Vec<u8>) -> Result<bool, LoadError> {
    let start = kept.len();
    kept.resize(start + bytes, 0);
    Ok(stream.read_into(&mut kept[start..])? == bytes)
}

/// Reads a text that belongs to no tensor, and its length before it; false if the file ends before.
fn keep_text(
    stream: &mut Stream<'_>,
    net: &NetDesc<'_>,
    kept: &mut Vec<u8>,
) -> Result<bool, LoadError> {
    let (offset, start) = (stream.offset(), kept.len());
    if !keep(stream, size_of::<u32>(), kept)? {
        return Ok(false);
    }
    let length = kept[start..]
        .first_chunk()
        .map_or(0, |word| u32::from_le_bytes(*word));
    if length as usize > MAX_DESCRIPTION {
        let message = format!(
            "the text at offset {offset} would have {length} bytes, at most {MAX_DESCRIPTION} are read: it is no file of `{}`",
            net.name
        );
        return Err(LoadError::new(LoadErrorKind::Architecture, offset, message));
    }
    keep(stream, length as usize, kept)
}

/// Compares bytes with the declared ones; false if the file ends before.
fn read_constant(stream: &mut Stream<'_>, declared: &[u8]) -> Result<bool, LoadError> {
    let offset = stream.offset();
    if offset == 0 {
        let head = stream.need(HEAD)?;
        if !head.starts_with(declared) {
            refuse_other_files(&head[..head.len().min(HEAD)])?;
        }
    }
    let found = stream.need(declared.len())?;
    if found.len() < declared.len() {
        let left = found.len();
        stream.consume(left);
        return Ok(false);
    }
    let found = &found[..declared.len()];
    if found == declared {
        stream.consume(declared.len());
        return Ok(true);
    }
    let message = format!(
        "{} stands at offset {offset}, declared is {}: it is another file, or the declaration is of another version",
        in_words(found),
        in_words(declared)
    );
    Err(LoadError::new(LoadErrorKind::Architecture, offset, message))
}

/// Bytes as a text or a number.
fn in_words(bytes: &[u8]) -> String {
    let is_text = bytes.len() > 2 && bytes.iter().all(u8::is_ascii_graphic);
    match bytes.len() {
        1 | 2 | 4 | 8 if !is_text => {
            let number = bytes
                .iter()
                .rev()
                .fold(0_u64, |number, byte| number << 8 | u64::from(*byte));
            format!("{number:#X}")
        }
        _ => format!("\"{}\"", bytes.escape_ascii()),
    }
}

/// Refuses infinite or NaN floats, and weights that a block-sparse layer must not have. It runs after the
/// check of the length, whose errors say more.
fn check_numbers(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    kept: &[u8],
    tensors: &[TensorMut<'_>],
) -> Result<(), LoadError> {
    for placed in raw.placed(net) {
        let Some(piece) = Piece::new(net, raw, &placed) else {
            continue;
        };
        let offset = |element| offset_of(net, raw, kept, tensors, &placed, element - piece.first);
        let desc = &net.tensors[piece.index];
        match (&tensors[piece.index], piece.stored) {
            (TensorMut::F32(values), None) => {
                floats::check(desc, &values[piece.range()], piece.first, offset)?;
            }
            (TensorMut::I8(weights), _) => {
                let copy = placed.stack.unwrap_or(0);
                blocks::check(net, desc, (&weights[piece.range()], copy), offset)?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// The offset of an element of the tensor at `placed`.
fn offset_of(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    kept: &[u8],
    tensors: &[TensorMut<'_>],
    placed: &Placed<'_>,
    element: usize,
) -> u64 {
    let tensors: Vec<_> = tensors.iter().map(TensorMut::as_ref).collect();
    let spans = super::spans(net, raw, kept, &tensors);
    let span = spans.iter().find(|span| span.placed == *placed);
    let start = span.map_or(0, |span| span.offset);
    let Some(piece) = Piece::new(net, raw, placed) else {
        return start;
    };
    let place = order::place(&piece.desc, piece.order, element);
    let held = tensors[piece.index].part(piece.range());
    let file = writer::in_file(&piece, held).ok().flatten();
    let numbers = file.as_ref().map_or(held, Elements::borrow);
    start + numbers::encoded_len(numbers.part(0..place), piece.leb128)
}

/// The offset of the end of the source; `None` if it has more than `most` bytes.
fn count_to_end(stream: &mut Stream<'_>, most: u64) -> Result<Option<u64>, LoadError> {
    while stream.offset() <= most {
        if stream.need(1)?.is_empty() {
            return Ok(Some(stream.offset()));
        }
        let buffered = stream.buffered().len();
        stream.consume(buffered);
    }
    Ok(None)
}

/// Reads numbers of a tensor, and keeps what rounding drops of them; false if the file ends inside them.
fn read_piece(
    stream: &mut Stream<'_>,
    piece: &Piece<'_>,
    tensor: &mut TensorMut<'_>,
    stays: Stays<'_>,
    kept: &mut Vec<u8>,
) -> Result<bool, LoadError> {
    let (desc, start) = (&piece.desc, stream.offset());
    let run = Run {
        tensor: desc.name,
        leb128: piece.leb128,
    };
    let is_held = piece.stored.is_none() && order::is_held(desc, piece.order);
    if is_held && piece.is_whole && !piece.leb128 && in_place::stays(stays, desc, start) {
        let bytes = desc.len() * desc.element.bytes();
        return Ok(stream.skip(bytes)? == bytes);
    }
    let mut out = tensor.part(piece.range());
    if is_held {
        return run.read(stream, out);
    }
    let element = piece.stored.map_or(desc.element, |stored| stored.element);
    let mut file = Elements::zeroed(element, desc.len());
    if !run.read(stream, file.borrow_mut())? {
        return Ok(false);
    }
    match &piece.stored {
        Some(stored) => stored::from_file(piece, stored, (&file, start), &mut out)?,
        None => order::from_file(desc, piece.order, &file, out),
    }
    if let Some(stored) = piece.rounded() {
        let held = tensor.as_ref();
        kept.extend(stored::dropped(
            piece,
            stored,
            &file,
            held.part(piece.range()),
        ));
    }
    Ok(true)
}
