//! Reads files, gzip or not, up to a size limit.

use std::io::{self, Read};
use std::path::Path;

use flate2::bufread::GzDecoder;
use nnue_data::files::{bounded, regular};

use super::error::WeightsError;

/// Size limit, uncompressed: 128 million two-byte numbers. The largest residual networks have 80 million.
pub(super) const LIMIT: u64 = 256 << 20;

/// The first bytes of gzip.
pub(super) const GZIP: [u8; 2] = [0x1F, 0x8B];

/// The raw bytes of a file.
pub(super) fn bytes_of(path: &Path) -> Result<Vec<u8>, WeightsError> {
    read(regular::read(path)?, LIMIT, WeightsError::Io, false)
}

/// The message in a file, decompressed if needed.
pub(super) fn message_of(file: &[u8]) -> Result<Option<Vec<u8>>, WeightsError> {
    if !file.starts_with(&GZIP) {
        return Ok(None);
    }
    let mut stream = GzDecoder::new(file);
    let bytes = read(&mut stream, LIMIT, WeightsError::Gzip, true)?;
    match stream.into_inner().len() {
        0 => Ok(Some(bytes)),
        more => Err(WeightsError::Trailing(more as u64)),
    }
}

/// Reads to the end, up to `limit` bytes.
fn read(
    from: impl Read,
    limit: u64,
    wrong: fn(io::Error) -> WeightsError,
    is_compressed: bool,
) -> Result<Vec<u8>, WeightsError> {
    let bytes = bounded::at_most(from, limit).map_err(wrong)?;
    bytes.ok_or(WeightsError::TooLong {
        limit,
        is_compressed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_beyond_the_limit() {
        let read = |limit, is_compressed| {
            read(
                io::repeat(0).take(100),
                limit,
                WeightsError::Io,
                is_compressed,
            )
        };
        assert_eq!(
            read(100, false).expect("as many as there may be").len(),
            100
        );
        let text = |result: Result<_, WeightsError>| result.expect_err("too many").to_string();
        assert_eq!(text(read(99, true)), "more than 99 bytes, uncompressed");
        assert_eq!(
            text(read(99, false)),
            "more than 99 bytes, and it is not compressed"
        );
    }
}
