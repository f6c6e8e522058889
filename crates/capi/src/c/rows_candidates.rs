//! Small changes of the rows of a stack: values only.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use nnue::rows::{Candidate, CandidateBatch, CandidateBatchError, RowMatrix};

use super::pointer::{exclusive, list, places, shared};
use super::position::write_all;
use super::rows::{Lists, RowsEvaluation};
use super::rows_batch::RowsMatrix;
use super::rows_stack::RowsStack;
use crate::failure::{Failure, Status, at_border};

/// A small change of a position: rows that are removed, and rows that are added.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowsChange {
    /// the rows that are added
    pub added: Lists,
    /// the rows that are removed, before others are added
    pub removed: Lists,
}

/// Many small changes of a position, in the form of sparse matrices: list `i` of each is of change `i`. A matrix whose `indptr` is null has no rows.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowsChanges {
    /// the rows that are added
    pub added: RowsMatrix,
    /// the rows that are removed, before others are added
    pub removed: RowsMatrix,
}

impl RowsChanges {
    /// The added and the removed rows of `count` changes.
    ///
    /// # Safety
    ///
    /// Those of [`RowsMatrix::read`].
    unsafe fn read<'a>(&self, count: usize, name: &str) -> Result<[RowMatrix<'a>; 2], Failure> {
        let part = |matrix: &RowsMatrix, part| match matrix.indptr.is_null() {
            true => Ok(RowMatrix::none(count)),
            // SAFETY: the caller's obligation.
            false => unsafe { matrix.read(count, &format!("{name}.{part}")) },
        };
        Ok([part(&self.added, "added")?, part(&self.removed, "removed")?])
    }
}

/// What the network says about the rows after each of `count` changes, by one call, which changes nothing. `evaluations` has room for as many, and is
/// written if all changes are right.
///
/// # Safety
///
/// Each pointer is null or valid, `changes` and `evaluations` for `count` items, those of a change for its counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_candidates(
    stack: *mut RowsStack,
    changes: *const RowsChange,
    count: usize,
    evaluations: *mut RowsEvaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let changes = unsafe { list(changes, count, "changes") }?;
        // SAFETY: the caller's obligation.
        let places = unsafe { places(evaluations, count, "evaluations") }?;
        let mut candidates = Vec::with_capacity(changes.len());
        for (index, RowsChange { added, removed }) in changes.iter().enumerate() {
            let name = |part| format!("changes[{index}].{part}");
            // SAFETY: the caller's obligation.
            let added = unsafe { added.read(&name("added")) }?;
            // SAFETY: the caller's obligation.
            let removed = unsafe { removed.read(&name("removed")) }?;
            candidates.push(Candidate::new(added, removed));
        }
        let RowsStack {
            network,
            line,
            evaluations,
        } = stack;
        line.evaluate_candidates(network, &candidates, evaluations)
            .map_err(|error| Failure::new(Status::BadRows, error.to_string()))?;
        write_all(places, evaluations);
        Ok(())
    })
}

/// `nnue_rows_stack_candidates` of changes in the form of sparse matrices, which are read in place.
///
/// `first` has the `count` changes of the first list; `second` has those of the second list, of a network with two perspectives, and is null otherwise.
/// The message for a wrong change has its number, from 0.
///
/// # Safety
///
/// Each pointer is null or valid, `evaluations` for `count` items, those of matrices for theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_candidate_batch(
    stack: *mut RowsStack,
    count: usize,
    first: *const RowsChanges,
    second: *const RowsChanges,
    evaluations: *mut RowsEvaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let RowsStack {
            network,
            line,
            evaluations: values,
        } = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let places = unsafe { places(evaluations, count, "evaluations") }?;
        // SAFETY: the caller's obligation.
        let first = unsafe { shared(first, "first") }?;
        // SAFETY: the caller's obligation.
        let [added, removed] = unsafe { first.read(count, "first") }?;
        // SAFETY: the caller's obligation.
        let batch = match unsafe { second.as_ref() } {
            None => CandidateBatch::one(added, removed),
            Some(second) => {
                // SAFETY: the caller's obligation.
                let [of_second, from_second] = unsafe { second.read(count, "second") }?;
                CandidateBatch::two([added, of_second], [removed, from_second])
            }
        };
        line.evaluate_candidate_batch(network, &batch.map_err(refused)?, values)
            .map_err(refused)?;
        write_all(places, values);
        Ok(())
    })
}

fn refused(error: CandidateBatchError) -> Failure {
    let status = match error {
        CandidateBatchError::Candidate(_) => Status::BadRows,
        _ => Status::BadArgument,
    };
    Failure::new(status, error.to_string())
}
