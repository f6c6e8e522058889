//! Decoding.

use super::{Fault, Number, NumberError, Progress};

/// What stands at the start of some bytes.
enum Step<T> {
    Number(T, usize),
    Partial,
    Fault(Fault),
}

/// One number, checked: the definition that the fast paths follow.
#[inline(always)]
fn step<T: Number>(bytes: &[u8]) -> Step<T> {
    let mut value = 0i64;
    for index in 0..T::MAX_BYTES {
        let Some(&byte) = bytes.get(index) else { return Step::Partial };
        value |= i64::from(byte & 0x7F) << (7 * index);
        if byte < 0x80 {
            let unused = 64 - 7 * (index + 1);
            value = value << unused >> unused;
            let shorter = 64 - 7 * index.max(1);
            if index > 0 && value << shorter >> shorter == value {
                return Step::Fault(Fault::NotShortest);
            }
            return T::try_from(value).map_or(Step::Fault(Fault::OutOfRange), |value| Step::Number(value, index + 1));
        }
    }
    Step::Fault(Fault::TooLong)
}

/// Decodes number by number from where `at` stands.
#[inline(always)]
fn decode_steps<T: Number>(bytes: &[u8], out: &mut [T], mut at: Progress) -> Result<Progress, NumberError> {
    while let Some(place) = out.get_mut(at.numbers) {
        match step(&bytes[at.bytes..]) {
            Step::Number(value, len) => {
                *place = value;
                at = Progress { bytes: at.bytes + len, numbers: at.numbers + 1 };
            }
            Step::Partial => break,
            Step::Fault(fault) => return Err(NumberError { fault, at }),
        }
    }
    Ok(at)
}

/// Decodes 16-bit numbers; see [`Decoder::decode_i16`](super::Decoder::decode_i16).
///
/// Always inlined, so that a function with more target features compiles it for them.
///
/// # Errors
///
/// The first number that is not a shortest form of an i16.
#[inline(always)]
pub fn decode_i16(bytes: &[u8], out: &mut [i16]) -> Result<Progress, NumberError> {
    decode_steps(bytes, out, Progress::default())
}

/// Decodes 32-bit numbers; see [`Decoder::decode_i32`](super::Decoder::decode_i32).
///
/// # Errors
///
/// The first number that is not a shortest form of an i32.
#[inline(always)]
pub fn decode_i32(bytes: &[u8], out: &mut [i32]) -> Result<Progress, NumberError> {
    decode_steps(bytes, out, Progress::default())
}
