//! Positions with policies: how often a search visited each move, as self-play programs write them.
//!
//! ```text
//!   record   0  [u8; 32]  the position with score and outcome, as marlinformat has it
//!           32  u16 LE    the move that was played, as viriformat has it; 0 if none
//!           34  u8        n, the moves with visits: at most 218, as many as a position can have
//!           35  u8        0
//!           36  n x (move: u16 LE  visits: u32 LE)
//! ```
//!
//! The format is this project's own; file names end with `.policy`. Visits may be any numbers proportional to
//! the probabilities to be learnt, for example the probabilities of another network times a million. A
//! position without visits has the played move as its policy.

use std::borrow::Borrow;
use std::io::{BufReader, Read, Write};

use crate::fixed::{Codec, SIZE, read_up_to};
use crate::marlin::PackedBoard;
use crate::viri::moves;
use crate::{Fault, Move, Place, ReadError, Record, Unit, WriteError};

/// The most moves of any position.
pub const MOST_MOVES: usize = 218;

/// Bytes of a record before its moves.
const HEAD: usize = 36;
/// Bytes of a move with its visits.
const VISIT: usize = 6;

/// A record with visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolicyRecord {
    /// the position and the move that was played
    pub record: Record,
    /// moves with their visits, in any order, each at most once
    pub visits: Box<[(Move, u32)]>,
    /// plies from here to the last position of the game, if they were computed; no format stores them
    pub left: Option<u32>,
}

impl From<Record> for PolicyRecord {
    /// A record of another format: its policy is its move.
    fn from(record: Record) -> Self {
        Self {
            record,
            visits: Box::default(),
            left: None,
        }
    }
}

impl Borrow<Record> for PolicyRecord {
    fn borrow(&self) -> &Record {
        &self.record
    }
}

/// Reads this format. It stops at a damaged record, because the start of the next one is uncertain.
#[derive(Debug)]
pub struct Reader<R> {
    input: BufReader<R>,
    count: u64,
    offset: u64,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            input: BufReader::with_capacity(1 << 16, input),
            count: 0,
            offset: 0,
            ended: false,
        }
    }

    fn read(&mut self) -> Result<Option<PolicyRecord>, ReadError> {
        let (begin, mut head) = (self.offset, [0; HEAD]);
        self.count += 1;
        match self.fill(&mut head)? {
            0 => return Ok(None),
            HEAD => {}
            found => return Err(self.cut(HEAD - found)),
        }
        let (board, rest) = head
            .split_first_chunk::<SIZE>()
            .expect("36 bytes begin with 32");
        let damaged = |fault| self.damaged(begin, fault);
        let mut record = PackedBoard::decode(board).map_err(damaged)?;
        let count = usize::from(rest[2]);
        if count > MOST_MOVES {
            return Err(damaged(Fault::Moves {
                found: count,
                limit: MOST_MOVES,
            }));
        }
        record.mv = match u16::from_le_bytes([rest[0], rest[1]]) {
            0 => None,
            bits => Some(possible(moves::unpack(bits), &record).map_err(damaged)?),
        };
        let (begin, mut visits, mut bytes) = (
            self.offset,
            Vec::with_capacity(count),
            [0; VISIT * MOST_MOVES],
        );
        let bytes = &mut bytes[..VISIT * count];
        let found = self.fill(bytes)?;
        if found < bytes.len() {
            return Err(self.cut(bytes.len() - found));
        }
        for &[low, high, a, b, c, d] in bytes.as_chunks::<VISIT>().0 {
            let mv = possible(moves::unpack(u16::from_le_bytes([low, high])), &record);
            let mv = mv.map_err(|fault| self.damaged(begin, fault))?;
            if visits.iter().any(|(other, _)| *other == mv) {
                return Err(self.damaged(begin, Fault::Repeated(mv)));
            }
            visits.push((mv, u32::from_le_bytes([a, b, c, d])));
        }
        Ok(Some(PolicyRecord {
            record,
            visits: visits.into(),
            left: None,
        }))
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<usize, ReadError> {
        let found = read_up_to(&mut self.input, bytes)?;
        self.offset += found as u64;
        Ok(found)
    }

    /// The error for a file that ends `missing` bytes too early.
    fn cut(&self, missing: usize) -> ReadError {
        self.damaged(
            self.offset,
            Fault::Cut {
                missing: missing as u64,
                unit: Unit::Record,
            },
        )
    }

    fn damaged(&self, offset: u64, fault: Fault) -> ReadError {
        ReadError::Damaged {
            place: Place {
                unit: Unit::Record,
                number: self.count,
                offset,
            },
            fault,
        }
    }
}

/// Returns `mv` if the pieces can make it.
fn possible(mv: Move, record: &Record) -> Result<Move, Fault> {
    Ok(record.position.play(mv).map(|_| mv)?)
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<PolicyRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read();
        self.ended = !matches!(next, Ok(Some(_)));
        next.transpose()
    }
}

/// Writes this format.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a record at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self { output }
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// If the output cannot be written; if there is no score, or a number does not fit; if a move cannot be
    /// made, or has visits twice. Nothing is written then.
    pub fn write(
        &mut self,
        PolicyRecord { record, visits, .. }: &PolicyRecord,
    ) -> Result<(), WriteError> {
        let board = PackedBoard::encode(record)?;
        if visits.len() > MOST_MOVES {
            let (found, limit) = (visits.len() as u64, MOST_MOVES as u64);
            return Err(WriteError::TooLarge {
                what: "the number of moves",
                found,
                limit,
            });
        }
        let refused = |mv| WriteError::Visits {
            mv,
            fen: record.fen(),
        };
        let mut bytes = board.to_vec();
        let played = record
            .mv
            .map(|mv| possible(mv, record).map_err(|_| refused(mv)))
            .transpose()?;
        bytes.extend(played.map_or(0, moves::pack).to_le_bytes());
        bytes.extend([visits.len() as u8, 0]);
        for (at, &(mv, count)) in visits.iter().enumerate() {
            if possible(mv, record).is_err() || visits[..at].iter().any(|(other, _)| *other == mv) {
                return Err(refused(mv));
            }
            bytes.extend(moves::pack(mv).to_le_bytes());
            bytes.extend(count.to_le_bytes());
        }
        Ok(self.output.write_all(&bytes)?)
    }

    /// Returns the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.output.flush()?;
        Ok(self.output)
    }
}
