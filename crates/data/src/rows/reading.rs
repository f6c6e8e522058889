//! Records that are read from a file.

use super::{Placed, RowsRecord};
use crate::compressed::Followed;
use crate::{Place, ReadError};

/// The records of a file.
pub type Records = Box<dyn Reading + Send>;

/// Reads records, and knows where it is.
pub trait Reading: Iterator<Item = Result<RowsRecord, ReadError>> + Placed {}

impl<R: Iterator<Item = Result<RowsRecord, ReadError>> + Placed> Reading for R {}

/// The records of a file to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// all of them
    All,
    /// those of a table in which a column of booleans has this value
    Where {
        /// the name of the column
        column: String,
        /// its value
        is: bool,
    },
}

impl<I: Placed> Placed for Followed<I> {
    fn place(&self) -> Place {
        self.get_ref().place()
    }
}

impl<R: Placed + ?Sized> Placed for Box<R> {
    fn place(&self) -> Place {
        (**self).place()
    }
}
