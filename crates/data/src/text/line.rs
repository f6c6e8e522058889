//! One position a line: `FEN | score | outcome`, with score and outcome for White.
//!
//! ```text
//!   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 | 31 | 0.5
//! ```
//!
//! This is what [`Writer`] writes. [`Reader`] reads the layouts of other programs as well, one line at a time:
//!
//! ```text
//!   FEN;31;1/2-1/2           also with commas and tabs, and with outcome and score in the other order
//!   FEN [0.5] 31             as Ethereal writes it
//!   FEN c9 "1/2-1/2";        EPD: any operation with an outcome; `ce 31` is a score by the side to move
//!   fen,ply,score,result     a first line with names of columns: they may come in any order
//! ```
//!
//! An outcome is `1.0`, `0.5`, `0.0`; `1`, `1/2`, `0`; `1-0`, `1/2-1/2`, `0-1`; or `w`, `d`, `b`. Brackets and
//! quotes around it are read too. There is no move, and where the layout has no score, none. Empty lines are
//! skipped.

use std::io::{Read, Write};

use super::layout::{self, Columns, Parts};
use super::result::{self, Said};
use super::{LONGEST, Lines, number};
use crate::printable::shortened;
use crate::record::{ply_of, relative_score};
use crate::{Color, Fault, NO_SCORE, Outcome, ReadError, Record, WriteError, position};

const FORMAT: &str = "text";

/// Reads the records of a text. It continues after a wrong line.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    columns: Option<Columns>,
    /// whether a line has been read that is not empty
    is_begun: bool,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            columns: None,
            is_begun: false,
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let (columns, is_begun) = (&mut self.columns, &mut self.is_begun);
        self.lines.record(|line| {
            if line.is_empty() {
                return None;
            }
            if !std::mem::replace(is_begun, true) {
                *columns = Columns::named(line);
                if columns.is_some() {
                    return None;
                }
            }
            Some(record(columns.as_ref().map_or_else(
                || layout::parts(line),
                |columns| columns.parts(line),
            )))
        })
    }
}

fn record(parts: Parts<'_>) -> Result<Record, Fault> {
    let (position, move_number) = position::parse_fen(parts.fen)?;
    let color = position.side_to_move();
    let outcome = parts.outcome.ok_or(Fault::Missing(match parts.score {
        None => "` | score` after the FEN",
        Some(_) => "` | outcome` after the score",
    }))?;
    if let Some(more) = parts.more {
        return Err(Fault::Word {
            found: shortened(more),
            expected: "the end of the line",
        });
    }
    let score = match parts.score {
        None => NO_SCORE,
        Some(text) => {
            let score = number(text, "a score from -32768 to 32767")?;
            let is_own = parts.by_mover || color == Color::White;
            if is_own {
                score
            } else {
                relative_score(score, color).ok_or(Fault::Score)?
            }
        }
    };
    Ok(Record {
        position,
        score,
        outcome: outcome_of(outcome)?.relative_to(color),
        ply: ply_of(move_number, color),
        mv: None,
    })
}

fn outcome_of(text: &str) -> Result<Outcome, Fault> {
    match result::read(text) {
        Some(Said::Outcome(outcome)) => Ok(outcome),
        Some(Said::Between) => Err(Fault::Between(shortened(text))),
        None => Err(Fault::Word {
            found: shortened(text),
            expected: "the outcome for White, 1.0, 0.5 or 0.0",
        }),
    }
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
