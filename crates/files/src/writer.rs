//! Writes a Stockfish container: the exact inverse of the [reader](crate::read).

use alloc::vec::Vec;

use nnue_spec::{NetDesc, TensorDesc, TensorRef};

use crate::block_head::write_head;
use crate::error::WriteError;
#[cfg(feature = "std")]
use crate::io::Output;
use crate::io::Sink;
use crate::layout::{self, Unit, transformer_tensors, units};
use crate::leb128::{Number, encode, encoded_len};
use crate::limits::MAX_DESCRIPTION;
use crate::raw;
use crate::reader::{Header, assert_shapes};

/// Numbers that are encoded at a time.
const BATCH: usize = 16 * 1024;

/// Writes the network `net` with the weights `tensors`, one for each of `net.tensors`, in that order.
///
/// A file that [`read`](crate::read) accepted is reproduced byte for byte, including padding columns.
///
/// # Errors
///
/// [`WriteError`]: the sink fails, the description or a block is too long, or the network cannot have the
/// encoding in `header`.
///
/// # Panics
///
/// If the number, lengths or types of `tensors` are not those of `net.tensors`.
#[cfg(feature = "std")]
pub fn write<W: std::io::Write>(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    sink: W,
) -> Result<(), WriteError> {
    write_sink(net, header, tensors, &mut Output(sink))
}

/// Like [`write`](fn@write), into memory.
///
/// # Errors
///
/// Those of [`write`](fn@write), except for errors of the sink.
///
/// # Panics
///
/// Those of [`write`](fn@write).
pub fn to_bytes(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
) -> Result<Vec<u8>, WriteError> {
    let mut bytes = Vec::new();
    write_sink(net, header, tensors, &mut bytes)?;
    Ok(bytes)
}

fn write_sink(
    net: &NetDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    assert_shapes(
        net,
        tensors.iter().map(TensorRef::element),
        tensors.iter().map(TensorRef::len),
    );
    if let Some(raw) = &net.raw {
        return raw::write(net, raw, header, tensors, sink);
    }
    let description = &header.description;
    if description.len() > MAX_DESCRIPTION {
        return Err(WriteError::Description {
            bytes: description.len(),
        });
    }
    let container = &net.container;
    if !layout::is_possible(net, header.encoding) {
        return Err(WriteError::Encoding {
            header: header.encoding,
            declared: container.encoding,
        });
    }
    sink.write_all(&container.version.to_le_bytes())?;
    sink.write_all(&(header.transformer_hash ^ container.stack_hash).to_le_bytes())?;
    sink.write_all(&(description.len() as u32).to_le_bytes())?;
    sink.write_all(description)?;
    sink.write_all(&header.transformer_hash.to_le_bytes())?;
    let mut writer = Writer {
        sink,
        bytes: Vec::new(),
    };
    for unit in units(net, header.encoding) {
        match unit {
            Unit::Array(index) => writer.array(&tensors[index], 0..net.tensors[index].len())?,
            Unit::Block(block) => writer.block(&net.tensors[block.start], &tensors[block])?,
        }
    }
    let layers = transformer_tensors(net);
    for stack in 0..net.stacks.count {
        writer.sink.write_all(&container.stack_hash.to_le_bytes())?;
        for (desc, tensor) in net.tensors.iter().zip(tensors).skip(layers) {
            let len = desc.rows * desc.cols;
            writer.array(tensor, stack * len..(stack + 1) * len)?;
        }
    }
    writer.sink.flush()?;
    Ok(())
}

struct Writer<'w> {
    sink: &'w mut dyn Sink,
    bytes: Vec<u8>,
}

impl Writer<'_> {
    fn array(
        &mut self,
        tensor: &TensorRef<'_>,
        range: core::ops::Range<usize>,
    ) -> Result<(), WriteError> {
        let mut start = range.start;
        while start < range.end {
            let batch = start..range.end.min(start + BATCH);
            start = batch.end;
            self.bytes.clear();
            match tensor {
                TensorRef::I8(values) => self
                    .bytes
                    .extend_from_slice(bytemuck::cast_slice(&values[batch])),
                TensorRef::I16(values) => self
                    .bytes
                    .extend(values[batch].iter().flat_map(|value| value.to_le_bytes())),
                TensorRef::I32(values) => self
                    .bytes
                    .extend(values[batch].iter().flat_map(|value| value.to_le_bytes())),
                TensorRef::F32(values) => self
                    .bytes
                    .extend(values[batch].iter().flat_map(|value| value.to_le_bytes())),
            }
            self.sink.write_all(&self.bytes)?;
        }
        Ok(())
    }

    /// Writes a block of LEB128 numbers whose first tensor is `desc`.
    fn block(
        &mut self,
        desc: &TensorDesc<'_>,
        tensors: &[TensorRef<'_>],
    ) -> Result<(), WriteError> {
        let of_tensor = |tensor: &TensorRef<'_>| match tensor {
            TensorRef::I8(values) => encoded_len(values),
            TensorRef::I16(values) => encoded_len(values),
            TensorRef::I32(values) => encoded_len(values),
            TensorRef::F32(_) => unreachable!("floats stand in arrays (`layout`)"),
        };
        write_head(self.sink, desc.name, tensors.iter().map(of_tensor).sum())?;
        for tensor in tensors {
            match tensor {
                TensorRef::I8(values) => self.numbers(values)?,
                TensorRef::I16(values) => self.numbers(values)?,
                TensorRef::I32(values) => self.numbers(values)?,
                TensorRef::F32(_) => unreachable!("floats stand in arrays (`layout`)"),
            }
        }
        Ok(())
    }

    fn numbers<T: Number>(&mut self, values: &[T]) -> Result<(), WriteError> {
        for batch in values.chunks(BATCH) {
            self.bytes.clear();
            encode(batch, &mut self.bytes);
            self.sink.write_all(&self.bytes)?;
        }
        Ok(())
    }
}
