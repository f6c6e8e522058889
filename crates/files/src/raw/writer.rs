//! Writes a header-less file: the inverse of the reader.

use alloc::vec::Vec;

use nnue_spec::{FileOrder, NetDesc, Padding, RawDesc, TensorDesc, TensorRef};

use super::{order, stored, to_alignment, unpadded_size};
use crate::error::WriteError;
use crate::io::Sink;
use crate::reader::Header;

/// Elements that are written at a time.
const BATCH: usize = 16 * 1024;

/// Writes `net` with the weights `tensors`. The description becomes the bytes before the first tensor, cut or
/// zero-padded to the declared length.
pub(crate) fn write(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    header: &Header,
    tensors: &[TensorRef<'_>],
    sink: &mut dyn Sink,
) -> Result<(), WriteError> {
    let mut front = header.description.clone();
    front.resize(raw.skip, 0);
    sink.write_all(&front)?;
    for (index, (desc, tensor)) in net.tensors.iter().zip(tensors).enumerate() {
        let order = raw.order(net, index);
        if let Some(numbers) = raw.stored(index) {
            sink.write_all(&stored::bytes((desc, order), numbers, *tensor)?)?;
            continue;
        }
        match tensor {
            TensorRef::I8(values) => write_elements(desc, order, values, sink, i8::to_le_bytes)?,
            TensorRef::I16(values) => write_elements(desc, order, values, sink, i16::to_le_bytes)?,
            TensorRef::I32(values) => write_elements(desc, order, values, sink, i32::to_le_bytes)?,
            TensorRef::F32(values) => write_elements(desc, order, values, sink, f32::to_le_bytes)?,
        }
    }
    if header.padding != Padding::None {
        let bytes = to_alignment(unpadded_size(net, raw)) as usize;
        sink.write_all(
            &(0..bytes)
                .map(|index| header.padding.byte(index))
                .collect::<Vec<u8>>(),
        )?;
    }
    sink.flush()?;
    Ok(())
}

fn write_elements<T: bytemuck::Pod, const N: usize>(
    desc: &TensorDesc<'_>,
    order: FileOrder,
    values: &[T],
    sink: &mut dyn Sink,
    to_le_bytes: impl Fn(T) -> [u8; N],
) -> Result<(), WriteError> {
    let mut file = Vec::new();
    let values = if order::is_held(desc, order) {
        values
    } else {
        file.resize(values.len(), T::zeroed());
        order::to_file(desc, order, values, &mut file);
        &file
    };
    for batch in values.chunks(BATCH) {
        sink.write_all(
            &batch
                .iter()
                .flat_map(|&value| to_le_bytes(value))
                .collect::<Vec<u8>>(),
        )?;
    }
    Ok(())
}
