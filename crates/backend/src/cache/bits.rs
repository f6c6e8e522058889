//! Bit streams, lowest bit first.

use super::error::Damaged;

/// Appends bits to bytes.
///
/// ```text
///   bytes   before | whole bytes | `held` bits | room
///                                  at
/// ```
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// index of the first incomplete byte
    at: usize,
    pending: u64,
    held: u32,
}

impl<'a> BitWriter<'a> {
    /// Appends at most `most` bytes to `bytes`.
    pub(super) fn new(bytes: &'a mut Vec<u8>, most: usize) -> Self {
        let at = bytes.len();
        bytes.resize(at + most + 8, 0);
        Self {
            bytes,
            at,
            pending: 0,
            held: 0,
        }
    }

    /// Appends the lowest `count` bits, at most 56; higher bits must be 0.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.pending |= bits << self.held;
        self.held += count;
        // write all pending bits, also incomplete bytes, to avoid a branch that depends on the bits
        self.bytes[self.at..][..8].copy_from_slice(&self.pending.to_le_bytes());
        self.at += (self.held / 8) as usize;
        self.pending >>= self.held / 8 * 8;
        self.held %= 8;
    }

    /// Ends the stream after the current byte, padded with zeros.
    pub(super) fn finish(self) {
        let end = self.at + usize::from(self.held > 0);
        self.bytes.truncate(end);
    }
}

/// Reads bits from bytes.
///
/// ```text
///   bytes   read | read, not taken | not read
///                  window            at
///                  `held` bits of it, lowest first; what is above is either 0 or what comes next
/// ```
#[derive(Clone)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    window: u64,
    held: u32,
}

impl<'a> BitReader<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Self {
        Self {
            bytes,
            at: 0,
            window: 0,
            held: 0,
        }
    }

    /// Refills to at least 56 bits, or all that are left.
    #[inline(always)]
    pub(super) fn fill(&mut self) {
        let rest = &self.bytes[self.at..];
        let word = rest.first_chunk().map_or_else(
            || self.last_word(rest.len()),
            |word| u64::from_le_bytes(*word),
        );
        self.window |= word << self.held;
        let taken = ((63 - self.held) / 8).min(rest.len() as u32);
        self.at += taken as usize;
        self.held += 8 * taken;
    }

    /// The last `count` bytes, fewer than 8, zero-extended to a word. Policies are short, so their end
    /// matters for speed.
    #[inline(always)]
    fn last_word(&self, count: usize) -> u64 {
        if let Some(word) = self.bytes.last_chunk() {
            // two shifts, because a shift by 64 is invalid
            return u64::from_le_bytes(*word) >> 8 >> (8 * (7 - count));
        }
        let mut word = [0; 8];
        word[..count].copy_from_slice(&self.bytes[self.at..]);
        u64::from_le_bytes(word)
    }

    /// The next 32 bits, the first one lowest; zeros after the end.
    #[inline]
    pub(super) fn peek(&mut self) -> u32 {
        if self.held < 32 {
            self.fill();
        }
        self.window as u32
    }

    /// The next 32 bits as far as they are held. The caller calls [`fill`](Self::fill), and takes at most 56
    /// bits until the next call.
    #[inline(always)]
    pub(super) const fn seen(&self) -> u32 {
        self.window as u32
    }

    /// Skips `count` bits, at most 32.
    #[inline]
    pub(super) const fn take(&mut self, count: u32) -> Result<(), Damaged> {
        if count > self.held {
            return Err(Damaged("the bytes end within a policy"));
        }
        self.window >>= count;
        self.held -= count;
        Ok(())
    }

    /// Takes the next `count` bits, at most 32, the first one lowest.
    #[inline]
    pub(super) fn get(&mut self, count: u32) -> Result<u32, Damaged> {
        let bits = u64::from(self.peek()) & ((1 << count) - 1);
        self.take(count)?;
        Ok(bits as u32)
    }

    /// Number of bytes that are read at least in part.
    pub(super) const fn bytes_read(&self) -> usize {
        (8 * self.at - self.held as usize).div_ceil(8)
    }
}
