//! Reading a binpack.

use std::io::Read;

use super::bits::BitReader;
use super::{MAGIC, MAX_CHUNK, entry, stem};
use crate::{Fault, Place, Position, ReadError, Record, Unit};

/// Bytes of the header of a chunk.
const HEADER: usize = 8;

/// The records of a binpack, one after the other.
///
/// A fault is reported once, where it is found. If it is inside a chunk that is there to its end, reading goes on with the next chunk, so
/// whoever wants to keep what is whole takes the records and leaves out the errors. After a fault that leaves no next chunk there is
/// nothing more. At most one chunk is in memory.
///
/// ```
/// use nnue_data::{Fault, ReadError, binpack::Reader};
///
/// let mut records = Reader::new(&b"not a binpack"[..]);
/// let error = records.next().expect("an error").unwrap_err();
/// assert_eq!(error.to_string(), "chunk 1, byte 0: `not ` instead of `BINP`, with which a chunk begins");
/// assert!(matches!(error, ReadError::Damaged { fault: Fault::NoChunk { .. }, .. }));
/// assert!(records.next().is_none());
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    chunk: Chunk,
    /// where the next chain begins, from the beginning of the chunk's chains
    at: usize,
    /// entries that are to be read before that
    chain: Option<Chain>,
    ended: bool,
}

/// The chains of a chunk.
#[derive(Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// counted from 1
    number: u64,
    /// where they begin in the file
    offset: u64,
    /// bytes that the chunk should have and the file does not
    missing: u64,
}

/// Entries that follow a record.
#[derive(Debug)]
struct Chain {
    before: Record,
    /// the position after the move of that record
    position: Position,
    left: u16,
    bits: BitReader,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, in large pieces: it needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            input,
            chunk: Chunk::default(),
            at: 0,
            chain: None,
            ended: false,
        }
    }

    /// Bytes of the file that have been read: those before the current chunk, and it.
    fn bytes_read(&self) -> u64 {
        self.chunk.offset + self.chunk.bytes.len() as u64
    }

    /// Reads the next chunk. `false` if there is none.
    fn next_chunk(&mut self) -> Result<bool, ReadError> {
        let begin = self.bytes_read();
        self.chunk.number += 1;
        self.at = 0;
        self.chunk.bytes.clear();
        self.chunk.offset = begin;
        let mut header = Vec::with_capacity(HEADER);
        self.input
            .by_ref()
            .take(HEADER as u64)
            .read_to_end(&mut header)?;
        if header.is_empty() {
            return Ok(false);
        }
        let found = *header.first_chunk().unwrap_or(&MAGIC);
        if found != MAGIC {
            return Err(self.damaged(0, Fault::NoChunk { found }));
        }
        let Some(&size) = header.last_chunk().filter(|_| header.len() == HEADER) else {
            let missing = (HEADER - header.len()) as u64;
            return Err(self.damaged(
                header.len(),
                Fault::Cut {
                    missing,
                    unit: Unit::Chunk,
                },
            ));
        };
        self.read_chains(u32::from_le_bytes(size))?;
        Ok(true)
    }

    fn read_chains(&mut self, size: u32) -> Result<(), ReadError> {
        if size > MAX_CHUNK {
            return Err(self.damaged(
                MAGIC.len(),
                Fault::ChunkSize {
                    found: size,
                    limit: MAX_CHUNK,
                },
            ));
        }
        self.chunk.offset += HEADER as u64;
        // memory grows with what is there, not with what the header says
        let read = self
            .input
            .by_ref()
            .take(size.into())
            .read_to_end(&mut self.chunk.bytes)?;
        self.chunk.missing = u64::from(size) - read as u64;
        Ok(())
    }

    /// The record at the beginning of the next chain, of which at least a byte should be there.
    fn next_stem(&mut self) -> Result<Record, ReadError> {
        let begin = self.at;
        let bytes = &self.chunk.bytes[begin..];
        let (Some(head), Some(&count)) = (
            bytes.first_chunk(),
            bytes.get(stem::SIZE..).and_then(<[u8]>::first_chunk),
        ) else {
            return Err(self.damaged(self.chunk.bytes.len(), Fault::ChainCut));
        };
        let left = u16::from_be_bytes(count);
        let (record, after) = stem::read(head).map_err(|fault| self.damaged(begin, fault))?;
        self.at += stem::SIZE + size_of_val(&count);
        if left > 0 {
            let position = after
                .ok_or(Fault::NullMove)
                .map_err(|fault| self.damaged(begin, fault))?;
            self.chain = Some(Chain {
                before: record,
                position,
                left,
                bits: BitReader::at(self.at),
            });
        }
        Ok(record)
    }

    /// Whether anything of the current chunk should still be read, there or missing.
    fn has_more(&self) -> bool {
        self.at < self.chunk.bytes.len() || self.chunk.missing > 0
    }

    /// Leaves out the rest of the chunk, or of the file, after an error.
    fn leave(&mut self, error: &ReadError) {
        self.chain = None;
        self.at = self.chunk.bytes.len();
        self.ended |= self.chunk.missing > 0
            || matches!(error, ReadError::Io(_))
            || self.chunk.bytes.is_empty();
        self.chunk.missing = 0;
    }

    #[cold]
    fn damaged(&self, at: usize, fault: Fault) -> ReadError {
        let missing = self.chunk.missing;
        let fault = if missing > 0 && fault == Fault::ChainCut {
            Fault::Cut {
                missing,
                unit: Unit::Chunk,
            }
        } else {
            fault
        };
        let place = Place {
            unit: Unit::Chunk,
            number: self.chunk.number,
            offset: self.chunk.offset + at as u64,
        };
        ReadError::Damaged { place, fault }
    }

    fn next_record(&mut self) -> Result<Option<Record>, ReadError> {
        if let Some(chain) = &mut self.chain {
            let record = match chain.next(&self.chunk.bytes) {
                Ok(record) => record,
                Err(fault) => {
                    let at = chain.bits.byte();
                    return Err(self.damaged(at, fault));
                }
            };
            if chain.left == 0 {
                self.at = chain.bits.end();
                self.chain = None;
            }
            return Ok(Some(record));
        }
        while !self.has_more() {
            if !self.next_chunk()? {
                return Ok(None);
            }
        }
        self.next_stem().map(Some)
    }
}

impl Chain {
    #[inline]
    fn next(&mut self, bytes: &[u8]) -> Result<Record, Fault> {
        let position = self.position;
        let (mv, piece) = entry::read_move(&mut self.bits, bytes, &position)?;
        let score = entry::read_score(&mut self.bits, bytes, self.before.score)?;
        let record = Record {
            position,
            score,
            outcome: self.before.outcome.flipped(),
            ply: self.before.ply + 1,
            mv: Some(mv),
        };
        self.position = position.after(mv, piece);
        self.before = record;
        self.left -= 1;
        Ok(record)
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.next_record();
        match &next {
            Ok(None) => self.ended = true,
            Ok(Some(_)) => {}
            Err(error) => self.leave(error),
        }
        next.transpose()
    }
}
