//! Numbers that a file stores in another type or unit than memory: biases of 8 or 16 bits, in the unit of the
//! weights, and weights of 16 or 32 bits.
//!
//! ```text
//!   file      | b0 | b1 | b2 | ..            i8 @ 128
//!   memory    b0 * 4096, b1 * 4096, ..       i32, in units of sums, where 1.0 of inputs is 4096
//! ```

use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{ElementType, FileOrder, Stored, TensorDesc, TensorMut, TensorRef};

use super::order;
use crate::error::{LoadError, LoadErrorKind, WriteError};
use crate::stream::Stream;

/// Reads a tensor; false if the file ends inside it.
pub(super) fn read(
    stream: &mut Stream<'_>,
    (desc, order): (&TensorDesc<'_>, FileOrder),
    stored: &Stored,
    tensor: &mut TensorMut<'_>,
) -> Result<bool, LoadError> {
    let (start, size) = (stream.offset(), stored.element.bytes());
    let mut bytes = vec![0; desc.len() * size];
    if stream.read_into(&mut bytes)? < bytes.len() {
        return Ok(false);
    }
    for at in 0..desc.len() {
        let place = order::place(desc, order, at);
        let number = number(stored.element, &bytes[place * size..][..size]);
        if !set(tensor, at, stored, number) {
            let times = match stored.times {
                1 => String::new(),
                times => format!(" times {times}"),
            };
            let message = format!(
                "`{}`: {number}{times} does not fit in {}",
                desc.name,
                desc.element.name()
            );
            let error = LoadError::new(
                LoadErrorKind::ValueRange,
                start + (place * size) as u64,
                message,
            );
            return Err(error.with_tensor(desc.name).with_element(at as u64));
        }
    }
    Ok(true)
}

fn number(element: ElementType, bytes: &[u8]) -> i64 {
    match (element, bytes) {
        (ElementType::I8, &[a]) => a.cast_signed().into(),
        (ElementType::I16, &[a, b]) => i16::from_le_bytes([a, b]).into(),
        (_, &[a, b, c, d]) => i32::from_le_bytes([a, b, c, d]).into(),
        _ => 0,
    }
}

/// Sets element `at` to the value of `number`; false if the tensor cannot hold it.
fn set(tensor: &mut TensorMut<'_>, at: usize, stored: &Stored, number: i64) -> bool {
    match tensor {
        TensorMut::I8(out) => assign(&mut out[at], stored.whole(number)),
        TensorMut::I16(out) => assign(&mut out[at], stored.whole(number)),
        TensorMut::I32(out) => assign(&mut out[at], stored.whole(number)),
        TensorMut::F32(out) => stored.float(number).map(|float| out[at] = float).is_some(),
    }
}

fn assign<T: TryFrom<i64>>(out: &mut T, number: Option<i64>) -> bool {
    number
        .and_then(|number| T::try_from(number).ok())
        .map(|number| *out = number)
        .is_some()
}

/// Encodes a tensor for the file.
///
/// # Errors
///
/// [`WriteError::Number`] for the first element that the file cannot express.
pub(super) fn bytes(
    (desc, order): (&TensorDesc<'_>, FileOrder),
    stored: &Stored,
    tensor: TensorRef<'_>,
) -> Result<Vec<u8>, WriteError> {
    let size = stored.element.bytes();
    let mut bytes = vec![0; desc.len() * size];
    for at in 0..desc.len() {
        let number = match tensor {
            TensorRef::F32(values) => stored.of_float(values[at]),
            whole => stored.of_whole(whole.get(at).into()),
        };
        let Some(number) = number else {
            return Err(WriteError::Number {
                tensor: desc.name.into(),
                element: at,
            });
        };
        let place = order::place(desc, order, at) * size;
        bytes[place..][..size].copy_from_slice(&number.to_le_bytes()[..size]);
    }
    Ok(bytes)
}
