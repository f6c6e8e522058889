//! Finds the next chunk after damage.
//!
//! ```text
//!   chunk 1: 1 MiB as its header says     cut here, and another file appended
//!   BINP size  chain  chain  ch|BINP size  chain  chain  ..
//!                         ▲fault  ▲ the next chunk: reading goes on here
//! ```
//!
//! A chunk begins with `BINP` and an accepted size. In damaged data such eight bytes appear by chance once in
//! 10^11 bytes.

use std::io::{self, Cursor, Read};

use super::{HEADER, MAGIC, MAX_CHUNK};

/// Bytes that are read at once during a search.
const BLOCK: u64 = 1 << 16;

/// The offset of the first chunk in `bytes`. If the file goes on after them, their end may cut the header.
pub(super) fn begin(bytes: &[u8], goes_on: bool) -> Option<usize> {
    let is_header = |header: &[u8]| match header.split_first_chunk() {
        Some((magic, size)) => *magic == MAGIC && accepts(size),
        None => MAGIC.starts_with(header),
    };
    let last = if goes_on { 1 } else { HEADER };
    (0..(bytes.len() + 1).saturating_sub(last))
        .find(|&at| is_header(&bytes[at..bytes.len().min(at + HEADER)]))
}

/// Whether readers accept the size of a chunk. Its last bytes may be cut.
fn accepts(size: &[u8]) -> bool {
    size.first_chunk()
        .is_none_or(|size| u32::from_le_bytes(*size) <= MAX_CHUNK)
}

/// Input that takes bytes back, to read them again.
#[derive(Debug)]
pub(super) struct Rewind<R> {
    /// bytes to read before the rest of the input
    ahead: Cursor<Vec<u8>>,
    input: R,
}

impl<R: Read> Rewind<R> {
    pub(super) fn new(input: R) -> Self {
        let ahead = Cursor::default();
        Self { ahead, input }
    }

    /// Makes `bytes` the next bytes to be read.
    pub(super) fn put_back(&mut self, bytes: &[u8]) {
        let rest = &self.ahead.get_ref()[self.ahead.position() as usize..];
        self.ahead = Cursor::new([bytes, rest].concat());
    }

    /// Skips to the next chunk and returns the number of bytes before it. `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub(super) fn search(&mut self) -> io::Result<Option<u64>> {
        let (mut bytes, mut passed) = (Vec::new(), 0);
        loop {
            let read = self.by_ref().take(BLOCK).read_to_end(&mut bytes)?;
            let begin = begin(&bytes, read > 0);
            let is_whole = begin.is_some_and(|begin| bytes.len() - begin >= HEADER);
            if read > 0 && !is_whole {
                let passing = begin.unwrap_or(bytes.len());
                passed += passing as u64;
                bytes.drain(..passing);
                continue;
            }
            return Ok(begin.map(|begin| {
                self.put_back(&bytes[begin..]);
                passed + begin as u64
            }));
        }
    }
}

impl<R: Read> Read for Rewind<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.ahead.read(buffer)? {
            0 => self.input.read(buffer),
            read => Ok(read),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_found_across_blocks() {
        for before in [
            0,
            1,
            5,
            BLOCK as usize - 3,
            BLOCK as usize,
            3 * BLOCK as usize + 1,
        ] {
            let file = [&vec![b'B'; before], b"BINP\x02\0\0\0ab".as_slice()].concat();
            let mut input = Rewind::new(&file[..]);
            assert_eq!(input.search().unwrap(), Some(before as u64), "{before}");
            let mut rest = Vec::new();
            input.read_to_end(&mut rest).unwrap();
            assert_eq!(rest, b"BINP\x02\0\0\0ab");
        }
        assert_eq!(
            Rewind::new(&b"BIN BINP\xff\xff\xff\xff"[..])
                .search()
                .unwrap(),
            None
        );
    }

    #[test]
    fn bytes_that_are_put_back_come_first() {
        let mut input = Rewind::new(&b"ef"[..]);
        input.put_back(b"cd");
        input.put_back(b"ab");
        let mut all = String::new();
        input.read_to_string(&mut all).unwrap();
        assert_eq!(all, "abcdef");
    }
}
