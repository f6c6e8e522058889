//! Files of 32-byte records without a header.

use std::io::{BufReader, Read, Write};
use std::marker::PhantomData;

use crate::{Fault, Place, ReadError, Record, Unit, WriteError};

/// Bytes of a record.
pub(crate) const SIZE: usize = 32;

/// Encodes a record as 32 bytes.
pub trait Codec {
    /// Decodes a record.
    ///
    /// # Errors
    ///
    /// If the bytes are no valid record.
    fn decode(bytes: &[u8; SIZE]) -> Result<Record, Fault>;

    /// Encodes a record.
    ///
    /// # Errors
    ///
    /// If the format cannot express the record.
    fn encode(record: &Record) -> Result<[u8; SIZE], WriteError>;
}

/// Reads the records of a file. It continues after a damaged record.
#[derive(Debug)]
pub struct Reader<R, C> {
    input: BufReader<R>,
    count: u64,
    ended: bool,
    codec: PhantomData<C>,
}

impl<R: Read, C: Codec> Reader<R, C> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            count: 0,
            ended: false,
            codec: PhantomData,
        }
    }

    fn read(&mut self) -> Result<Option<Record>, ReadError> {
        let mut bytes = [0; SIZE];
        let found = read_up_to(&mut self.input, &mut bytes)?;
        if found == 0 {
            return Ok(None);
        }
        self.count += 1;
        let begin = (self.count - 1) * SIZE as u64;
        let damaged = |at, fault| {
            let place = Place {
                unit: Unit::Record,
                number: self.count,
                offset: begin + at,
            };
            ReadError::Damaged { place, fault }
        };
        if found < SIZE {
            let missing = (SIZE - found) as u64;
            return Err(damaged(
                found as u64,
                Fault::Cut {
                    missing,
                    unit: Unit::Record,
                },
            ));
        }
        C::decode(&bytes)
            .map(Some)
            .map_err(|fault| damaged(0, fault))
    }
}

/// Reads until `bytes` is full or the input ends, and returns the number of bytes read.
pub(crate) fn read_up_to(input: &mut impl Read, bytes: &mut [u8]) -> Result<usize, ReadError> {
    let mut found = 0;
    while found < bytes.len() {
        match input.read(&mut bytes[found..]) {
            Ok(0) => break,
            Ok(more) => found += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(found)
}

impl<R: Read, C: Codec> Iterator for Reader<R, C> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read();
        self.ended = matches!(next, Ok(None) | Err(ReadError::Io(_)));
        next.transpose()
    }
}

/// Writes records.
#[derive(Debug)]
pub struct Writer<W, C> {
    output: W,
    codec: PhantomData<C>,
}

impl<W: Write, C: Codec> Writer<W, C> {
    /// Writes to `output`, 32 bytes at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self {
            output,
            codec: PhantomData,
        }
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or the format cannot express the record. Nothing is written then.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        Ok(self.output.write_all(&C::encode(record)?)?)
    }

    /// Returns the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be flushed.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.output.flush()?;
        Ok(self.output)
    }
}
