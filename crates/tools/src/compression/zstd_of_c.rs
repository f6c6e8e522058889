//! zstd by its own library, which is of C and several times as fast as the decoder in Rust.

use std::io::{self, BufRead, Read, Write};

use ::zstd::stream::read::Decoder;
use ::zstd::stream::write::Encoder;

/// The level of `zstd -19`.
const LEVEL: i32 = 19;

/// The largest window as a power of two, that of `zstd -d`.
const WINDOW: u32 = 27;

/// The decompressed bytes of all frames of a source.
pub(super) struct Frames<R>(Decoder<'static, R>);

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> io::Result<Self> {
        let mut decoder = Decoder::with_buffer(source)?;
        decoder.window_log_max(WINDOW)?;
        Ok(Self(decoder))
    }

    pub(super) fn into_inner(self) -> R {
        self.0.finish()
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

/// One frame with `file`, with its length and a checksum.
pub(super) fn compress(file: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = Encoder::new(Vec::new(), LEVEL)?;
    encoder.set_pledged_src_size(Some(file.len() as u64))?;
    encoder.include_checksum(true)?;
    encoder.write_all(file)?;
    encoder.finish()
}
