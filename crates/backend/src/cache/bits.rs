//! Bits, the lowest of a byte first.

use super::error::Damaged;

/// Bits on their way into bytes.
///
/// ```text
///   bytes   before | whole bytes | `held` bits | room
///                                  at
/// ```
pub(super) struct BitWriter<'a> {
    bytes: &'a mut Vec<u8>,
    /// where the first byte is that is not whole
    at: usize,
    pending: u64,
    held: u32,
}

impl<'a> BitWriter<'a> {
    /// Appends to `bytes`, at most `most` bytes.
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

    /// Adds the lowest `count` bits, at most 56, of which no others are set.
    #[inline(always)]
    pub(super) fn put(&mut self, bits: u64, count: u32) {
        self.pending |= bits << self.held;
        self.held += count;
        // all that is there, also what is not whole: no branch that depends on the bits
        self.bytes[self.at..][..8].copy_from_slice(&self.pending.to_le_bytes());
        self.at += (self.held / 8) as usize;
        self.pending >>= self.held / 8 * 8;
        self.held %= 8;
    }

    /// Ends after the last byte that was begun; the rest of its bits are zeros.
    pub(super) fn finish(self) {
        let end = self.at + usize::from(self.held > 0);
        self.bytes.truncate(end);
    }
}

/// Bits out of bytes.
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

    /// Holds at least 56 bits, or all that are left.
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

    /// The last `count` bytes, fewer than 8, as a word with zeros above: a policy is short, so its end is a good part of it.
    #[inline(always)]
    fn last_word(&self, count: usize) -> u64 {
        if let Some(word) = self.bytes.last_chunk() {
            // two shifts, because one by all 64 bits is none
            return u64::from_le_bytes(*word) >> 8 >> (8 * (7 - count));
        }
        let mut word = [0; 8];
        word[..count].copy_from_slice(&self.bytes[self.at..]);
        u64::from_le_bytes(word)
    }

    /// The next 32 bits, the first of them lowest; zeros after the end.
    #[inline]
    pub(super) fn peek(&mut self) -> u32 {
        if self.held < 32 {
            self.fill();
        }
        self.window as u32
    }

    /// The next 32 bits as far as they are held: for whoever has called [`fill`](Self::fill), and takes no more than 56 bits before the next time.
    #[inline(always)]
    pub(super) const fn seen(&self) -> u32 {
        self.window as u32
    }

    /// Goes on after `count` bits, at most 32, that were seen.
    #[inline]
    pub(super) const fn take(&mut self, count: u32) -> Result<(), Damaged> {
        if count > self.held {
            return Err(Damaged("the bytes end within a policy"));
        }
        self.window >>= count;
        self.held -= count;
        Ok(())
    }

    /// The next `count` bits, at most 32, the first of them lowest.
    #[inline]
    pub(super) fn get(&mut self, count: u32) -> Result<u32, Damaged> {
        let bits = u64::from(self.peek()) & ((1 << count) - 1);
        self.take(count)?;
        Ok(bits as u32)
    }

    /// Bytes of which a bit was taken.
    pub(super) const fn bytes_read(&self) -> usize {
        (8 * self.at - self.held as usize).div_ceil(8)
    }
}
