//! Training data of networks over lists of rows, `rows[4096, active 64]`.
//!
//! ```text
//!   record    RowsRecord: the active rows, a target, a weight
//!   check     Checker: what a network and its loss accept; CheckedRecord: what passed
//!   text      one record a line: `3 17 40 | 0.75`
//!   tables    Parquet and Arrow: columns `rows`, `target`, `weight`; with the feature `arrow`
//!   stats     what is in records
//!   open      files of any Format, with the feature `compressed`
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
mod checked;
mod format;
#[cfg(feature = "compressed")]
mod open;
#[cfg(feature = "compressed")]
mod reading;
mod record;
pub mod stats;
#[cfg(feature = "arrow")]
mod tables;
#[cfg(test)]
mod tests;
pub mod text;

pub use check::{CheckedRecord, Checker, RecordError, Targets};
pub use checked::{Checked, Placed};
pub use format::Format;
#[cfg(feature = "compressed")]
pub use open::{open, open_text};
#[cfg(feature = "compressed")]
pub use reading::{Part, Reading, Records};
pub use record::{Lists, RowsRecord};
