//! Networks whose rows the caller lists: `rows[4096, active 64]`.
//!
//! A position is a [`RowSets`]: the active rows of each perspective. [`Network::evaluate_listed`] evaluates one;
//! a [`RowsStack`] follows changes of it, and evaluates many small changes of the same position.
//!
//! ```
//! # use nnue_runtime::{Evaluation, Network, game};
//! use nnue_runtime::rows::{Given, RowSets, RowsError, RowsStack};
//!
//! # fn f<Ranker: game::Architecture<Inputs = Given>>(network: &Network<Ranker>) -> Result<(), RowsError> {
//! // `nnue! { pub struct Ranker = rows[4096, active 64] -> 256 -> 16 -> 1; }`
//! let mut rows = network.rows();
//! rows.set(&[3, 17, 40])?;
//! let value = network.evaluate_listed(&rows).value;
//!
//! let mut stack = RowsStack::<Ranker>::new();
//! stack.set(&[3, 17, 40])?;
//! assert_eq!(stack.evaluate(network).value, value);
//! stack.push_rows(&[5, 9], &[17])?; // adds two rows, removes one
//! println!("{}", stack.evaluate(network).value);
//! stack.pop();
//! # Ok(())
//! # }
//! ```
//!
//! [`Network::evaluate_listed`]: crate::Network::evaluate_listed

mod given;
mod line;

pub(crate) use given::list_of;
pub use given::{Given, Step, golden};
pub(crate) use line::{Reader, RowsLine};
pub use nnue_spec::rows::{
    BatchError, Candidate, CandidateBatch, CandidateBatchError, CandidateCopies, CandidateError,
    Integers, ListedRow, MatrixError, RowBatch, RowGroup, RowLists, RowMatrix, RowSets, RowsChange,
    RowsError, RowsShape,
};

pub use crate::network::RowsStack;
