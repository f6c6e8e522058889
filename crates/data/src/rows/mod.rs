//! Training data of networks over lists of rows, `rows[4096, active 64]`.
//!
//! ```text
//!   record    RowsRecord: the active rows, a target, a weight
//!   check     Checker: what a network and its loss accept; CheckedRecord: what passed
//! ```
//!
//! ```
//! use nnue_data::rows::{Checker, RowsRecord, Targets};
//! use nnue_spec::RowsShape;
//!
//! let shape = RowsShape { rows: 4096, most_active: 64, lists: 1, groups: &[] };
//! let mut checker = Checker::new(&shape, Targets::Expected);
//! assert!(checker.check(RowsRecord::new(vec![3, 17, 40], 0.75)).is_ok());
//! let error = checker.check(RowsRecord::new(vec![3, 4096], 0.75)).unwrap_err();
//! assert_eq!(error.to_string(), "row 4096: there are only 4096 rows");
//! ```

mod check;
mod record;
#[cfg(test)]
mod tests;

pub use check::{CheckedRecord, Checker, RecordError, Targets};
pub use record::{Lists, RowsRecord};
