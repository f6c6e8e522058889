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

use nnue_spec::{Stored, TensorMut, TensorRef};

use super::order::Places;
use super::piece::Piece;
use crate::error::{LoadError, LoadErrorKind, WriteError};
use crate::tensors::Elements;

/// Sets a tensor to the numbers `file`, which stand at the offset `start`.
pub(super) fn from_file(
    piece: &Piece<'_>,
    stored: &Stored,
    (file, start): (&Elements, u64),
    tensor: &mut TensorMut<'_>,
) -> Result<(), LoadError> {
    let file = file.borrow();
    for (at, place) in Places::new(&piece.desc, piece.order).iter().enumerate() {
        let number = file.get(place).into();
        if !set(tensor, at, stored, number) {
            let times = match (stored.times, stored.over) {
                (1, 1) => String::new(),
                (times, 1) => format!(" times {times}"),
                (times, over) => format!(" times {times} / {over}"),
            };
            let desc = &piece.desc;
            let message = format!(
                "`{}`: {number}{times} does not fit in {}",
                desc.name,
                desc.element.name()
            );
            let offset = start + super::numbers::encoded_len(file.part(0..place), piece.leb128);
            let error = LoadError::new(LoadErrorKind::ValueRange, offset, message);
            return Err(error
                .with_tensor(desc.name)
                .with_element((piece.first + at) as u64));
        }
    }
    Ok(())
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

/// Sets number `at` of a file; false if its type does not have it.
fn put(file: &mut Elements, at: usize, number: i64) -> bool {
    set(&mut file.borrow_mut(), at, &Stored::SAME, number)
}

fn assign<T: TryFrom<i64>>(out: &mut T, number: Option<i64>) -> bool {
    number
        .and_then(|number| T::try_from(number).ok())
        .map(|number| *out = number)
        .is_some()
}

/// What rounding drops of the numbers `file`, in a byte for each: with it the file is written back as it was.
pub(super) fn dropped(
    piece: &Piece<'_>,
    stored: &Stored,
    file: &Elements,
    tensor: TensorRef<'_>,
) -> Vec<u8> {
    let file = file.borrow();
    let mut all = vec![0; tensor.len()];
    for (at, place) in Places::new(&piece.desc, piece.order).iter().enumerate() {
        let usual = stored.of_whole(tensor.get(at).into()).unwrap_or_default();
        let number: i64 = file.get(place).into();
        all[place] = (number - usual) as i8 as u8;
    }
    all
}

/// Adds what rounding dropped to the numbers of a file. What would change a number of memory is left out.
pub(super) fn restore(stored: &Stored, file: &mut Elements, dropped: &[u8]) {
    for (at, &dropped) in dropped.iter().enumerate() {
        let usual: i64 = file.borrow().get(at).into();
        let number = usual + i64::from(dropped.cast_signed());
        if stored.whole(number) == stored.whole(usual) {
            put(file, at, number);
        }
    }
}

/// The numbers of the file.
///
/// # Errors
///
/// [`WriteError::Number`] for the first element that the file cannot express.
pub(super) fn to_file(
    piece: &Piece<'_>,
    stored: &Stored,
    tensor: TensorRef<'_>,
) -> Result<Elements, WriteError> {
    let mut file = Elements::zeroed(stored.element, tensor.len());
    for (at, place) in Places::new(&piece.desc, piece.order).iter().enumerate() {
        let number = match tensor {
            TensorRef::F32(values) => stored.of_float(values[at]),
            whole => stored.of_whole(whole.get(at).into()),
        };
        let set = number.is_some_and(|number| put(&mut file, place, number));
        if !set {
            return Err(WriteError::Number {
                tensor: piece.desc.name.into(),
                element: piece.first + at,
            });
        }
    }
    Ok(file)
}
