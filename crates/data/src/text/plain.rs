//! Six lines a position, the plain format of Stockfish's tools. Score and outcome (-1, 0, 1) are for the side
//! to move.
//!
//! ```text
//!   fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
//!   move e2e4
//!   score 31
//!   ply 0
//!   result 0
//!   e
//! ```
//!
//! The lines between `fen` and `e` may come in any order; `move` and `ply` may be missing. The score 32002
//! means no score.

use std::io::{Read, Write};

use super::{LONGEST, Lines, number};
use crate::printable::shortened;
use crate::record::ply_of;
use crate::{Fault, Move, Outcome, Position, ReadError, Record, WriteError, position};

/// Reads the records of a text. After a fault it continues with the next `fen`.
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    /// after a fault: lines up to the next `fen` are skipped
    leaving: bool,
    ended: bool,
}

/// The largest ply: FENs have no larger move number.
const MAX_PLY: u32 = 1_000_000_000;

/// The fields of a record that have been read.
#[derive(Debug, Default)]
struct Draft {
    position: Option<Position>,
    mv: Option<Move>,
    score: Option<i16>,
    ply: Option<u32>,
    outcome: Option<Outcome>,
}

impl<R: Read> Reader<R> {
    /// Reads from `input`, which needs no buffer of its own.
    pub fn new(input: R) -> Self {
        Self {
            lines: Lines::new(input, LONGEST),
            leaving: false,
            ended: false,
        }
    }

    fn read(&mut self) -> Result<Option<Record>, ReadError> {
        let mut draft = Draft::default();
        let mut is_begun = false;
        while let Some(line) = self.lines.next()? {
            let (key, value) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            if key.is_empty() || (self.leaving && key != "fen") {
                continue;
            }
            self.leaving = false;
            is_begun = true;
            let read = if line == "e" {
                draft.record().map(Some)
            } else {
                draft.add(key, value.trim()).map(|()| None)
            };
            match read {
                Ok(None) => {}
                Ok(record) => return Ok(record),
                Err(fault) => return Err(self.damaged(fault)),
            }
        }
        if is_begun {
            Err(self.damaged(Fault::Missing("`e`, which ends a position,")))
        } else {
            Ok(None)
        }
    }

    fn damaged(&mut self, fault: Fault) -> ReadError {
        self.leaving = true;
        ReadError::Damaged {
            place: self.lines.place(),
            fault,
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let next = self.read();
        self.ended = matches!(next, Ok(None) | Err(ReadError::Io(_)));
        self.leaving |= next.is_err();
        next.transpose()
    }
}

impl Draft {
    fn add(&mut self, key: &str, value: &str) -> Result<(), Fault> {
        match key {
            "fen" if self.position.is_some() => {
                return Err(Fault::Missing("`e`, which ends the position before,"));
            }
            "fen" => {
                let (position, number) = position::parse_fen(value)?;
                *self = Self {
                    ply: Some(ply_of(number, position.side_to_move())),
                    position: Some(position),
                    ..Self::default()
                };
            }
            "move" => {
                let position = self
                    .position
                    .ok_or(Fault::Missing("`fen`, which comes first,"))?;
                let mv = Move::from_uci(value, &position)?;
                position.play(mv)?;
                self.mv = Some(mv);
            }
            "score" => self.score = Some(number(value, "a score from -32768 to 32767")?),
            "ply" => {
                let expected = "a ply from 0 to 1000000000";
                let ply = number(value, expected)?;
                if ply > MAX_PLY {
                    return Err(Fault::Word {
                        found: shortened(value),
                        expected,
                    });
                }
                self.ply = Some(ply);
            }
            "result" => self.outcome = Some(outcome(value)?),
            _ => {
                let found = shortened(key);
                return Err(Fault::Word {
                    found,
                    expected: "`fen`, `move`, `score`, `ply`, `result` or `e`",
                });
            }
        }
        Ok(())
    }

    fn record(&self) -> Result<Record, Fault> {
        Ok(Record {
            position: self.position.ok_or(Fault::Missing("`fen`"))?,
            score: self.score.ok_or(Fault::Missing("`score`"))?,
            outcome: self.outcome.ok_or(Fault::Missing("`result`"))?,
            ply: self.ply.ok_or(Fault::Missing("`fen`"))?,
            mv: self.mv,
        })
    }
}

fn outcome(text: &str) -> Result<Outcome, Fault> {
    match text {
        "1" => Ok(Outcome::Win),
        "0" => Ok(Outcome::Draw),
        "-1" => Ok(Outcome::Loss),
        _ => Err(Fault::Word {
            found: shortened(text),
            expected: "the outcome for the side to move, 1, 0 or -1",
        }),
    }
}

/// Writes records, six lines each; five if there is no move.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// Writes to `output`, a line at a time: give it a buffer.
    pub const fn new(output: W) -> Self {
        Self { output }
    }

    /// Appends a record.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub fn write(&mut self, record: &Record) -> Result<(), WriteError> {
        let output = &mut self.output;
        writeln!(output, "fen {}", record.fen())?;
        if let Some(mv) = record.mv {
            writeln!(output, "move {}", mv.to_uci(&record.position))?;
        }
        let outcome = record.outcome as i8 - Outcome::Draw as i8;
        Ok(writeln!(
            output,
            "score {}\nply {}\nresult {outcome}\ne",
            record.score, record.ply
        )?)
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
