//! FNV-1a of 64 bits, to detect accidental changes.

/// Hash of no bytes.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Continues a hash with more bytes.
#[must_use]
pub fn add(sum: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(sum, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
