//! Many positions at once, by several threads.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::num::NonZero;
use std::thread::available_parallelism;

use super::networks::Network;
use super::pointer::{exclusive, free, give, list, place, places, shared};
use super::position::{Evaluation, Position, write_all};
use crate::failure::{Failure, Status, at_border};
use crate::network::AnyBatch;

/// Memory to evaluate many positions of a network. A batch belongs to one thread at a time, and starts others.
pub struct Batch(Box<dyn AnyBatch>);

const MOST_THREADS: usize = 1024;

/// The number of threads that is asked for; for 0, one for each core.
pub(super) fn threads_of(asked: usize) -> Result<usize, Failure> {
    match asked {
        0 => Ok(available_parallelism().map_or(1, NonZero::get)),
        1..=MOST_THREADS => Ok(asked),
        _ => {
            let message = format!("threads are {asked}, and must be at most {MOST_THREADS}");
            Err(Failure::new(Status::BadArgument, message))
        }
    }
}

/// Memory for so many threads; 0 is one for each core. It is to be freed by `nnue_batch_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_batch_new(
    network: *const Network,
    threads: usize,
    batch: *mut *mut Batch,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let batch = unsafe { place(batch, "batch") }?;
        let threads = threads_of(threads)?;
        batch.write(give(Batch(network.network.clone().batch(threads))));
        Ok(())
    })
}

/// Frees a batch. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a batch that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_batch_free(batch: *mut Batch) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(batch) };
        Ok(())
    });
}

/// What the network says about `count` positions, in any order; positions that share pieces and places of kings share work.
///
/// # Safety
///
/// Each pointer is null or valid, `positions` and `evaluations` for `count` items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_batch_evaluate(
    batch: *mut Batch,
    positions: *const Position,
    count: usize,
    evaluations: *mut Evaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let Batch(batch) = unsafe { exclusive(batch, "batch") }?;
        // SAFETY: the caller's obligation.
        let positions = unsafe { list(positions, count, "positions") }?;
        // SAFETY: the caller's obligation.
        let evaluations = unsafe { places(evaluations, count, "evaluations") }?;
        positions.iter().try_for_each(Position::check)?;
        write_all(evaluations, batch.evaluate(positions));
        Ok(())
    })
}
