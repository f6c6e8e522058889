//! Reads a header-less file.

use alloc::vec;

use nnue_spec::{FileOrder, NetDesc, RawDesc, TensorDesc, TensorMut};

use super::{bias, length, order, padding, stored, unpadded_size};
use crate::blocks;
use crate::error::LoadError;
use crate::floats;
use crate::in_place::{self, Stays};
use crate::io::Source;
use crate::reader::Header;
use crate::stream::Stream;

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
    let mut skipped = vec![0; raw.skip];
    let mut complete = stream.read_into(&mut skipped)? == raw.skip;
    for (index, (desc, tensor)) in net.tensors.iter().zip(&mut *tensors).enumerate() {
        let order = raw.order(net, index);
        complete = complete
            && match raw.stored(index) {
                Some(numbers) => stored::read(&mut stream, (desc, order), numbers, tensor)?,
                None if order::is_held(desc, order)
                    && in_place::stays(stays, desc, stream.offset()) =>
                {
                    let bytes = raw.bytes(net, index);
                    stream.skip(bytes)? == bytes
                }
                None => read_tensor(&mut stream, desc, order, tensor)?,
            };
    }
    let size = unpadded_size(net, raw);
    if !complete {
        return Err(length::truncated(net, raw, stream.offset(), head));
    }
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
            length,
            rest: &rest,
            bias: other,
        };
        return Err(length::trailing(net, raw, &found, head));
    };
    padding::check(net, raw, size, found)?;
    bias::check(net, raw, tensors.last().map(TensorMut::as_ref), &rest)?;
    check_numbers(net, raw, tensors)?;
    Ok(Header {
        padding: found,
        ..Header::new(net, skipped)
    })
}

/// Refuses infinite or NaN floats, and weights that a block-sparse layer must not have. It runs after the
/// check of the length, whose errors say more.
fn check_numbers(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    tensors: &[TensorMut<'_>],
) -> Result<(), LoadError> {
    let mut start = raw.skip;
    for (index, (desc, tensor)) in net.tensors.iter().zip(tensors).enumerate() {
        let order = raw.order(net, index);
        let bytes = raw.bytes(net, index);
        let offset =
            |element| (start + bytes / desc.len() * order::place(desc, order, element)) as u64;
        match (tensor, raw.stored(index)) {
            (TensorMut::F32(values), None) => floats::check(desc, values, 0, offset)?,
            (TensorMut::I8(weights), _) => blocks::check(net, desc, (weights, 0), offset)?,
            _ => {}
        }
        start += bytes;
    }
    Ok(())
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

/// Reads a tensor; false if the file ends inside it.
fn read_tensor(
    stream: &mut Stream<'_>,
    desc: &TensorDesc<'_>,
    order: FileOrder,
    tensor: &mut TensorMut<'_>,
) -> Result<bool, LoadError> {
    match tensor {
        TensorMut::I8(out) => read_elements(stream, desc, order, out, |byte| byte),
        TensorMut::I16(out) => read_elements(stream, desc, order, out, i16::from_le),
        TensorMut::I32(out) => read_elements(stream, desc, order, out, i32::from_le),
        TensorMut::F32(out) => read_elements(stream, desc, order, out, |value| {
            f32::from_bits(u32::from_le(value.to_bits()))
        }),
    }
}

fn read_elements<T: bytemuck::Pod>(
    stream: &mut Stream<'_>,
    desc: &TensorDesc<'_>,
    order: FileOrder,
    out: &mut [T],
    from_le: impl Fn(T) -> T,
) -> Result<bool, LoadError> {
    let needed = size_of_val(out);
    if order::is_held(desc, order) {
        let read = stream.read_into(bytemuck::cast_slice_mut(out))?;
        out.iter_mut().for_each(|value| *value = from_le(*value));
        return Ok(read == needed);
    }
    let mut file = vec![T::zeroed(); out.len()];
    let read = stream.read_into(bytemuck::cast_slice_mut(&mut file))?;
    file.iter_mut().for_each(|value| *value = from_le(*value));
    order::from_file(desc, order, &file, out);
    Ok(read == needed)
}
