//! Bits, the lowest of a byte first.

use super::error::Damaged;

/// Bits on their way into bytes.
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    pending: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(bytes: &'a mut Vec<u8>) -> Self {
        Self { bytes, pending: 0, count: 0 }
    }

    /// Adds the lowest `count` bits, at most 32, of which no others are set.
    pub(super) fn put(&mut self, bits: u32, count: u32) {
        self.pending |= u64::from(bits) << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.pending as u8);
            self.pending >>= 8;
            self.count -= 8;
        }
    }

    /// Fills the last byte with zeros.
    pub(super) fn finish(self) {
        if self.count > 0 {
            self.bytes.push(self.pending as u8);
        }
    }
}

/// Bits out of bytes.
#[derive(Clone)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(super) fn bit(&mut self) -> Result<u32, Damaged> {
        let byte = self.bytes.get(self.at / 8).ok_or(Damaged("the bytes end within a policy"))?;
        let bit = byte >> (self.at % 8) & 1;
        self.at += 1;
        Ok(bit.into())
    }

    /// The next `count` bits, at most 32, the first of them lowest.
    pub(super) fn get(&mut self, count: u32) -> Result<u32, Damaged> {
        (0..count).try_fold(0, |bits, shift| Ok(bits | self.bit()? << shift))
    }

    /// Bytes that were begun.
    pub(super) const fn bytes_read(&self) -> usize {
        self.at.div_ceil(8)
    }
}
