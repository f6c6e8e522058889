//! The records of a reader that are right, and errors with their places.

use super::{CheckedRecord, Checker, RowsRecord};
use crate::{Place, ReadError};

/// A reader that knows where it is.
pub trait Placed {
    /// The place of the last record.
    fn place(&self) -> Place;
}

/// Checks the records of a reader. It continues after a wrong one.
///
/// ```
/// use nnue_data::rows::{Checked, Checker, Targets, text::Reader};
/// use nnue_spec::RowsShape;
///
/// let shape = RowsShape { rows: 4096, most_active: 64, lists: 1, groups: &[] };
/// let text = "3 17 40 | 0.75\n3 3 | 0\n";
/// let mut records = Checked::new(Reader::new(text.as_bytes()), Checker::new(&shape, Targets::Expected));
/// assert!(records.next().unwrap().is_ok());
/// assert_eq!(records.next().unwrap().unwrap_err().to_string(), "line 2, byte 15: row 3 is listed twice");
/// ```
#[derive(Debug)]
pub struct Checked<R> {
    records: R,
    checker: Checker,
}

impl<R> Checked<R> {
    /// Checks `records` by `checker`.
    pub const fn new(records: R, checker: Checker) -> Self {
        Self { records, checker }
    }
}

impl<R> Iterator for Checked<R>
where
    R: Iterator<Item = Result<RowsRecord, ReadError>> + Placed,
{
    type Item = Result<CheckedRecord, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.records.next()?;
        let place = self.records.place();
        Some(next.and_then(|record| {
            let checked = self.checker.check(record);
            checked.map_err(|error| ReadError::Damaged {
                place,
                fault: error.into(),
            })
        }))
    }
}
