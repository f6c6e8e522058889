//! Reads a binpack.

use std::io::Read;

use super::bits::BitReader;
use super::resync::Rewind;
use super::{HEADER, MAGIC, MAX_CHUNK, entry, resync, stem};
use crate::{Fault, Place, Position, ReadError, Record, Unit};

/// The most bytes of damaged chunks that are searched for other chunks: a hostile file could begin a chunk
/// every few bytes, each with a size that reaches to the end.
const MOST_SEARCHED: u64 = 16 << 30;

/// Reads the records of a binpack.
///
/// A fault is reported once, where it is found. Reading goes on with the next chunk, which may begin inside
/// the damaged one, for example where a file was cut and another appended. Without a next chunk, reading
/// ends. To keep all intact records, skip the errors. At most one chunk is in memory.
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
    input: Rewind<R>,
    chunk: Chunk,
    /// offset of the next chain in the chunk
    at: usize,
    /// offset of the chain before the current one, where the search for a lost chunk starts
    before: usize,
    /// offset of the current chain
    begin: usize,
    /// unread entries of the current chain
    chain: Option<Chain>,
    /// after a fault: the next chunk must be searched
    lost: bool,
    /// bytes of damaged chunks that were searched
    searched: u64,
    ended: bool,
}

/// The chains of a chunk.
#[derive(Debug, Default)]
struct Chunk {
    bytes: Vec<u8>,
    /// counted from 1
    number: u64,
    /// offset of the chains in the file
    offset: u64,
    /// bytes that the header announces and the file lacks
    missing: u64,
}

/// Entries that follow a record.
#[derive(Debug)]
struct Chain {
    before: Record,
    /// the position after the move of `before`
    position: Position,
    left: u16,
    bits: BitReader,
}

impl<R: Read> Reader<R> {
    /// Reads from `input` in large pieces; it needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            input: Rewind::new(input),
            chunk: Chunk::default(),
            at: 0,
            before: 0,
            begin: 0,
            chain: None,
            lost: false,
            searched: 0,
            ended: false,
        }
    }

    /// The file offset of the end of the current chunk.
    fn bytes_read(&self) -> u64 {
        self.chunk.offset + self.chunk.bytes.len() as u64
    }

    /// Reads the next chunk. `false` if there is none.
    fn next_chunk(&mut self) -> Result<bool, ReadError> {
        let begin = self.bytes_read();
        self.chunk.number += 1;
        (self.at, self.before, self.begin) = (0, 0, 0);
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
        let size = self.size(&header).inspect_err(|_| {
            // The first byte begins no chunk; the next may.
            self.chunk.offset += 1;
            self.input.put_back(&header[1..]);
        })?;
        self.read_chains(size)?;
        Ok(true)
    }

    /// The size in the header of a chunk.
    fn size(&self, header: &[u8]) -> Result<u32, ReadError> {
        let found = *header.first_chunk().unwrap_or(&MAGIC);
        if found != MAGIC {
            return Err(self.damaged(0, Fault::NoChunk { found }));
        }
        let Some(&size) = header.last_chunk().filter(|_| header.len() == HEADER) else {
            let missing = (HEADER - header.len()) as u64;
            let unit = Unit::Chunk;
            return Err(self.damaged(header.len(), Fault::Cut { missing, unit }));
        };
        let (found, limit) = (u32::from_le_bytes(size), MAX_CHUNK);
        if found > limit {
            return Err(self.damaged(MAGIC.len(), Fault::ChunkSize { found, limit }));
        }
        Ok(found)
    }

    fn read_chains(&mut self, size: u32) -> Result<(), ReadError> {
        self.chunk.offset += HEADER as u64;
        // memory grows with the bytes that exist, not with the size in the header
        let read = self
            .input
            .by_ref()
            .take(size.into())
            .read_to_end(&mut self.chunk.bytes)?;
        self.chunk.missing = u64::from(size) - read as u64;
        Ok(())
    }

    /// Reads the first record of the next chain, of which at least one byte should exist.
    fn next_stem(&mut self) -> Result<Record, ReadError> {
        let begin = self.at;
        (self.before, self.begin) = (self.begin, begin);
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

    /// Whether bytes of the current chunk are unread, present or missing.
    fn has_more(&self) -> bool {
        self.at < self.chunk.bytes.len() || self.chunk.missing > 0
    }

    /// Skips the rest of the chunk after an error, up to a chunk that begins inside it.
    fn leave(&mut self, error: &ReadError) {
        self.chain = None;
        self.lost = true;
        self.ended = matches!(error, ReadError::Io(_));
        let goes_on = std::mem::take(&mut self.chunk.missing) == 0;
        let damaged = &self.chunk.bytes[self.before..];
        self.searched += damaged.len() as u64;
        if self.searched <= MOST_SEARCHED
            && let Some(next) = resync::begin(damaged, goes_on)
        {
            let next = self.before + next;
            self.input.put_back(&self.chunk.bytes[next..]);
            self.chunk.bytes.truncate(next);
        }
        self.at = self.chunk.bytes.len();
    }

    /// Skips to the next chunk. `false` if there is none.
    fn find_chunk(&mut self) -> Result<bool, ReadError> {
        self.lost = false;
        let found = self.input.search()?;
        self.chunk.offset = self.bytes_read() + found.unwrap_or(0);
        self.chunk.bytes.clear();
        self.at = 0;
        Ok(found.is_some())
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
        if self.lost && !self.find_chunk()? {
            return Ok(None);
        }
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
