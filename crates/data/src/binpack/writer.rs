//! Writes a binpack.

use std::io::Write;

use super::bits::BitWriter;
use super::{MAGIC, entry, stem};
use crate::record::Next;
use crate::{Record, WriteError};

/// A chunk of at least this many bytes gets no further chain.
const FULL_CHUNK: usize = 1 << 20;

/// Writes records as a binpack. Records of a game should come in order: a record that is the position after
/// the move of the record before, with the expected ply and outcome, becomes an entry of about two bytes. Any
/// other begins a chain of 34 bytes.
///
/// Records from a [`Reader`](super::Reader) are written as the bytes that they were read from, if those
/// follow the same rules, as files of Stockfish's tools do.
///
/// ```
/// use nnue_data::{Move, Outcome, Record, binpack};
///
/// let position: nnue_data::Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse()?;
/// let mv = Some(Move::from_uci("e2e4", &position)?);
/// let record = Record { position, score: 120, outcome: Outcome::Win, ply: 0, mv };
///
/// let mut writer = binpack::Writer::new(Vec::new());
/// writer.write(&record)?;
/// let bytes = writer.finish()?;
/// let read: Result<Vec<Record>, _> = binpack::Reader::new(&bytes[..]).collect();
/// assert_eq!(read?, [record]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    /// the chains of the current chunk
    chunk: Vec<u8>,
    chain: Option<Chain>,
}

/// The last chain of the chunk, and the record that would continue it.
#[derive(Debug)]
struct Chain {
    next: Next,
    /// the score of the last record
    before: i16,
    /// entries so far
    count: u16,
    /// offset of their count in the chunk
    count_at: usize,
    bits: BitWriter,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a chunk at a time; it needs no buffer of its own.
    pub fn new(output: W) -> Self {
        Self {
            output,
            chunk: Vec::new(),
            chain: None,
        }
    }

    /// Appends a record. After an error, the records before it can still be finished.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, the ply is above 16383, or the position has Chess960 castling rights.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        if !self.continues(record) {
            self.begin(record)?;
        }
        Ok(())
    }

    /// Writes buffered records and returns the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.end_chunk()?;
        self.output.flush()?;
        Ok(self.output)
    }

    /// Appends the record as an entry, if possible.
    fn continues(&mut self, record: &Record) -> bool {
        let Some(chain) = &mut self.chain else {
            return false;
        };
        let follows = chain.count < u16::MAX && chain.next.is(record);
        let Some(mv) = record.mv.filter(|_| follows) else {
            return false;
        };
        let Some((piece, indices)) = entry::indices(&record.position, mv) else {
            return false;
        };
        let next = Next::after_move(record, mv, piece);
        entry::write(
            &mut chain.bits,
            &mut self.chunk,
            indices,
            record.score,
            chain.before,
        );
        chain.count += 1;
        self.chunk[chain.count_at..][..2].copy_from_slice(&chain.count.to_be_bytes());
        (chain.next, chain.before) = (next, record.score);
        true
    }

    /// Appends the record as a new chain.
    fn begin(&mut self, record: &Record) -> Result<(), WriteError> {
        self.chain = None;
        if self.chunk.len() >= FULL_CHUNK {
            self.end_chunk()?;
        }
        stem::write(record, &mut self.chunk)?;
        let count_at = self.chunk.len();
        self.chunk.extend([0; 2]);
        let chain = |next| Chain {
            next,
            before: record.score,
            count: 0,
            count_at,
            bits: BitWriter::default(),
        };
        self.chain = Next::after(record).map(chain);
        Ok(())
    }

    fn end_chunk(&mut self) -> Result<(), WriteError> {
        if self.chunk.is_empty() {
            return Ok(());
        }
        self.output.write_all(&MAGIC)?;
        self.output
            .write_all(&(self.chunk.len() as u32).to_le_bytes())?;
        self.output.write_all(&self.chunk)?;
        self.chunk.clear();
        self.chain = None;
        Ok(())
    }
}
