//! Sources and sinks of bytes: two small traits, to read from memory and write into it without the feature
//! `std`.

use alloc::vec::Vec;

use crate::error::{LoadError, WriteError};

pub(crate) trait Source {
    /// Reads the next bytes into the start of `out` and returns their number, which is 0 only at the end or
    /// if `out` is empty. `offset` is their position in the file, for errors.
    fn read(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, LoadError>;

    /// Passes over at most `bytes` bytes and returns their number, which is 0 only at the end or if `bytes` is.
    fn skip(&mut self, offset: u64, bytes: usize) -> Result<usize, LoadError> {
        let mut passed = [0; 4096];
        let bytes = bytes.min(passed.len());
        self.read(offset, &mut passed[..bytes])
    }
}

impl Source for &[u8] {
    fn read(&mut self, _: u64, out: &mut [u8]) -> Result<usize, LoadError> {
        let bytes = out.len().min(self.len());
        let (next, rest) = self.split_at(bytes);
        out[..bytes].copy_from_slice(next);
        *self = rest;
        Ok(bytes)
    }

    fn skip(&mut self, _: u64, bytes: usize) -> Result<usize, LoadError> {
        let bytes = bytes.min(self.len());
        *self = &self[bytes..];
        Ok(bytes)
    }
}

pub(crate) trait Sink {
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), WriteError>;

    /// Flushes buffered bytes. Called after the last byte.
    fn flush(&mut self) -> Result<(), WriteError>;
}

impl Sink for Vec<u8> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        self.extend_from_slice(bytes);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(())
    }
}

/// A reader of the standard library as a source.
#[cfg(feature = "std")]
pub(crate) struct Input<R>(pub(crate) R);

#[cfg(feature = "std")]
impl<R: std::io::Read> Source for Input<R> {
    fn read(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, LoadError> {
        loop {
            match self.0.read(out) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                // A broken reader may return more than the length of `out`.
                Ok(bytes) => return Ok(bytes.min(out.len())),
                Err(error) => return Err(LoadError::io(offset, error)),
            }
        }
    }
}

/// A writer of the standard library as a sink.
#[cfg(feature = "std")]
pub(crate) struct Output<W>(pub(crate) W);

#[cfg(feature = "std")]
impl<W: std::io::Write> Sink for Output<W> {
    fn write_all(&mut self, bytes: &[u8]) -> Result<(), WriteError> {
        Ok(self.0.write_all(bytes)?)
    }

    fn flush(&mut self) -> Result<(), WriteError> {
        Ok(self.0.flush()?)
    }
}
