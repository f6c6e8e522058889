//! Reads a Stockfish container. Header-less files are read in [`raw`].
//!
//! ```text
//!   prelude
//!   feature transformer: raw:    bias, weight, psqt as little-endian arrays
//!                        LEB128: the same, each in a block  "COMPRESSED_LEB128" | u32 n | n bytes
//!   once per stack:      u32 stack hash | fc0 bias, fc0 weight, fc1 bias, ...
//!   end of file
//! ```
//!
//! The first two blocks of a file show its encoding (`layout`). Bytes are read directly into the tensors
//! (raw) or through a buffer of 128 KiB (LEB128), so memory holds the network once. `docs/files.md`
//! describes the format.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use nnue_spec::{ContainerDesc, ElementType, Encoding, NetDesc, Padding, TensorDesc, TensorMut};

use crate::appended::Appended;
use crate::block_head::Head;
use crate::blocks;
use crate::error::{LoadError, LoadErrorKind};
use crate::floats;
use crate::in_place::{self, Stays};
#[cfg(feature = "std")]
use crate::io::Input;
use crate::io::Source;
use crate::layout::{self, Unit, transformer_tensors};
use crate::leb128::{Decoder, Fault, Number, NumberError, Progress};
use crate::prelude::Prelude;
use crate::raw;
use crate::shards;
use crate::stream::{Stream, truncated};

pub use nnue_spec::{BLOCK_HEAD, BLOCK_MAGIC};

/// The contents of a file besides its weights.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// free text, usually ASCII; at most [`MAX_DESCRIPTION`](crate::MAX_DESCRIPTION) bytes
    pub description: Vec<u8>,
    /// encoding of the feature transformer
    pub encoding: Encoding,
    /// hash of the feature transformer; files of one network may have one of two (SFNNv13)
    pub transformer_hash: u32,
    /// the padding of a header-less file; its other bytes that belong to no tensor are in `description`
    pub padding: Padding,
}

impl Header {
    /// A header with this description and the encoding of the declaration.
    pub fn new(net: &NetDesc<'_>, description: impl Into<Vec<u8>>) -> Self {
        let ContainerDesc {
            encoding,
            transformer_hash,
            ..
        } = net.container;
        let padding = net.raw.map_or(Padding::None, |raw| raw.padding);
        Self {
            description: description.into(),
            encoding,
            transformer_hash,
            padding,
        }
    }
}

/// Reads the network `net` from `source` into `tensors`, one for each of `net.tensors`, in that order.
///
/// Padding columns are kept as they are in the file. Golden values are not compared:
/// [`check_golden`](crate::check_golden) does that, with an evaluation of the network. After an error, the
/// contents of `tensors` are unspecified.
///
/// # Errors
///
/// [`LoadError`]: the source fails, or is not exactly one network of this declaration.
///
/// # Panics
///
/// If the number, lengths or types of `tensors` are not those of `net.tensors`.
#[cfg(feature = "std")]
pub fn read<R: std::io::Read>(
    net: &NetDesc<'_>,
    source: R,
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
) -> Result<Header, LoadError> {
    read_source(net, &mut Input(source), tensors, decoder, &mut |_| false)
}

/// Like [`read`], from memory.
///
/// # Errors
///
/// Those of [`read`].
///
/// # Panics
///
/// Those of [`read`].
pub fn read_slice(
    net: &NetDesc<'_>,
    bytes: &[u8],
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
) -> Result<Header, LoadError> {
    read_slice_in_place(net, bytes, tensors, decoder, &mut |_| false)
}

/// Like [`read_slice`], but tensors for which `stays` returns true are left as they are: the caller uses their
/// bytes in the file.
///
/// `stays` is asked for rows of feature transformers that the file holds as memory does: little-endian numbers
/// in the order of the tensor.
///
/// # Errors
///
/// Those of [`read`].
///
/// # Panics
///
/// Those of [`read`].
pub fn read_slice_in_place(
    net: &NetDesc<'_>,
    mut bytes: &[u8],
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
    stays: Stays<'_>,
) -> Result<Header, LoadError> {
    read_source(net, &mut bytes, tensors, decoder, stays)
}

fn read_source(
    net: &NetDesc<'_>,
    source: &mut dyn Source,
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
    stays: Stays<'_>,
) -> Result<Header, LoadError> {
    assert_shapes(
        net,
        tensors.iter().map(|tensor| tensor.as_ref().element()),
        tensors.iter().map(|t| t.as_ref().len()),
    );
    match &net.raw {
        Some(raw) => raw::read(net, raw, source, tensors, stays),
        None => read_container(net, source, tensors, decoder, stays),
    }
}

fn read_container(
    net: &NetDesc<'_>,
    source: &mut dyn Source,
    tensors: &mut [TensorMut<'_>],
    decoder: &dyn Decoder,
    stays: Stays<'_>,
) -> Result<Header, LoadError> {
    let mut stream = Stream::new(source);
    let prelude = Prelude::read_from(&mut stream, &[net])?;
    prelude.check(net)?;
    let mut reader = Reader {
        net,
        stream,
        decoder,
        stays,
    };
    let (transformer, layers) = tensors.split_at_mut(transformer_tensors(net));
    let encoding = reader.transformer(transformer)?;
    for stack in 0..net.stacks.count {
        reader.stack(&net.tensors[transformer.len()..], layers, stack)?;
    }
    reader.end()?;
    let Prelude {
        description,
        transformer_hash,
        ..
    } = prelude;
    Ok(Header {
        description,
        encoding,
        transformer_hash,
        padding: Padding::None,
    })
}

/// Checks that the tensors have the types and lengths of `net`.
///
/// # Panics
///
/// If they have not.
pub fn assert_shapes(
    net: &NetDesc<'_>,
    elements: impl Iterator<Item = nnue_spec::ElementType>,
    lens: impl ExactSizeIterator<Item = usize>,
) {
    assert_eq!(
        net.tensors.len(),
        lens.len(),
        "`{}` has another number of tensors",
        net.name
    );
    for ((desc, element), len) in net.tensors.iter().zip(elements).zip(lens) {
        assert_eq!(
            (desc.element, desc.len()),
            (element, len),
            "tensor `{}` of `{}`",
            desc.name,
            net.name
        );
    }
}

/// The memory of the elements `range`.
fn bytes_of<'t>(tensor: &'t mut TensorMut<'_>, range: Range<usize>) -> &'t mut [u8] {
    match tensor {
        TensorMut::I8(out) => bytemuck::cast_slice_mut(&mut out[range]),
        TensorMut::I16(out) => bytemuck::cast_slice_mut(&mut out[range]),
        TensorMut::I32(out) => bytemuck::cast_slice_mut(&mut out[range]),
        TensorMut::F32(out) => bytemuck::cast_slice_mut(&mut out[range]),
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
    stays: Stays<'r>,
}

impl Reader<'_> {
    /// Reads the feature transformer in any encoding.
    fn transformer(&mut self, tensors: &mut [TensorMut<'_>]) -> Result<Encoding, LoadError> {
        let mut encoding = Encoding::Raw;
        if self.is_block()? {
            self.block(0..1, &mut tensors[..1])?;
            encoding = layout::compressed(self.net, self.is_block()?);
        }
        let bias = usize::from(encoding != Encoding::Raw);
        for unit in &layout::units(self.net, encoding)[bias..] {
            match unit.clone() {
                Unit::Array(index) => {
                    let desc = &self.net.tensors[index];
                    self.array(desc, 0, &mut tensors[index], 0..desc.len())?;
                }
                Unit::Block(block) => self.block(block.clone(), &mut tensors[block])?,
            }
        }
        Ok(encoding)
    }

    fn is_block(&mut self) -> Result<bool, LoadError> {
        Ok(self
            .stream
            .need(BLOCK_MAGIC.len())?
            .starts_with(BLOCK_MAGIC))
    }

    /// Reads one layer stack: its hash, then copy `stack` of each tensor.
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

    fn array(
        &mut self,
        desc: &TensorDesc<'_>,
        stack: usize,
        tensor: &mut TensorMut<'_>,
        range: Range<usize>,
    ) -> Result<(), LoadError> {
        let at = self.stream.offset();
        let needed = range.len() * desc.element.bytes();
        let stays = in_place::stays(self.stays, desc, at);
        let found = if stays {
            self.stream.skip(needed)?
        } else {
            self.stream.read_into(bytes_of(tensor, range.clone()))?
        };
        if found < needed {
            let element = range.start + found / desc.element.bytes();
            let error = truncated(&title(desc, stack), at, needed as u64, found as u64);
            return Err(error.with_tensor(desc.name).with_element(element as u64));
        }
        if stays {
            return Ok(());
        }
        let (first, bytes) = (range.start, desc.element.bytes());
        let offset = |element| at + ((element - first) * bytes) as u64;
        match tensor {
            TensorMut::I8(out) => {
                blocks::check(self.net, desc, (&out[range.clone()], stack), offset)?
            }
            TensorMut::I16(out) => out[range.clone()]
                .iter_mut()
                .for_each(|value| *value = i16::from_le(*value)),
            TensorMut::I32(out) => out[range.clone()]
                .iter_mut()
                .for_each(|value| *value = i32::from_le(*value)),
            TensorMut::F32(out) => {
                let values = &mut out[range.clone()];
                values
                    .iter_mut()
                    .for_each(|value| *value = f32::from_bits(u32::from_le(value.to_bits())));
                floats::check(desc, values, first, offset)?;
            }
        }
        let read = tensor.as_ref().part(range);
        shards::check(self.net, desc, read, first, offset)
    }

    fn block(
        &mut self,
        which: Range<usize>,
        tensors: &mut [TensorMut<'_>],
    ) -> Result<(), LoadError> {
        let (decoder, descs) = (self.decoder, &self.net.tensors[which]);
        let block = self.block_head(descs)?;
        for (desc, tensor) in descs.iter().zip(tensors) {
            match tensor {
                TensorMut::I8(out) => self.bytes(&block, desc, out)?,
                TensorMut::I16(out) => {
                    self.numbers(&block, desc, (0, desc.len()), out, |bytes, out| {
                        decoder.decode_i16(bytes, out)
                    })?;
                }
                TensorMut::F32(_) => unreachable!("floats stand in arrays (`layout`)"),
                TensorMut::I32(out) => {
                    self.numbers(&block, desc, (0, desc.len()), out, |bytes, out| {
                        decoder.decode_i32(bytes, out)
                    })?;
                }
            }
        }
        self.block_end(&block, descs)
    }

    /// Reads the head of a block that holds the tensors `descs`.
    fn block_head(&mut self, descs: &[TensorDesc<'_>]) -> Result<Block, LoadError> {
        let name = descs[0].name;
        let at = self.stream.offset();
        let length = match Head::read(&mut self.stream)? {
            Head::Bytes(length) => length,
            Head::Cut(found) => {
                let what = format!("the block of tensor `{name}`");
                return Err(truncated(&what, at, BLOCK_HEAD as u64, found as u64).with_tensor(name));
            }
            Head::Other => {
                let message = format!(
                    "tensor `{name}` at offset {at} does not start with {}, although a tensor before it does",
                    BLOCK_MAGIC.escape_ascii()
                );
                return Err(
                    LoadError::new(LoadErrorKind::Compression, at, message).with_tensor(name)
                );
            }
        };
        let count: usize = descs.iter().map(TensorDesc::len).sum();
        let most: usize = descs
            .iter()
            .map(|desc| desc.len() * max_bytes(desc.element))
            .sum();
        if length < count as u64 || length > most as u64 {
            let message = format!(
                "the block of tensor `{name}` at offset {at} announces {length} bytes, but {count} numbers take {count} to \
                 {most}"
            );
            let error = LoadError::new(LoadErrorKind::Compression, at, message).with_tensor(name);
            return Err(error.with_values(count as u64, length));
        }
        Ok(Block {
            start: self.stream.offset(),
            length,
        })
    }

    /// Reads the numbers of an i8 tensor from a block. They are decoded as 16-bit numbers.
    fn bytes(
        &mut self,
        block: &Block,
        desc: &TensorDesc<'_>,
        out: &mut [i8],
    ) -> Result<(), LoadError> {
        let decoder = self.decoder;
        let mut wide = [0; 4096];
        for (batch, out) in out.chunks_mut(wide.len()).enumerate() {
            let (first, wide) = (batch * 4096, &mut wide[..out.len()]);
            let at = (first, desc.len());
            self.numbers(block, desc, at, wide, |bytes, out| {
                decoder.decode_i16(bytes, out)
            })?;
            for (index, (value, place)) in wide.iter().zip(out).enumerate() {
                let Ok(byte) = i8::try_from(*value) else {
                    return Err(beyond_bytes(
                        desc,
                        self.stream.offset(),
                        first + index,
                        *value,
                    ));
                };
                *place = byte;
            }
        }
        Ok(())
    }

    /// Reads numbers of a block. The first of them is element `first` of `total` of the tensor.
    fn numbers<T: Number>(
        &mut self,
        block: &Block,
        desc: &TensorDesc<'_>,
        (first, total): (usize, usize),
        out: &mut [T],
        decode: impl Fn(&[u8], &mut [T]) -> Result<Progress, NumberError>,
    ) -> Result<(), LoadError> {
        let Block { start, length } = *block;
        let mut done = 0;
        while done < out.len() {
            let left = length - (self.stream.offset() - start);
            let buffered = self.stream.buffered();
            let bytes = &buffered[..buffered
                .len()
                .min(usize::try_from(left).unwrap_or(usize::MAX))];
            let progress = decode(bytes, &mut out[done..])
                .map_err(|e| number_error(desc, self.stream.offset(), first + done, e))?;
            let whole = bytes.len() as u64 == left;
            self.stream.consume(progress.bytes);
            done += progress.numbers;
            if done == out.len() {
                break;
            }
            if whole {
                return Err(wrong_count(desc, start, length, first + done, total));
            }
            let before = self.stream.buffered().len();
            self.stream.fill()?;
            if self.stream.buffered().len() == before {
                let found = self.stream.offset() - start + before as u64;
                let what = format!("the block of tensor `{}`", desc.name);
                let error = truncated(&what, start, length, found);
                return Err(error
                    .with_tensor(desc.name)
                    .with_element((first + done) as u64));
            }
        }
        Ok(())
    }

    fn block_end(&mut self, block: &Block, descs: &[TensorDesc<'_>]) -> Result<(), LoadError> {
        let Block { start, length } = *block;
        let used = self.stream.offset() - start;
        if used < length {
            let name = descs[0].name;
            let message = format!(
                "the block of tensor `{name}` at offset {start} has {length} bytes, but its {} numbers end after {used}",
                descs.iter().map(TensorDesc::len).sum::<usize>()
            );
            let error =
                LoadError::new(LoadErrorKind::Compression, start + used, message).with_tensor(name);
            return Err(error.with_values(length, used));
        }
        Ok(())
    }

    fn end(&mut self) -> Result<(), LoadError> {
        let at = self.stream.offset();
        if self.stream.need(1)?.is_empty() {
            return Ok(());
        }
        self.stream.fill()?;
        let appended = Appended {
            is_all: self.stream.has_ended(),
            bytes: self.stream.buffered(),
        };
        let message = format!(
            "the network `{}` ends at offset {at}, and the file goes on with {}",
            self.net.name,
            appended.in_words()
        );
        // Hashes do not say how many stacks there are.
        let advice = match appended.word() == Some(self.net.container.stack_hash) {
            true => "they begin with the hash of a layer stack: declare more stacks".to_owned(),
            false => format!(
                "the hashes are those of `{}`, so they seem to have been appended: the first {at} bytes are the network",
                self.net.name
            ),
        };
        let error = LoadError::new(LoadErrorKind::TrailingBytes, at, message);
        Err(error.with_expected(at).with_advice(advice))
    }
}

/// The position of the numbers of a block.
struct Block {
    start: u64,
    length: u64,
}

/// The size of the longest number of a tensor, in bytes. Tensors of i8 are decoded as 16-bit numbers.
fn max_bytes(element: ElementType) -> usize {
    match element {
        ElementType::I8 | ElementType::I16 => i16::MAX_BYTES,
        ElementType::F32 => 4,
        ElementType::I32 => i32::MAX_BYTES,
    }
}

/// The error for a number that does not fit in a byte. `offset` is at most a few thousand numbers after it.
fn beyond_bytes(desc: &TensorDesc<'_>, offset: u64, element: usize, value: i16) -> LoadError {
    let (row, column) = (element / desc.cols, element % desc.cols);
    let message = format!(
        "number `{}[{row}][{column}]` before offset {offset} is {value}, which does not fit in i8: the file is damaged, \
         copy it again",
        desc.name
    );
    LoadError::new(LoadErrorKind::ValueRange, offset, message)
        .with_tensor(desc.name)
        .with_element(element as u64)
}

/// What is wrong with a number of this type.
pub(crate) fn fault(fault: Fault, element: ElementType) -> (LoadErrorKind, String) {
    match fault {
        Fault::NotShortest => (
            LoadErrorKind::Compression,
            "is not in its shortest form".to_owned(),
        ),
        Fault::TooLong => (
            LoadErrorKind::Compression,
            format!("has more bytes than any {}", element.name()),
        ),
        Fault::OutOfRange => (
            LoadErrorKind::ValueRange,
            format!("does not fit in {}", element.name()),
        ),
    }
}

fn number_error(desc: &TensorDesc<'_>, base: u64, done: usize, error: NumberError) -> LoadError {
    let (kind, what) = fault(error.fault, desc.element);
    let offset = base + error.at.bytes as u64;
    let element = done + error.at.numbers;
    let (row, column) = (element / desc.cols, element % desc.cols);
    let message = format!(
        "number `{}[{row}][{column}]` at offset {offset} {what}: the file is damaged, copy it again",
        desc.name
    );
    LoadError::new(kind, offset, message)
        .with_tensor(desc.name)
        .with_element(element as u64)
}

fn wrong_count(
    desc: &TensorDesc<'_>,
    start: u64,
    length: u64,
    found: usize,
    expected: usize,
) -> LoadError {
    let message = format!(
        "the block of tensor `{}` at offset {start} has {length} bytes, which hold {found} of {expected} numbers: the file \
         is damaged or of another shape than declared",
        desc.name
    );
    let error = LoadError::new(LoadErrorKind::Compression, start + length, message);
    error
        .with_tensor(desc.name)
        .with_element(found as u64)
        .with_values(expected as u64, found as u64)
}
