//! Runs of numbers in a file: little endian, or LEB128 one after the other.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use nnue_spec::{ElementType, TensorMut, TensorRef};

use crate::error::{LoadError, LoadErrorKind, WriteError};
use crate::io::Sink;
use crate::leb128::{self, NumberError, Progress};
use crate::reader::fault;
use crate::stream::Stream;
use crate::tensors::Elements;

/// Numbers that are written at a time.
const BATCH: usize = 16 * 1024;

/// Bytes that hold at least one LEB128 number.
const ONE: usize = 16;

/// A run of numbers that is read.
pub(super) struct Run<'a> {
    /// the tensor, for errors
    pub(super) tensor: &'a str,
    pub(super) leb128: bool,
}

impl Run<'_> {
    /// Fills `out` with the next numbers; false if the file ends before.
    pub(super) fn read(
        &self,
        stream: &mut Stream<'_>,
        out: TensorMut<'_>,
    ) -> Result<bool, LoadError> {
        if !self.leb128 {
            return match out {
                TensorMut::I8(out) => plain(stream, out, |byte| byte),
                TensorMut::I16(out) => plain(stream, out, i16::from_le),
                TensorMut::I32(out) => plain(stream, out, i32::from_le),
                TensorMut::F32(out) => plain(stream, out, |value| {
                    f32::from_bits(u32::from_le(value.to_bits()))
                }),
            };
        }
        match out {
            TensorMut::I8(out) => self.decode(stream, out, ElementType::I8, leb128::decode),
            TensorMut::I16(out) => self.decode(stream, out, ElementType::I16, leb128::decode_i16),
            TensorMut::I32(out) => self.decode(stream, out, ElementType::I32, leb128::decode_i32),
            TensorMut::F32(out) => {
                let bits = bytemuck::cast_slice_mut(out);
                self.decode(stream, bits, ElementType::F32, leb128::decode_bits)
            }
        }
    }

    fn decode<T>(
        &self,
        stream: &mut Stream<'_>,
        out: &mut [T],
        element: ElementType,
        decode: impl Fn(&[u8], &mut [T]) -> Result<Progress, NumberError>,
    ) -> Result<bool, LoadError> {
        let mut done = 0;
        while done < out.len() {
            let bytes = stream.need(ONE)?;
            let progress = decode(bytes, &mut out[done..]);
            let progress = progress.map_err(|error| {
                let (kind, what) = fault(error.fault, element);
                let offset = stream.offset() + error.at.bytes as u64;
                let message = format!(
                    "number {} of `{}` at offset {offset} {what}: the file is damaged, or has no LEB128 numbers",
                    done + error.at.numbers,
                    self.tensor
                );
                LoadError::new(kind, offset, message).with_tensor(self.tensor.to_string())
            })?;
            if progress.numbers == 0 {
                return Ok(false);
            }
            stream.consume(progress.bytes);
            done += progress.numbers;
        }
        Ok(true)
    }
}

fn plain<T: bytemuck::Pod>(
    stream: &mut Stream<'_>,
    out: &mut [T],
    from_le: impl Fn(T) -> T,
) -> Result<bool, LoadError> {
    let needed = size_of_val(out);
    let read = stream.read_into(bytemuck::cast_slice_mut(out))?;
    out.iter_mut().for_each(|value| *value = from_le(*value));
    Ok(read == needed)
}

/// Writes numbers.
pub(super) fn write(
    numbers: TensorRef<'_>,
    leb128: bool,
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    let mut bytes = Vec::new();
    for start in (0..numbers.len()).step_by(BATCH) {
        let end = numbers.len().min(start + BATCH);
        bytes.clear();
        encode(numbers.part(start..end), leb128, &mut bytes);
        sink.write_all(&bytes)?;
    }
    Ok(())
}

/// Appends the bytes of numbers.
pub(super) fn encode(numbers: TensorRef<'_>, leb128: bool, out: &mut Vec<u8>) {
    match numbers {
        TensorRef::I8(values) if leb128 => leb128::encode(values, out),
        TensorRef::I16(values) if leb128 => leb128::encode(values, out),
        TensorRef::I32(values) if leb128 => leb128::encode(values, out),
        TensorRef::F32(values) if leb128 => values
            .iter()
            .for_each(|value| leb128::encode_bits(value.to_bits(), out)),
        TensorRef::I8(values) => out.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        TensorRef::I16(values) => out.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        TensorRef::I32(values) => out.extend(values.iter().flat_map(|value| value.to_le_bytes())),
        TensorRef::F32(values) => out.extend(values.iter().flat_map(|value| value.to_le_bytes())),
    }
}

/// Numbers from their bytes, without LEB128.
pub(super) fn decode(element: ElementType, bytes: &[u8]) -> Elements {
    match element {
        ElementType::I8 => Elements::I8(bytes.iter().map(|byte| byte.cast_signed()).collect()),
        ElementType::I16 => Elements::I16(words(bytes, i16::from_le_bytes)),
        ElementType::I32 => Elements::I32(words(bytes, i32::from_le_bytes)),
        ElementType::F32 => Elements::F32(words(bytes, f32::from_le_bytes)),
    }
}

fn words<T, const BYTES: usize>(bytes: &[u8], from_le: impl Fn([u8; BYTES]) -> T) -> Vec<T> {
    let (words, _) = bytes.as_chunks();
    words.iter().map(|word| from_le(*word)).collect()
}

/// The bytes that numbers take.
pub(super) fn encoded_len(numbers: TensorRef<'_>, leb128: bool) -> u64 {
    match numbers {
        TensorRef::I8(values) if leb128 => leb128::encoded_len(values),
        TensorRef::I16(values) if leb128 => leb128::encoded_len(values),
        TensorRef::I32(values) if leb128 => leb128::encoded_len(values),
        TensorRef::F32(values) if leb128 => {
            let len = |value: &f32| leb128::bits_len(value.to_bits());
            values.iter().map(len).sum()
        }
        numbers => (numbers.len() * numbers.element().bytes()) as u64,
    }
}

/// The error for a file of LEB128 numbers that ends after `length` bytes.
pub(super) fn truncated(tensor: &str, length: u64) -> LoadError {
    let message = format!("the file ends after {length} bytes, inside `{tensor}`");
    LoadError::new(LoadErrorKind::Truncated, length, message)
        .with_tensor(tensor)
        .with_advice(
            "it is cut off (copy it again), or the declaration has other sizes than the file",
        )
}
