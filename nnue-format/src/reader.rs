//! Reads a Stockfish container.
//!
//! ```text
//!   prelude
//!   feature transformer: raw:    bias, weight, psqt as little-endian arrays
//!                        LEB128: the same, each in a block  "COMPRESSED_LEB128" | u32 n | n bytes
//!   once per stack:      u32 stack hash | fc0 bias, fc0 weight, fc1 bias, ...
//!   end of file
//! ```
//!
//! Which of the two encodings a file has is seen from the first block. Bytes go from the source straight into the tensors
//! (raw) or through a buffer of 128 KiB (LEB128): a network is in memory once.

use std::io::Read;

use nnue_spec::{Encoding, NetDesc, TensorDesc, TensorMut, TensorRole};

use crate::error::{LoadError, LoadErrorKind};
use crate::leb128::{Decoder, Fault, Number, NumberError, Progress};
use crate::prelude::Prelude;
use crate::stream::{Stream, truncated};

/// What stands before a block of LEB128 numbers.
pub(crate) const BLOCK_MAGIC: &[u8; 17] = b"COMPRESSED_LEB128";

/// Magic and length.
pub(crate) const BLOCK_HEAD: usize = BLOCK_MAGIC.len() + 4;

/// What a file says besides its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// free text, usually ASCII; at most [`MAX_DESCRIPTION`](crate::MAX_DESCRIPTION) bytes
    pub description: Vec<u8>,
    /// encoding of the feature transformer
    pub encoding: Encoding,
}

impl Header {
    /// A header with this description, in the encoding that the declaration names.
    pub fn new(net: &NetDesc<'_>, description: impl Into<Vec<u8>>) -> Self {
        Self { description: description.into(), encoding: net.container.encoding }
    }
}

/// Reads the network `net` from `source` into `tensors`, which are those of `net.tensors` in the same order.
///
/// Padding columns are kept as they stand in the file. After an error the contents of `tensors` are unspecified.
///
/// # Errors
///
/// [`LoadError`]: the source fails, or what it gives is not exactly one network of this declaration.
///
/// # Panics
///
/// If `tensors` are not as many, as long and of the types that `net.tensors` says.
pub fn read<R: Read>(
    net: &NetDesc<'_>,
    mut source: R,
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
) -> Result<Header, LoadError> {
    assert_shapes(
        net,
        tensors.iter().map(|tensor| tensor.as_ref().element()),
        tensors.iter().map(|t| t.as_ref().len()),
    );
    let mut stream = Stream::new(&mut source);
    let prelude = Prelude::read(&mut stream, &[net])?;
    prelude.check(net)?;
    let mut reader = Reader { net, stream, decoder };
    let encoding = reader.encoding()?;
    let transformer = net.tensors.iter().position(|tensor| is_of_layer(tensor.role)).unwrap_or(net.tensors.len());
    let (transformer, layers) = tensors.split_at_mut(transformer);
    for (desc, tensor) in net.tensors.iter().zip(&mut *transformer) {
        reader.transformer_tensor(desc, tensor, encoding)?;
    }
    for stack in 0..net.stacks.count {
        reader.stack(&net.tensors[transformer.len()..], layers, stack)?;
    }
    reader.end()?;
    Ok(Header { description: prelude.description, encoding })
}

/// As [`read`], from bytes that are in memory.
///
/// # Errors
///
/// As [`read`].
///
/// # Panics
///
/// As [`read`].
pub fn read_slice(
    net: &NetDesc<'_>,
    bytes: &[u8],
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
) -> Result<Header, LoadError> {
    read(net, bytes, tensors, decoder)
}

/// True for the tensors that stand in the layer stacks.
pub(crate) fn is_of_layer(role: TensorRole) -> bool {
    matches!(role, TensorRole::LayerBias(_) | TensorRole::LayerWeight(_))
}

/// Panics unless the tensors have the types and lengths that `net` says.
pub(crate) fn assert_shapes(
    net: &NetDesc<'_>,
    elements: impl Iterator<Item = nnue_spec::ElementType>,
    lens: impl ExactSizeIterator<Item = usize>,
) {
    assert_eq!(net.tensors.len(), lens.len(), "`{}` has another number of tensors", net.name);
    for ((desc, element), len) in net.tensors.iter().zip(elements).zip(lens) {
        assert_eq!((desc.element, desc.len()), (element, len), "tensor `{}` of `{}`", desc.name, net.name);
    }
}

/// The name of a tensor in messages.
fn title(desc: &TensorDesc<'_>, stack: usize) -> String {
    match desc.copies {
        1 => format!("tensor `{}`", desc.name),
        _ => format!("tensor `{}` of stack {stack}", desc.name),
    }
}

struct Reader<'r> {
    net: &'r NetDesc<'r>,
    stream: Stream<'r>,
    decoder: &'r dyn Decoder,
}

impl Reader<'_> {
    fn encoding(&mut self) -> Result<Encoding, LoadError> {
        let compressed = self.stream.need(BLOCK_MAGIC.len())?.starts_with(BLOCK_MAGIC);
        Ok(if compressed { Encoding::Leb128 } else { Encoding::Raw })
    }

    fn transformer_tensor(
        &mut self,
        desc: &TensorDesc<'_>,
        tensor: &mut TensorMut<'_>,
        encoding: Encoding,
    ) -> Result<(), LoadError> {
        let decoder = self.decoder;
        match (encoding, tensor) {
            (Encoding::Leb128, TensorMut::I16(out)) => {
                self.block(desc, out, |bytes, out| decoder.decode_i16(bytes, out))
            }
            (Encoding::Leb128, TensorMut::I32(out)) => {
                self.block(desc, out, |bytes, out| decoder.decode_i32(bytes, out))
            }
            // bytes gain nothing from LEB128 and stand raw in both encodings
            (_, tensor) => {
                let len = desc.len();
                self.array(desc, 0, tensor, 0..len)
            }
        }
    }

    /// One layer stack: its hash, then copy `stack` of each tensor.
    fn stack(
        &mut self,
        descs: &[TensorDesc<'_>],
        tensors: &mut [TensorMut<'_>],
        stack: usize,
    ) -> Result<(), LoadError> {
        let at = self.stream.offset();
        let found = self.stream.word(&format!("the hash of stack {stack}"))?;
        let expected = self.net.container.stack_hash;
        if found != expected {
            let message = format!(
                "stack {stack} at offset {at} has hash {found:#010x}, `{}` expects {expected:#010x}: the file is damaged, \
                 or what stands before has another size than declared",
                self.net.name
            );
            let error = LoadError::new(LoadErrorKind::Architecture, at, message);
            return Err(error.with_values(expected.into(), found.into()));
        }
        for (desc, tensor) in descs.iter().zip(tensors) {
            let len = desc.rows * desc.cols;
            self.array(desc, stack, tensor, stack * len..(stack + 1) * len)?;
        }
        Ok(())
    }

    /// A little-endian array.
    fn array(
        &mut self,
        desc: &TensorDesc<'_>,
        stack: usize,
        tensor: &mut TensorMut<'_>,
        range: std::ops::Range<usize>,
    ) -> Result<(), LoadError> {
        let at = self.stream.offset();
        let bytes: &mut [u8] = match tensor {
            TensorMut::I8(out) => bytemuck::cast_slice_mut(&mut out[range.clone()]),
            TensorMut::I16(out) => bytemuck::cast_slice_mut(&mut out[range.clone()]),
            TensorMut::I32(out) => bytemuck::cast_slice_mut(&mut out[range.clone()]),
        };
        let needed = bytes.len();
        let found = self.stream.read_into(bytes)?;
        if found < needed {
            let element = range.start + found / desc.element.bytes();
            let error = truncated(&title(desc, stack), at, needed as u64, found as u64);
            return Err(error.with_tensor(desc.name).with_element(element as u64));
        }
        match tensor {
            TensorMut::I8(_) => {}
            TensorMut::I16(out) => out[range].iter_mut().for_each(|value| *value = i16::from_le(*value)),
            TensorMut::I32(out) => out[range].iter_mut().for_each(|value| *value = i32::from_le(*value)),
        }
        Ok(())
    }

    /// The head of a block for `count` numbers of at most `max_bytes` bytes; returns the length of the payload.
    fn block_head(&mut self, desc: &TensorDesc<'_>, count: usize, max_bytes: usize) -> Result<u64, LoadError> {
        let at = self.stream.offset();
        let head = self.stream.need(BLOCK_HEAD)?;
        let common = head.len().min(BLOCK_MAGIC.len());
        if head[..common] != BLOCK_MAGIC[..common] {
            let message = format!(
                "tensor `{}` at offset {at} does not start with {}, although a tensor before it does",
                desc.name,
                BLOCK_MAGIC.escape_ascii()
            );
            return Err(LoadError::new(LoadErrorKind::Compression, at, message).with_tensor(desc.name));
        }
        if head.len() < BLOCK_HEAD {
            let what = format!("the block of tensor `{}`", desc.name);
            return Err(truncated(&what, at, BLOCK_HEAD as u64, head.len() as u64).with_tensor(desc.name));
        }
        let length = head[BLOCK_MAGIC.len()..BLOCK_HEAD].iter().rev().fold(0, |n, &byte| n << 8 | u64::from(byte));
        if length < count as u64 || length > (count * max_bytes) as u64 {
            let message = format!(
                "the block of tensor `{}` at offset {at} announces {length} bytes, but {count} numbers take {count} to {}",
                desc.name,
                count * max_bytes
            );
            let error = LoadError::new(LoadErrorKind::Compression, at, message).with_tensor(desc.name);
            return Err(error.with_values(count as u64, length));
        }
        self.stream.consume(BLOCK_HEAD);
        Ok(length)
    }

    /// A block of LEB128 numbers.
    fn block<T: Number>(
        &mut self,
        desc: &TensorDesc<'_>,
        out: &mut [T],
        decode: impl Fn(&[u8], &mut [T]) -> Result<Progress, NumberError>,
    ) -> Result<(), LoadError> {
        let length = self.block_head(desc, out.len(), T::MAX_BYTES)?;
        let start = self.stream.offset();
        let mut done = 0;
        while done < out.len() {
            let left = length - (self.stream.offset() - start);
            let buffered = self.stream.buffered();
            let bytes = &buffered[..buffered.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            let progress =
                decode(bytes, &mut out[done..]).map_err(|e| number_error(desc, self.stream.offset(), done, e))?;
            let whole = bytes.len() as u64 == left;
            self.stream.consume(progress.bytes);
            done += progress.numbers;
            if done == out.len() {
                break;
            }
            if whole {
                return Err(wrong_count(desc, start, length, done, out.len()));
            }
            let before = self.stream.buffered().len();
            self.stream.fill()?;
            if self.stream.buffered().len() == before {
                let found = self.stream.offset() - start + before as u64;
                let what = format!("the block of tensor `{}`", desc.name);
                let error = truncated(&what, start, length, found);
                return Err(error.with_tensor(desc.name).with_element(done as u64));
            }
        }
        let used = self.stream.offset() - start;
        if used < length {
            let message = format!(
                "the block of tensor `{}` at offset {start} has {length} bytes, but its {} numbers end after {used}",
                desc.name,
                out.len()
            );
            let error = LoadError::new(LoadErrorKind::Compression, start + used, message).with_tensor(desc.name);
            return Err(error.with_values(length, used));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), LoadError> {
        let at = self.stream.offset();
        if self.stream.need(1)?.is_empty() {
            return Ok(());
        }
        let message = format!(
            "the network `{}` ends at offset {at}, but the file goes on: it has more or wider layers than declared, or \
             something was appended",
            self.net.name
        );
        Err(LoadError::new(LoadErrorKind::TrailingBytes, at, message))
    }
}

fn number_error(desc: &TensorDesc<'_>, base: u64, done: usize, error: NumberError) -> LoadError {
    let (kind, what) = match error.fault {
        Fault::NotShortest => (LoadErrorKind::Compression, "is not in its shortest form".to_owned()),
        Fault::TooLong => (LoadErrorKind::Compression, format!("has more bytes than any {}", desc.element.name())),
        Fault::OutOfRange => (LoadErrorKind::ValueRange, format!("does not fit in {}", desc.element.name())),
    };
    let offset = base + error.at.bytes as u64;
    let element = done + error.at.numbers;
    let (row, column) = (element / desc.cols, element % desc.cols);
    let message = format!(
        "number `{}[{row}][{column}]` at offset {offset} {what}: the file is damaged, copy it again",
        desc.name
    );
    LoadError::new(kind, offset, message).with_tensor(desc.name).with_element(element as u64)
}

fn wrong_count(desc: &TensorDesc<'_>, start: u64, length: u64, found: usize, expected: usize) -> LoadError {
    let message = format!(
        "the block of tensor `{}` at offset {start} has {length} bytes, which hold {found} of {expected} numbers: the file \
         is damaged or of another shape than declared",
        desc.name
    );
    let error = LoadError::new(LoadErrorKind::Compression, start + length, message);
    error.with_tensor(desc.name).with_element(found as u64).with_values(expected as u64, found as u64)
}
