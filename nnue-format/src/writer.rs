//! Writes a Stockfish container: the exact inverse of the [reader](crate::read).

use std::io::Write;

use nnue_spec::{Encoding, NetDesc, TensorDesc, TensorRef};

use crate::error::WriteError;
use crate::leb128::{Number, encode, encoded_len};
use crate::prelude::MAX_DESCRIPTION;
use crate::reader::{BLOCK_MAGIC, Header, assert_shapes, is_of_layer};

/// Numbers that are encoded at a time.
const BATCH: usize = 16 * 1024;

/// Writes the network `net` with the weights `tensors`, which are those of `net.tensors` in the same order.
///
/// A file that [`read`](crate::read) accepted is written byte for byte as it was, padding columns included.
///
/// # Errors
///
/// [`WriteError`]: the sink fails, or the description or a block is too long.
///
/// # Panics
///
/// If `tensors` are not as many, as long and of the types that `net.tensors` says.
pub fn write<W: Write>(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    mut sink: W,
) -> Result<(), WriteError> {
    assert_shapes(net, tensors.iter().map(TensorRef::element), tensors.iter().map(TensorRef::len));
    let description = &header.description;
    if description.len() > MAX_DESCRIPTION {
        return Err(WriteError::Description { bytes: description.len() });
    }
    let container = &net.container;
    sink.write_all(&container.version.to_le_bytes())?;
    sink.write_all(&container.network_hash().to_le_bytes())?;
    sink.write_all(&(description.len() as u32).to_le_bytes())?;
    sink.write_all(description)?;
    sink.write_all(&container.transformer_hash.to_le_bytes())?;
    let mut writer = Writer { sink: &mut sink, bytes: Vec::new() };
    let all = || net.tensors.iter().zip(tensors);
    for (desc, tensor) in all().filter(|(desc, _)| !is_of_layer(desc.role)) {
        match (header.encoding, tensor) {
            (Encoding::Leb128, TensorRef::I16(values)) => writer.block(desc, values)?,
            (Encoding::Leb128, TensorRef::I32(values)) => writer.block(desc, values)?,
            (_, tensor) => writer.array(tensor, 0..desc.len())?,
        }
    }
    for stack in 0..net.stacks.count {
        writer.sink.write_all(&container.stack_hash.to_le_bytes())?;
        for (desc, tensor) in all().filter(|(desc, _)| is_of_layer(desc.role)) {
            let len = desc.rows * desc.cols;
            writer.array(tensor, stack * len..(stack + 1) * len)?;
        }
    }
    writer.sink.flush()?;
    Ok(())
}

struct Writer<'w> {
    sink: &'w mut dyn Write,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    /// A little-endian array.
    fn array(&mut self, tensor: &TensorRef<'_>, range: std::ops::Range<usize>) -> Result<(), WriteError> {
        let mut start = range.start;
        while start < range.end {
            let batch = start..range.end.min(start + BATCH);
            start = batch.end;
            self.bytes.clear();
            match tensor {
                TensorRef::I8(values) => self.bytes.extend_from_slice(bytemuck::cast_slice(&values[batch])),
                TensorRef::I16(values) => self.bytes.extend(values[batch].iter().flat_map(|value| value.to_le_bytes())),
                TensorRef::I32(values) => self.bytes.extend(values[batch].iter().flat_map(|value| value.to_le_bytes())),
            }
            self.sink.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// A block of LEB128 numbers.
    fn block<T: Number>(&mut self, desc: &TensorDesc<'_>, values: &[T]) -> Result<(), WriteError> {
        let length = encoded_len(values);
        let Ok(word) = u32::try_from(length) else {
            return Err(WriteError::Block { tensor: desc.name.to_owned(), bytes: length });
        };
        self.sink.write_all(BLOCK_MAGIC)?;
        self.sink.write_all(&word.to_le_bytes())?;
        for batch in values.chunks(BATCH) {
            self.bytes.clear();
            encode(batch, &mut self.bytes);
            self.sink.write_all(&self.bytes)?;
        }
        Ok(())
    }
}
