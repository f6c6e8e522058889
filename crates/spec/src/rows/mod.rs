//! Positions of networks over [`rows[4096, active 64]`](crate::CustomSet::listed): lists of active rows that
//! the caller gives.
//!
//! ```text
//!   shape       how many rows there are, how many can be active, how many lists a position has
//!   sets        RowSets, a position: validated lists, which changes keep valid
//!   matrix      many lists in the form of a sparse matrix (CSR)
//!   candidates  small changes of one position, one by one or as sparse matrices
//!   rule        which layer stack the rows choose
//!   text        `3 17 40`, and changes: `+5 -17`
//!   error       what is wrong with a list or a change
//! ```

mod candidates;
mod error;
mod matrix;
mod members;
mod rule;
mod sets;
mod shape;
#[cfg(test)]
mod tests;
mod text;

pub use candidates::{
    Candidate, CandidateBatch, CandidateBatchError, CandidateCopies, CandidateError,
};
pub use error::{ListedRow, RowsError};
pub use matrix::{BatchError, Integers, MatrixError, RowBatch, RowMatrix};
pub use rule::{RowMeasure, RowRule};
pub use sets::{RowLists, RowSets};
pub use shape::{RowGroup, RowsShape};
pub use text::{RowsChange, RowsPosition};
