//! Writes games.

use std::io::Write;

use super::{END, moves};
use crate::record::Next;
use crate::{Record, WriteError, marlin};

const FORMAT: &str = "viriformat";

/// Writes records as games. Records of a game should come in order: one that does not follow the record
/// before begins a new game.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    /// the expected next record of the open game
    next: Option<Next>,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, 4 bytes at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self { output, next: None }
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// If the output cannot be written; if the record has no score or no possible move, or a number that does
    /// not fit. Nothing is written then.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        record.score().ok_or(WriteError::NoScore(FORMAT))?;
        let score = record.white_score().ok_or(WriteError::Score(FORMAT))?;
        let (Some(mv), Some(next)) = (record.mv, Next::after(record)) else {
            return Err(WriteError::NoMove(FORMAT));
        };
        if !self.next.is_some_and(|next| next.is(record)) {
            let start = marlin::encode_board(record)?;
            self.end_game()?;
            self.output.write_all(&start)?;
        }
        self.output.write_all(&moves::pack(mv).to_le_bytes())?;
        self.output.write_all(&score.to_le_bytes())?;
        self.next = Some(next);
        Ok(())
    }

    /// Ends the last game, and returns the output.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn finish(mut self) -> Result<W, WriteError> {
        self.end_game()?;
        self.output.flush()?;
        Ok(self.output)
    }

    fn end_game(&mut self) -> Result<(), WriteError> {
        if self.next.take().is_some() {
            self.output.write_all(&END)?;
        }
        Ok(())
    }
}
