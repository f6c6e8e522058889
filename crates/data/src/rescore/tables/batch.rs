//! Records as columns.

use std::sync::Arc;

use crate::{Outcome, Record, WriteError};
use arrow_array::RecordBatch;
use arrow_array::builder::{Int8Builder, Int16Builder, Int32Builder, StringBuilder};

use super::schema::SCHEMA;
use super::{arrow, parquet};
use crate::rescore::error::Error;
use crate::rescore::format::TableFormat;

/// The rows of a block.
pub(crate) struct Table {
    format: TableFormat,
    /// buffer for a FEN
    text: String,
    fen: StringBuilder,
    score: Int16Builder,
    outcome: Int8Builder,
    ply: Int32Builder,
    mv: StringBuilder,
}

impl Table {
    pub(crate) fn new(format: TableFormat) -> Result<Self, Error> {
        let (fen, score, outcome) = (
            StringBuilder::new(),
            Int16Builder::new(),
            Int8Builder::new(),
        );
        Ok(Self {
            format,
            text: String::new(),
            fen,
            score,
            outcome,
            ply: Int32Builder::new(),
            mv: StringBuilder::new(),
        })
    }

    /// Appends a row. An error if a column cannot hold it.
    pub(crate) fn push(&mut self, record: &Record) -> Result<(), WriteError> {
        let limit = i32::MAX as u64;
        let no_room = |_| WriteError::TooLarge {
            what: "ply",
            found: record.ply.into(),
            limit,
        };
        self.ply
            .append_value(i32::try_from(record.ply).map_err(no_room)?);
        self.text.clear();
        record.write_fen(&mut self.text);
        self.fen.append_value(&self.text);
        self.score.append_option(record.score());
        self.outcome
            .append_value(record.outcome as i8 - Outcome::Draw as i8);
        self.mv
            .append_option(record.mv.map(|mv| mv.to_uci(&record.position)));
        Ok(())
    }

    /// Encodes the rows as bytes that may follow any others.
    pub(crate) fn finish(mut self) -> std::io::Result<Vec<u8>> {
        let columns = vec![
            Arc::new(self.fen.finish()) as _,
            Arc::new(self.score.finish()) as _,
            Arc::new(self.outcome.finish()) as _,
            Arc::new(self.ply.finish()) as _,
            Arc::new(self.mv.finish()) as _,
        ];
        let rows = RecordBatch::try_new(SCHEMA.clone(), columns).map_err(std::io::Error::other)?;
        match self.format {
            TableFormat::Parquet => parquet::encoded(&rows),
            TableFormat::Arrow | TableFormat::ArrowStream => arrow::encoded(&rows),
        }
    }
}
