//! Records as tables: Parquet and Arrow files.
//!
//! ```text
//!   column          what it is                                          read from
//!   rows            the active rows, of networks with one perspective   lists of integers
//!   white, black    instead of it: of networks with two                 lists of integers
//!   black_to_move   the side to move; needed with two lists             booleans
//!   target          the target                                          numbers
//!   weight          the weight; 1 without this column                   numbers
//! ```
//!
//! Other columns are left alone.

use std::path::Path;

use arrow_array::cast::AsArray;
use arrow_array::{Array, BooleanArray, RecordBatch};
use arrow_schema::{DataType, Schema};

use super::{Format, Lists, Part, Placed, Records, RowsRecord};
use crate::files::regular;
use crate::tables::arrow::Arrow;
use crate::tables::messages;
use crate::tables::parquet::{self, Parquet};
use crate::tables::values::{self, is_list, is_real, reals};
use crate::{Fault, Place, ReadError, Unit};

/// Opens a table, of which `part` is read.
pub(super) fn open(path: &Path, format: Format, part: &Part) -> Result<Records, ReadError> {
    if format == Format::Parquet {
        let table = Parquet::open(regular::read(path)?)?;
        let columns = Columns::of(table.schema(), part)?;
        let all = 0..table.rows();
        let batches = table.read(columns.indices(), all);
        let batches = batches.map_err(ReadError::Table)?;
        let batches = batches.map(|next| next.map_err(ReadError::Table));
        return Ok(Box::new(Rows::new(batches, columns.alone())));
    }
    let table = Arrow::open(std::io::BufReader::new(regular::read_or_pipe(path)?))?;
    let columns = Columns::of(table.schema(), part)?;
    let (batches, _) = table.read(columns.indices(), 0..u64::MAX)?;
    let batches = batches.map(|next| next.map_err(ReadError::from));
    Ok(Box::new(Rows::new(batches, columns.alone())))
}

impl From<parquet::Failure> for ReadError {
    fn from(failure: parquet::Failure) -> Self {
        match failure {
            parquet::Failure::Io(error) => Self::Io(error),
            parquet::Failure::Refused(reason) => Self::Table(reason),
        }
    }
}

impl From<messages::Failure> for ReadError {
    fn from(failure: messages::Failure) -> Self {
        match failure {
            messages::Failure::Io(error) => Self::Io(error),
            messages::Failure::Damaged(reason) => {
                let message = format!("neither a file nor a stream of Arrow: {reason}");
                Self::Table(message)
            }
        }
    }
}

/// The indices of the columns to read.
#[derive(Clone, Debug)]
struct Columns {
    /// `rows`, or `white` and `black`
    lists: Vec<usize>,
    target: usize,
    black_to_move: Option<usize>,
    weight: Option<usize>,
    /// of booleans, and the value of the rows that are read
    part: Option<(usize, bool)>,
}

impl Columns {
    fn of(schema: &Schema, part: &Part) -> Result<Self, ReadError> {
        let find = |name: &str, expected| find(schema, name, expected).map_err(ReadError::Table);
        let need = |name: &str, expected| {
            let missing = || ReadError::Table(without(schema, name));
            find(name, expected)?.ok_or_else(missing)
        };
        let lists = match (find("rows", LISTS)?, find("white", LISTS)?) {
            (None, Some(white)) => vec![white, need("black", LISTS)?],
            (Some(_), Some(_)) => {
                let message = "both `rows` and `white`: a position has one list, or two";
                return Err(ReadError::Table(message.into()));
            }
            (_, None) => vec![need("rows", LISTS)?],
        };
        let black_to_move = match lists.len() {
            1 => find("black_to_move", BOOLEANS)?,
            _ => Some(need("black_to_move", BOOLEANS)?),
        };
        let part = match part {
            Part::All => None,
            Part::Where { column, is } => Some((need(column, BOOLEANS)?, *is)),
        };
        Ok(Self {
            lists,
            target: need("target", NUMBERS)?,
            black_to_move,
            weight: find("weight", NUMBERS)?,
            part,
        })
    }

    /// The indices of all columns, ascending, each once.
    fn indices(&self) -> Vec<usize> {
        let others = [
            Some(self.target),
            self.black_to_move,
            self.weight,
            self.part.map(|(column, _)| column),
        ];
        let lists = self.lists.iter().copied();
        let mut indices: Vec<usize> = lists.chain(others.into_iter().flatten()).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }

    /// The indices in a table that has only these columns.
    fn alone(&self) -> Self {
        let indices = self.indices();
        let at = |column: usize| indices.partition_point(|&index| index < column);
        Self {
            lists: self.lists.iter().map(|&column| at(column)).collect(),
            target: at(self.target),
            black_to_move: self.black_to_move.map(at),
            weight: self.weight.map(at),
            part: self.part.map(|(column, is)| (at(column), is)),
        }
    }
}

/// A check of the type of a column, and the expected type for messages.
type Kind = (fn(&DataType) -> bool, &'static str);

const LISTS: Kind = (is_list, "lists of integers");
const NUMBERS: Kind = (is_real, "numbers");
const BOOLEANS: Kind = (|kind| *kind == DataType::Boolean, "booleans");

/// The column with this name. An error if there are two, or its type is wrong.
fn find(schema: &Schema, name: &str, (is_right, expected): Kind) -> Result<Option<usize>, String> {
    let fields = schema.fields().iter().enumerate();
    let mut named = fields.filter(|(_, field)| field.name() == name);
    let Some((index, field)) = named.next() else {
        return Ok(None);
    };
    let name = name.escape_debug();
    if named.next().is_some() {
        return Err(format!("two columns `{name}`"));
    }
    if !is_right(field.data_type()) {
        return Err(format!(
            "the column `{name}` has the type {} instead of {expected}",
            field.data_type()
        ));
    }
    Ok(Some(index))
}

fn without(schema: &Schema, name: &str) -> String {
    let fields = schema.fields().iter().take(20);
    let names: Vec<String> = fields
        .map(|field| format!("`{}`", field.name().escape_debug()))
        .collect();
    let has = match &names[..] {
        [] => "no columns at all".into(),
        _ => names.join(", "),
    };
    format!("no column `{}`: it has {has}", name.escape_debug())
}

/// Reads batches row by row. It continues after a wrong row, and ends after a wrong batch.
struct Rows<B> {
    batches: B,
    columns: Columns,
    batch: Option<Batch>,
    /// rows so far, of the whole table
    number: u64,
}

/// The columns of a batch.
struct Batch {
    /// the next row
    row: usize,
    rows: usize,
    lists: Vec<values::Lists>,
    target: Vec<Option<f32>>,
    black_to_move: Option<BooleanArray>,
    weight: Option<Vec<Option<f32>>>,
    part: Option<(BooleanArray, bool)>,
}

impl<B> Rows<B> {
    const fn new(batches: B, columns: Columns) -> Self {
        Self {
            batches,
            columns,
            batch: None,
            number: 0,
        }
    }
}

impl<B> Placed for Rows<B> {
    fn place(&self) -> Place {
        Place {
            unit: Unit::Row,
            number: self.number,
            offset: 0,
        }
    }
}

impl<B: Iterator<Item = Result<RecordBatch, ReadError>>> Iterator for Rows<B> {
    type Item = Result<RowsRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Some(batch) = self.batch.as_mut().filter(|batch| batch.row < batch.rows) else {
                match self.batches.next()? {
                    Ok(batch) => self.batch = Some(Batch::new(&batch, &self.columns)),
                    Err(error) => return Some(Err(error)),
                }
                continue;
            };
            let record = batch.record();
            batch.row += 1;
            self.number += 1;
            let place = self.place();
            let damaged = |fault| ReadError::Damaged { place, fault };
            if let Some(record) = record.map_err(damaged).transpose() {
                return Some(record);
            }
        }
    }
}

impl Batch {
    fn new(batch: &RecordBatch, columns: &Columns) -> Self {
        let booleans = |column: usize| batch.column(column).as_boolean().clone();
        let lists = columns.lists.iter();
        Self {
            row: 0,
            rows: batch.num_rows(),
            lists: lists
                .map(|&column| values::Lists::of(batch.column(column)))
                .collect(),
            target: reals(batch.column(columns.target)),
            black_to_move: columns.black_to_move.map(booleans),
            weight: columns.weight.map(|column| reals(batch.column(column))),
            part: columns.part.map(|(column, is)| (booleans(column), is)),
        }
    }

    /// The record of the next row; `None` if it is not of the part that is read.
    fn record(&self) -> Result<Option<RowsRecord>, Fault> {
        let row = self.row;
        if let Some((column, is)) = &self.part {
            let found = boolean(column, row).ok_or(Fault::Missing("the part of the data"))?;
            if found != *is {
                return Ok(None);
            }
        }
        let lists = match &self.lists[..] {
            [rows] => Lists::One(list(rows, row, "`rows`")?),
            [white, black, ..] => {
                Lists::Two([list(white, row, "`white`")?, list(black, row, "`black`")?])
            }
            [] => return Err(Fault::Missing("`rows`")),
        };
        let black_to_move = match &self.black_to_move {
            Some(column) => boolean(column, row).ok_or(Fault::Missing("`black_to_move`"))?,
            None => false,
        };
        let weight = match &self.weight {
            Some(weights) => weights[row].ok_or(Fault::Missing("`weight`"))?,
            None => 1.0,
        };
        Ok(Some(RowsRecord {
            lists,
            black_to_move,
            target: self.target[row].ok_or(Fault::Missing("`target`"))?,
            weight,
        }))
    }
}

fn boolean(column: &BooleanArray, row: usize) -> Option<bool> {
    column.is_valid(row).then(|| column.value(row))
}

/// The list of a row in the column `name`.
fn list(lists: &values::Lists, row: usize, name: &'static str) -> Result<Vec<u32>, Fault> {
    let numbers = lists.get(row).ok_or(Fault::Missing(name))?;
    let number = |number: Option<i64>| {
        let number = number.ok_or(Fault::Missing("a number of the list"))?;
        u32::try_from(number).map_err(|_| Fault::Word {
            found: number.to_string(),
            expected: "the number of a row",
        })
    };
    numbers.into_iter().map(number).collect()
}
