//! Positions that come without the moves that led to them.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use super::networks::Network;
use super::pointer::{exclusive, free, give, place, shared};
use super::position::{Evaluation, Position};
use crate::failure::{Status, at_border};
use crate::network::AnyTable;

/// The last accumulator for each view of a king, with its board: for engines that evaluate positions without knowing the moves between them. A
/// table belongs to one thread at a time.
pub struct Table(Box<dyn AnyTable>);

/// A table without boards. It is to be freed by `nnue_table_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_table_new(network: *const Network, table: *mut *mut Table) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let table = unsafe { place(table, "table") }?;
        table.write(give(Table(network.network.clone().table())));
        Ok(())
    })
}

/// Frees a table. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a table that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_table_free(table: *mut Table) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(table) };
        Ok(())
    });
}

/// Forgets all boards, to measure for example; evaluations stay the same.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_table_clear(table: *mut Table) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { exclusive(table, "table") }?.0.clear();
        Ok(())
    })
}

/// What the network says about `position`, computed from the pieces that differ from the last board with such a king. It equals
/// `nnue_network_evaluate`. A stack takes less time where the moves are known.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_table_evaluate(
    table: *mut Table,
    position: *const Position,
    evaluation: *mut Evaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let table = unsafe { exclusive(table, "table") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let evaluation = unsafe { place(evaluation, "evaluation") }?;
        position.check()?;
        table.0.evaluate(position, evaluation);
        Ok(())
    })
}
