//! Encoding.

use alloc::vec::Vec;

use super::Number;

/// The size of all `values` together, in bytes.
pub fn encoded_len<T: Number>(values: &[T]) -> u64 {
    values
        .iter()
        .map(|&value| number_len::<T>(value.into()) as u64)
        .sum()
}

/// Appends the shortest forms of `values` to `out`.
pub fn encode<T: Number>(values: &[T], out: &mut Vec<u8>) {
    for &value in values {
        let mut rest: i64 = value.into();
        while !(-64..64).contains(&rest) {
            out.push((rest & 0x7F) as u8 | 0x80);
            rest >>= 7;
        }
        out.push((rest & 0x7F) as u8);
    }
}

/// The size of `value`: one byte, and one more for each limit that it exceeds. Without branches, so that it
/// vectorises.
#[inline]
fn number_len<T: Number>(value: i64) -> u32 {
    // -65 needs as many bits as 64.
    let magnitude = if value < 0 { !value } else { value };
    (1..T::MAX_BYTES).fold(1, |len, bytes| {
        len + u32::from(magnitude >= 1 << (7 * bytes - 1))
    })
}
