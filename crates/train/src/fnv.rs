//! FNV-1a, a sum of bytes that shows whether they have changed by accident.

/// The sum of no bytes.
pub(crate) const START: u64 = 0xcbf2_9ce4_8422_2325;

/// The sum of more bytes.
pub(crate) fn add(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
