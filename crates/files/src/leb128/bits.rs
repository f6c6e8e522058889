//! Unsigned LEB128 numbers: the bits of floats in files that hold nothing but such numbers.
//!
//! ```text
//!   0 -> 00    127 -> 7F    128 -> 80 01    1.0, 0x3F800000 -> 80 80 80 FC 03
//! ```

use alloc::vec::Vec;

use super::{Fault, NumberError, Progress};

/// The most bytes of 32 bits.
const MAX_BYTES: usize = 5;

/// Decodes numbers of 32 bits from the start of `bytes` until `out` is full or no complete number is left.
///
/// # Errors
///
/// The first number that is not a shortest form of 32 bits.
pub fn decode_bits(bytes: &[u8], out: &mut [u32]) -> Result<Progress, NumberError> {
    let mut at = Progress::default();
    for place in out {
        let rest = &bytes[at.bytes..];
        let Some(last) = rest.iter().take(MAX_BYTES).position(|byte| byte >> 7 == 0) else {
            if rest.len() < MAX_BYTES {
                break;
            }
            return Err(NumberError {
                fault: Fault::TooLong,
                at,
            });
        };
        let digits = rest[..=last].iter().rev();
        let value = digits.fold(0_u64, |value, byte| value << 7 | u64::from(byte & 0x7F));
        let fault = |fault| NumberError { fault, at };
        if last > 0 && rest[last] == 0 {
            return Err(fault(Fault::NotShortest));
        }
        *place = u32::try_from(value).map_err(|_| fault(Fault::OutOfRange))?;
        at = Progress {
            bytes: at.bytes + last + 1,
            numbers: at.numbers + 1,
        };
    }
    Ok(at)
}

/// Appends the shortest form of `bits`.
pub fn encode_bits(bits: u32, out: &mut Vec<u8>) {
    let mut rest = bits;
    while rest >= 0x80 {
        out.push((rest & 0x7F) as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// The bytes that [`encode_bits`] appends.
pub fn bits_len(bits: u32) -> u64 {
    (u32::BITS - bits.leading_zeros()).div_ceil(7).max(1).into()
}
