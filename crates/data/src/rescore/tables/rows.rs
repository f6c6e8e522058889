//! Reads the rows of a table as records.

use crate::{Fault, Move, NO_SCORE, Outcome, Place, ReadError, Record, Unit};
use arrow_array::RecordBatch;

use super::columns::{Columns, OUTCOME, RESULT};
use crate::tables::values::{Texts, numbers};

/// The largest ply: FENs have no larger move number.
const MOST_PLIES: i64 = 1_000_000_000;

/// Reads batches row by row. It continues after a wrong row, and ends after a wrong batch.
pub(super) struct Rows<B> {
    batches: B,
    columns: Columns,
    /// for rows without an outcome
    outcome: Option<Outcome>,
    batch: Option<Batch>,
    /// rows read so far, of the whole table
    number: u64,
}

/// The columns of a batch.
struct Batch {
    /// the next row
    row: usize,
    rows: usize,
    fen: Texts,
    score: Option<Vec<Option<i64>>>,
    outcome: Option<Vec<Option<i64>>>,
    result: Option<Texts>,
    ply: Option<Vec<Option<i64>>>,
    mv: Option<Texts>,
}

impl<B> Rows<B> {
    pub(super) fn new(batches: B, columns: Columns, outcome: Option<Outcome>) -> Self {
        Self {
            batches,
            columns,
            outcome,
            batch: None,
            number: 0,
        }
    }

    /// Numbers the rows as if `number` rows of the table came before.
    pub(super) fn after(self, number: u64) -> Self {
        Self { number, ..self }
    }

    fn damaged(&self, fault: Fault) -> ReadError {
        ReadError::Damaged {
            place: Place {
                unit: Unit::Row,
                number: self.number,
                offset: 0,
            },
            fault,
        }
    }
}

/// A batch, or the error that ends the file.
pub(super) type Batches = Result<RecordBatch, ReadError>;

/// The error of a batch; [`Rows`] fills in its place.
pub(super) fn unreadable(reason: String) -> ReadError {
    ReadError::Damaged {
        place: Place {
            unit: Unit::Row,
            number: 0,
            offset: 0,
        },
        fault: Fault::Unreadable(reason),
    }
}

impl<B: Iterator<Item = Batches>> Iterator for Rows<B> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(batch) = self.batch.as_mut().filter(|batch| batch.row < batch.rows) {
                let record = batch.record(self.outcome);
                batch.row += 1;
                self.number += 1;
                return Some(record.map_err(|fault| self.damaged(fault)));
            }
            match self.batches.next()? {
                Ok(batch) => self.batch = Some(Batch::new(&batch, &self.columns)),
                Err(ReadError::Damaged { fault, .. }) => {
                    self.number += 1;
                    return Some(Err(self.damaged(fault)));
                }
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Batch {
    fn new(batch: &RecordBatch, columns: &Columns) -> Self {
        let texts = |column: usize| Texts::of(batch.column(column));
        let integers = |column: usize| numbers(batch.column(column));
        Self {
            row: 0,
            rows: batch.num_rows(),
            fen: texts(columns.fen),
            score: columns.score.map(integers),
            outcome: columns.outcome.map(integers),
            result: columns.result.map(texts),
            ply: columns.ply.map(integers),
            mv: columns.mv.map(texts),
        }
    }

    /// The record of the next row. Without a column of scores, positions get scores like all others.
    fn record(&self, outcome: Option<Outcome>) -> Result<Record, Fault> {
        let row = self.row;
        let fen = self.fen.get(row).ok_or(Fault::Missing("`fen`"))?;
        let mut record = Record::of_fen(fen, outcome.unwrap_or(Outcome::Draw))?;
        record.score = match &self.score {
            None => 0,
            Some(scores) => scores[row].map_or(Ok(NO_SCORE), score)?,
        };
        record.outcome =
            self.outcome(&record)?
                .or(outcome)
                .ok_or(Fault::Missing(match self.outcome {
                    Some(_) => "`outcome`",
                    None => "`result`",
                }))?;
        if let Some(ply) = self.ply.as_ref().and_then(|plies| plies[row]) {
            record.ply = number(ply, 0, MOST_PLIES, "a ply from 0 to 1000000000")? as u32;
        }
        if let Some(text) = self.mv.as_ref().and_then(|moves| moves.get(row)) {
            let mv = Move::from_uci(text, &record.position)?;
            record.position.play(mv)?;
            record.mv = Some(mv);
        }
        Ok(record)
    }

    /// The outcome of the game in the next row, if there is one.
    fn outcome(&self, record: &Record) -> Result<Option<Outcome>, Fault> {
        if let Some(code) = self
            .outcome
            .as_ref()
            .and_then(|outcomes| outcomes[self.row])
        {
            return of_code(code).map(Some);
        }
        let text = self
            .result
            .as_ref()
            .and_then(|results| results.get(self.row));
        let for_white = text.map(of_result).transpose()?;
        Ok(for_white.map(|outcome| outcome.relative_to(record.position.side_to_move())))
    }
}

fn of_code(code: i64) -> Result<Outcome, Fault> {
    match code {
        1 => Ok(Outcome::Win),
        0 => Ok(Outcome::Draw),
        -1 => Ok(Outcome::Loss),
        _ => Err(Fault::Word {
            found: format!("{OUTCOME} {code}"),
            expected: "1, 0 or -1",
        }),
    }
}

fn of_result(text: &str) -> Result<Outcome, Fault> {
    match text {
        "1-0" => Ok(Outcome::Win),
        "1/2-1/2" => Ok(Outcome::Draw),
        "0-1" => Ok(Outcome::Loss),
        _ => {
            let text: String = text.chars().take(20).collect();
            Err(Fault::Word {
                found: format!("{RESULT} {text}"),
                expected: "1-0, 1/2-1/2 or 0-1",
            })
        }
    }
}

fn score(found: i64) -> Result<i16, Fault> {
    number(
        found,
        i16::MIN.into(),
        i16::MAX.into(),
        "a score from -32768 to 32767",
    )
    .map(|score| score as i16)
}

fn number(found: i64, least: i64, most: i64, expected: &'static str) -> Result<i64, Fault> {
    if (least..=most).contains(&found) {
        Ok(found)
    } else {
        Err(Fault::Word {
            found: found.to_string(),
            expected,
        })
    }
}
