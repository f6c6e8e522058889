//! One position a line: `FEN | score | outcome`, with score and outcome for White.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 31 | 0.5
//! ```
//!
//! The outcome is `1.0`, `0.5` or `0.0`; `1`, `1/2`, `0` and brackets around them are read too. There is no
//! move. Empty lines are skipped.

use std::io::{Read, Write};

use super::{Lines, number};
use crate::printable::shortened;
use crate::record::{ply_of, relative_score};
use crate::{Fault, Outcome, ReadError, Record, WriteError, position};

const FORMAT: &str = "text";

/// Reads the records of a text. It continues after a wrong line.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input),
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.lines
            .record(|line| (!line.is_empty()).then(|| record(line)))
    }
}

fn record(line: &str) -> Result<Record, Fault> {
    let mut fields = line.split('|').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let score = fields
        .next()
        .ok_or(Fault::Missing("` | score` after the FEN"))?;
    let outcome = fields
        .next()
        .ok_or(Fault::Missing("` | outcome` after the score"))?;
    if let Some(more) = fields.next() {
        return Err(Fault::Word {
            found: shortened(more),
            expected: "the end of the line",
        });
    }
    let (position, move_number) = position::parse_fen(fen)?;
    let color = position.side_to_move();
    let score = relative_score(number(score, "a score from -32768 to 32767")?, color)
        .ok_or(Fault::Score)?;
    let outcome = match outcome.trim_start_matches('[').trim_end_matches(']') {
        "1.0" | "1" => Outcome::Win,
        "0.5" | "1/2" => Outcome::Draw,
        "0.0" | "0" => Outcome::Loss,
        _ => {
            return Err(Fault::Word {
                found: shortened(outcome),
                expected: "the outcome for White, 1.0, 0.5 or 0.0",
            });
        }
    };
    Ok(Record {
        position,
        score,
        outcome: outcome.relative_to(color),
        ply: ply_of(move_number, color),
        mv: None,
    })
}

/// Writes records, one a line.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    line: String,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a line at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self {
            output,
            line: String::new(),
        }
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// If the output cannot be written, or the record has no score, or -32768 with Black to move.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        record.score().ok_or(WriteError::NoScore(FORMAT))?;
        let score = record.white_score().ok_or(WriteError::Score(FORMAT))?;
        let outcome = match record.outcome.relative_to(record.position.side_to_move()) {
            Outcome::Win => "1.0",
            Outcome::Draw => "0.5",
            Outcome::Loss => "0.0",
        };
        self.line.clear();
        record.write_fen(&mut self.line);
        self.line.push_str(" | ");
        position::push_number(&mut self.line, score.into());
        [" | ", outcome, "\n"]
            .into_iter()
            .for_each(|word| self.line.push_str(word));
        Ok(self.output.write_all(self.line.as_bytes())?)
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
