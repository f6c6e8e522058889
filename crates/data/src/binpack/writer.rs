//! Writing a binpack.

use std::io::Write;

use super::bits::BitWriter;
use super::{MAGIC, entry, stem};
use crate::record::Next;
use crate::{Record, WriteError};

/// A chunk that has as many bytes gets no further chain.
const FULL_CHUNK: usize = 1 << 20;

/// Writes records as a binpack. Those of a game are to come in their order: each that is the position after the move of the one before,
/// with the ply and outcome that follow, becomes an entry of about two bytes, any other begins a chain of 34 bytes.
///
/// What a [`Reader`](super::Reader) has read is written as the bytes that it was read from, if those were written by the same rules, as
/// files of Stockfish's tools are.
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
    /// the chains of the chunk that is not full
    chunk: Vec<u8>,
    chain: Option<Chain>,
}

/// The last chain of the chunk, and what continues it.
#[derive(Debug)]
struct Chain {
    next: Next,
    /// the last score
    before: i16,
    /// entries
    count: u16,
    /// where their number stands
    count_at: usize,
    bits: BitWriter,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a chunk at a time: it needs no buffer of its own.
    pub fn new(output: W) -> Self {
        Self {
            output,
            chunk: Vec::new(),
            chain: None,
        }
    }

    /// Appends a record. If it fails, the records before it can still be finished.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, the ply is above 16383, or the position has castling rights that only Chess960 has.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        if !self.continues(record) {
            self.begin(record)?;
        }
        Ok(())
    }

    /// Writes what is left, and returns the output.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.end_chunk()?;
        self.output.flush()?;
        Ok(self.output)
    }

    /// Appends the record as an entry, if it can be one.
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
