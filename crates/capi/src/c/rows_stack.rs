//! The stack that follows changes of lists of rows.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::sync::Arc;

use nnue::dynamic::{self, RowsStack as Line};
use nnue::rows::RowLists;

use super::pointer::{exclusive, free, give, place, shared};
use super::rows::{Lists, Rows, RowsEvaluation, lists, refused, side};
use crate::failure::{Failure, Status, at_border};
use crate::rows;

/// Active rows, and the accumulators along the changes that led to them. A stack belongs to one thread at a time.
#[derive(Clone)]
pub struct RowsStack {
    pub(super) network: Arc<dynamic::Network>,
    pub(super) line: Line,
    /// the last evaluations; kept to reuse the memory
    pub(super) evaluations: Vec<nnue::RealEvaluation>,
}

/// A stack whose root has no active rows, White to move. It is to be freed by `nnue_rows_stack_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_new(
    network: *const Rows,
    stack: *mut *mut RowsStack,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let stack = unsafe { place(stack, "stack") }?;
        stack.write(give(RowsStack {
            line: rows::stack(&network.network)?,
            network: network.network.clone(),
            evaluations: Vec::new(),
        }));
        Ok(())
    })
}

/// An independent stack with the same changes and accumulators. It is to be freed by `nnue_rows_stack_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_copy(
    stack: *const RowsStack,
    copy: *mut *mut RowsStack,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { shared(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let copy = unsafe { place(copy, "copy") }?;
        copy.write(give(stack.clone()));
        Ok(())
    })
}

/// Frees a stack. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a stack that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_free(stack: *mut RowsStack) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(stack) };
        Ok(())
    });
}

/// Makes these rows the root, and forgets the changes before. `black_to_move` is 0 or 1. What is refused changes nothing.
///
/// # Safety
///
/// Each pointer is null or valid, those of `rows` for its counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_set(
    stack: *mut RowsStack,
    rows: *const Lists,
    black_to_move: u8,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let rows = unsafe { lists(rows, "rows") }?;
        let side = side(black_to_move)?;
        stack.line.set(rows).map_err(refused)?;
        stack.line.set_black_to_move(side);
        Ok(())
    })
}

/// Removes rows and adds others, in this order; null is no rows. The side to move stays. What is refused changes nothing: a row that is added and is
/// active, or is removed and is not, is `NNUE_STATUS_BAD_ROWS`.
///
/// # Safety
///
/// Each pointer is null or valid, those of `added` and `removed` for their counts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_push(
    stack: *mut RowsStack,
    added: *const Lists,
    removed: *const Lists,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        let none = match stack.line.rows().lists() {
            1 => RowLists::One(&[]),
            _ => RowLists::Two([&[], &[]]),
        };
        let optional = |pointer: *const Lists, name| match pointer.is_null() {
            true => Ok(none),
            // SAFETY: the caller's obligation.
            false => unsafe { lists(pointer, name) },
        };
        let (added, removed) = (optional(added, "added")?, optional(removed, "removed")?);
        stack.line.push_rows(added, removed).map_err(refused)
    })
}

/// Sets the side to move, 0 or 1 for Black, whose list is read first. `nnue_rows_stack_pop` restores that before the last change.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_side(stack: *mut RowsStack, black_to_move: u8) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        stack.line.set_black_to_move(side(black_to_move)?);
        Ok(())
    })
}

/// The last change is taken back.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_pop(stack: *mut RowsStack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        if stack.line.depth() == 0 {
            return Err(Failure::new(
                Status::NothingToPop,
                "a change is taken back, and none was made",
            ));
        }
        stack.line.pop();
        Ok(())
    })
}

/// How many changes were made and not taken back; 0 for null.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_depth(stack: *const RowsStack) -> usize {
    // SAFETY: the caller's obligation.
    unsafe { shared(stack, "stack") }.map_or(0, |stack| stack.line.depth())
}

/// What the network says about the active rows.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_evaluate(
    stack: *mut RowsStack,
    evaluation: *mut RowsEvaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let RowsStack { network, line, .. } = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let evaluation = unsafe { place(evaluation, "evaluation") }?;
        evaluation.write(line.evaluate_real(network).into());
        Ok(())
    })
}

/// Compares the accumulators with those computed from the rows alone. A difference would be a bug of the library: `NNUE_STATUS_PANIC`.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_rows_stack_verify(stack: *mut RowsStack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let RowsStack { network, line, .. } = unsafe { exclusive(stack, "stack") }?;
        line.verify(network)
            .map_err(|error| Failure::new(Status::Panic, error.to_string()))
    })
}
