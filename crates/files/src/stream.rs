//! A buffered source of bytes. Its buffer fits in the second-level cache.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec;

use crate::error::{LoadError, LoadErrorKind};
use crate::io::Source;

/// Bytes that are read at a time: enough to make system calls rare, few enough for a cache of 512 KiB.
const CHUNK: usize = 128 * 1024;

/// A buffered source that tracks its offset.
pub(crate) struct Stream<'r> {
    source: &'r mut dyn Source,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
    offset: u64,
}

impl<'r> Stream<'r> {
    pub(crate) fn new(source: &'r mut dyn Source) -> Self {
        Self {
            source,
            buffer: vec![0; CHUNK].into_boxed_slice(),
            start: 0,
            end: 0,
            offset: 0,
        }
    }

    /// The file offset of the next byte.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// The unconsumed bytes of the buffer.
    pub(crate) fn buffered(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    pub(crate) fn consume(&mut self, bytes: usize) {
        self.start += bytes;
        self.offset += bytes as u64;
        debug_assert!(self.start <= self.end);
    }

    /// Reads until the buffer is full or the source ends. If fewer than 128 KiB are buffered afterwards, the
    /// source has ended.
    pub(crate) fn fill(&mut self) -> Result<(), LoadError> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        while self.end < CHUNK {
            let offset = self.offset + self.end as u64;
            match self.source.read(offset, &mut self.buffer[self.end..])? {
                0 => break,
                bytes => self.end += bytes,
            }
        }
        Ok(())
    }

    /// Whether the source has no more than what is buffered, after [`fill`](Self::fill).
    pub(crate) fn has_ended(&self) -> bool {
        self.buffered().len() < CHUNK
    }

    /// Buffers at least `bytes` bytes, if the source has them. `bytes` is at most 128 KiB.
    pub(crate) fn need(&mut self, bytes: usize) -> Result<&[u8], LoadError> {
        if self.end - self.start < bytes {
            self.fill()?;
        }
        Ok(self.buffered())
    }

    /// Fills `out` from the buffer and then directly from the source. Returns the number of bytes, which is
    /// smaller only at the end of the source.
    pub(crate) fn read_into(&mut self, out: &mut [u8]) -> Result<usize, LoadError> {
        let mut done = out.len().min(self.end - self.start);
        out[..done].copy_from_slice(&self.buffer[self.start..self.start + done]);
        self.consume(done);
        while done < out.len() {
            match self.source.read(self.offset, &mut out[done..])? {
                0 => break,
                bytes => {
                    done += bytes;
                    self.offset += bytes as u64;
                }
            }
        }
        Ok(done)
    }

    /// Passes over `bytes` bytes. Returns their number, which is smaller only at the end of the source.
    pub(crate) fn skip(&mut self, bytes: usize) -> Result<usize, LoadError> {
        let mut done = bytes.min(self.end - self.start);
        self.consume(done);
        while done < bytes {
            match self.source.skip(self.offset, bytes - done)? {
                0 => break,
                skipped => {
                    done += skipped;
                    self.offset += skipped as u64;
                }
            }
        }
        Ok(done)
    }

    /// The offset of the end of a source whose last number is cut.
    pub(crate) fn end(&mut self) -> Result<u64, LoadError> {
        self.fill()?;
        Ok(self.offset + self.buffered().len() as u64)
    }

    /// Reads a little-endian word. `what` names it in the error if the file ends here.
    pub(crate) fn word(&mut self, what: &str) -> Result<u32, LoadError> {
        let at = self.offset;
        let mut word = [0; 4];
        match self.read_into(&mut word)? {
            4 => Ok(u32::from_le_bytes(word)),
            found => Err(truncated(what, at, 4, found as u64)),
        }
    }
}

/// The error for a file that has only `found` of the `needed` bytes of `what` at `offset`.
pub(crate) fn truncated(what: &str, offset: u64, needed: u64, found: u64) -> LoadError {
    let message = format!(
        "{what} needs {needed} {} from offset {offset} on, the file has {found} of them: copy or download it again",
        if needed == 1 { "byte" } else { "bytes" },
    );
    LoadError::new(LoadErrorKind::Truncated, offset + found, message).with_values(needed, found)
}
