//! zstd in Rust: frames one after the other, each with the checksum that it announces.

use std::io::{self, BufRead, Read};

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The largest window, that of `zstd -d`, in bytes.
const WINDOW: u64 = 128 << 20;

/// The decompressed bytes of all frames of `source`.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// whether `decoder` is in a frame
    in_frame: bool,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> io::Result<Self> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW);
        Ok(Self {
            source,
            decoder,
            in_frame: false,
        })
    }

    pub(super) fn into_inner(self) -> R {
        self.source
    }

    /// Reads the header of the next frame with contents; false at the end of the source.
    fn next_frame(&mut self) -> io::Result<bool> {
        while !self.source.fill_buf()?.is_empty() {
            match self.decoder.reset(&mut self.source) {
                Ok(()) => return Ok(true),
                Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                    length,
                    ..
                })) => self.skip(length.into())?,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        Ok(false)
    }

    /// Passes over the contents of a frame that is to be skipped.
    fn skip(&mut self, length: u64) -> io::Result<()> {
        let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
        if skipped < length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(())
    }

    fn check(&self) -> io::Result<()> {
        let announced = self.decoder.get_checksum_from_data();
        if announced.is_some() && announced != self.decoder.get_calculated_checksum() {
            return Err(io::Error::other("its checksum is another"));
        }
        Ok(())
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.decoder.can_collect() == 0 && !buffer.is_empty() {
            if self.in_frame && self.decoder.is_finished() {
                self.check()?;
                self.in_frame = false;
            }
            if !self.in_frame {
                self.in_frame = self.next_frame()?;
                if !self.in_frame {
                    return Ok(0);
                }
            }
            if !self.decoder.is_finished() {
                self.decoder
                    .decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1))
                    .map_err(io::Error::other)?;
            }
        }
        self.decoder.read(buffer)
    }
}

/// One frame with `file`.
pub(super) fn compress(file: &[u8]) -> io::Result<Vec<u8>> {
    Ok(compress_to_vec(file, CompressionLevel::Fastest))
}
