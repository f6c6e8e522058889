//! Many lists of rows at once, by several threads.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::sync::Arc;

use nnue::dynamic;
use nnue::rows::{BatchError, Integers, RowBatch, RowMatrix};

use super::batch::threads_of;
use super::pointer::{exclusive, free, give, list, place, places, shared};
use super::position::write_all;
use super::rows::{Rows, RowsEvaluation};
use crate::failure::{Failure, Status, at_border};
use crate::rows;

/// Memory to evaluate many lists of rows. A batch belongs to one thread at a time, and starts others.
pub struct RowsBatch {
    network: Arc<dynamic::Network>,
    /// one for each thread
    stacks: Vec<dynamic::RowsStack>,
    values: Vec<nnue::RealEvaluation>,
}

/// Lists in the form of a sparse matrix (CSR): list `i` is `indices[indptr[i]]` to `indices[indptr[i + 1] - 1]`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct RowsMatrix {
    /// where lists begin and end, ascending from 0: one number more than there are lists
    pub indptr: *const u64,
    /// the rows of all lists, one list after the other
    pub indices: *const u32,
    /// the number of `indices`
    pub indices_count: usize,
}

impl RowsMatrix {
    /// The `count` lists.
    ///
    /// # Safety
    ///
    /// Each pointer is null or valid for its number of items, which are not written to while they are used.
    pub(super) unsafe fn read<'a>(
        &self,
        count: usize,
        name: &str,
    ) -> Result<RowMatrix<'a>, Failure> {
        let named = |part| format!("{name}.{part}");
        let bounds = count.saturating_add(1);
        // SAFETY: the caller's obligation.
        let indptr = unsafe { list(self.indptr, bounds, &named("indptr")) }?;
        // SAFETY: the caller's obligation.
        let indices = unsafe { list(self.indices, self.indices_count, &named("indices")) }?;
        RowMatrix::new(Integers::U64(indptr), Integers::U32(indices))
            .map_err(|error| Failure::new(Status::BadArgument, format!("`{name}`: {error}")))
    }
}

/// Memory for so many threads; 0 is one for each core. It is to be freed by `nnue_rows_batch_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_batch_new(
    network: *const Rows,
    threads: usize,
    batch: *mut *mut RowsBatch,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let batch = unsafe { place(batch, "batch") }?;
        let stacks = (0..threads_of(threads)?)
            .map(|_| rows::stack(&network.network))
            .collect::<Result<_, _>>()?;
        batch.write(give(RowsBatch {
            network: network.network.clone(),
            stacks,
            values: Vec::new(),
        }));
        Ok(())
    })
}

/// Frees a batch. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a batch that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_batch_free(batch: *mut RowsBatch) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(batch) };
        Ok(())
    });
}

/// What the network says about `count` positions, in any order.
///
/// `first` has a list for each; `second` has their second lists, of a network with two perspectives, and is null otherwise. `black_to_move` has 0 or 1
/// for each position; null is White everywhere. `evaluations` is written if all positions are right; the message for a wrong one has its number, from 0.
///
/// # Safety
///
/// Each pointer is null or valid, `black_to_move` and `evaluations` for `count` items, those of matrices for theirs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_batch_evaluate(
    batch: *mut RowsBatch,
    count: usize,
    first: *const RowsMatrix,
    second: *const RowsMatrix,
    black_to_move: *const u8,
    evaluations: *mut RowsEvaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let RowsBatch {
            network,
            stacks,
            values,
        } = unsafe { exclusive(batch, "batch") }?;
        // SAFETY: the caller's obligation.
        let places = unsafe { places(evaluations, count, "evaluations") }?;
        // SAFETY: the caller's obligation.
        let first = unsafe { shared(first, "first") }?;
        // SAFETY: the caller's obligation.
        let first = unsafe { first.read(count, "first") }?;
        let mut positions = RowBatch::one(first);
        // SAFETY: the caller's obligation.
        if let Ok(second) = unsafe { shared(second, "second") } {
            // SAFETY: the caller's obligation.
            let second = unsafe { second.read(count, "second") }?;
            positions = RowBatch::two(first, second).map_err(refused)?;
        }
        if !black_to_move.is_null() {
            // SAFETY: the caller's obligation.
            let sides = unsafe { list(black_to_move, count, "black_to_move") }?;
            positions = positions.with_black_to_move(sides).map_err(refused)?;
        }
        values.resize(count, nnue::RealEvaluation::default());
        network
            .evaluate_rows_on_threads(&positions, values, stacks)
            .map_err(refused)?;
        write_all(places, values);
        Ok(())
    })
}

fn refused(error: BatchError) -> Failure {
    let status = match error {
        BatchError::Rows { .. } => Status::BadRows,
        _ => Status::BadArgument,
    };
    Failure::new(status, error.to_string())
}
