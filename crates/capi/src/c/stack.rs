//! The stack of accumulators that follows a search.
#![expect(
    unsafe_code,
    reason = "functions that C calls by their names, with pointers"
)]

use std::ffi::c_char;

use super::networks::Network;
use super::pointer::{exclusive, free, give, list, place, places, shared, text};
use super::position::{Change, Evaluation, Position, write_all};
use crate::failure::{Failure, Status, at_border};
use crate::network::AnyStack;

/// The accumulators along the line of a search. A stack belongs to one thread at a time.
pub struct Stack(Box<dyn AnyStack>);

/// A stack at its root, which may be any position: the first evaluation fixes it. It is to be freed by `nnue_stack_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_new(network: *const Network, stack: *mut *mut Stack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let network = unsafe { shared(network, "network") }?;
        // SAFETY: the caller's obligation.
        let stack = unsafe { place(stack, "stack") }?;
        stack.write(give(Stack(network.network.clone().stack())));
        Ok(())
    })
}

/// An independent stack with the same moves and accumulators, for another thread or a position that is copied. It is to be freed by
/// `nnue_stack_free`.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_copy(stack: *const Stack, copy: *mut *mut Stack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { shared(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let copy = unsafe { place(copy, "copy") }?;
        copy.write(give(Stack(stack.0.copy())));
        Ok(())
    })
}

/// Frees a stack. Null is nothing to free.
///
/// # Safety
///
/// The pointer is null, or of a stack that was made and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_free(stack: *mut Stack) {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { free(stack) };
        Ok(())
    });
}

/// A move was made that changes the board like this. Nothing is computed until an evaluation needs it.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_push(stack: *mut Stack, change: *const Change) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let change = unsafe { shared(change, "change") }?;
        stack.0.push(change)
    })
}

/// The side to move passed, and nothing else changed.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_push_null(stack: *mut Stack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { exclusive(stack, "stack") }?.0.push_null();
        Ok(())
    })
}

/// The last move was taken back.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_pop(stack: *mut Stack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { exclusive(stack, "stack") }?.0.pop()
    })
}

/// Moves were taken back until `depth` are left.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_truncate(stack: *mut Stack, depth: usize) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { exclusive(stack, "stack") }?.0.truncate(depth)
    })
}

/// How many moves were made and not taken back; 0 for null.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_depth(stack: *const Stack) -> usize {
    // SAFETY: the caller's obligation.
    unsafe { shared(stack, "stack") }.map_or(0, |stack| stack.0.depth())
}

/// Back to a root that may be any position: for the next position of a game, or another game.
///
/// # Safety
///
/// The pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_reset(stack: *mut Stack) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        unsafe { exclusive(stack, "stack") }?.0.reset();
        Ok(())
    })
}

/// What the network says about `position`, to which the moves that were pushed lead.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_evaluate(
    stack: *mut Stack,
    position: *const Position,
    evaluation: *mut Evaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let evaluation = unsafe { place(evaluation, "evaluation") }?;
        position.check()?;
        stack.0.evaluate(position, evaluation);
        Ok(())
    })
}

/// The value of `nnue_stack_evaluate` before it was rounded to an integer; NaN if the output of floats is.
///
/// # Safety
///
/// Each pointer is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_real(
    stack: *mut Stack,
    position: *const Position,
    real: *mut f64,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let real = unsafe { place(real, "real") }?;
        position.check()?;
        real.write(stack.0.real(position));
        Ok(())
    })
}

/// The chances of a loss, a draw and a win of the side to move, of networks with these outputs.
///
/// # Safety
///
/// Each pointer is null or valid, `chances` for three numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_wdl(
    stack: *mut Stack,
    position: *const Position,
    chances: *mut f32,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let chances = unsafe { places(chances, 3, "chances") }?;
        position.check()?;
        let none = || {
            Failure::new(
                Status::NoSuchOutput,
                "the network says one number, and no chances",
            )
        };
        let said = stack.0.wdl(position).ok_or_else(none)?;
        for (place, chance) in chances.iter_mut().zip(said) {
            place.write(chance);
        }
        Ok(())
    })
}

/// The numbers of a named output (`nnue_network_output` lists the names) for the position to which the pushed moves lead; the probabilities of loss, draw
/// and win of an output `wdl(..)`. `*length` is set to how many there are. If `capacity` is not less, they are written to `numbers`; otherwise nothing
/// is written, and `numbers` may be null if `capacity` is 0.
///
/// # Safety
///
/// Each pointer is null or valid, `numbers` for `capacity` items; the text ends with a zero.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_output(
    stack: *mut Stack,
    position: *const Position,
    name: *const c_char,
    numbers: *mut f32,
    capacity: usize,
    length: *mut usize,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let name = unsafe { text(name, "name") }?;
        // SAFETY: the caller's obligation.
        let memory = unsafe { places(numbers, capacity, "numbers") }?;
        // SAFETY: the caller's obligation.
        let length = unsafe { place(length, "length") }?;
        position.check()?;
        let said = stack.0.output(position, name)?;
        length.write(said.len());
        if memory.len() >= said.len() {
            for (place, number) in memory.iter_mut().zip(said) {
                place.write(number);
            }
        }
        Ok(())
    })
}

/// What the network says about the position after each of `count` moves of `position`, by one call: to order moves, or to prune. Values are
/// from the point of view of the side to move there. `evaluations` has room for as many.
///
/// # Safety
///
/// Each pointer is null or valid, `changes` and `evaluations` for `count` items.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn nnue_stack_children(
    stack: *mut Stack,
    position: *const Position,
    changes: *const Change,
    count: usize,
    evaluations: *mut Evaluation,
) -> Status {
    at_border(|| {
        // SAFETY: the caller's obligation.
        let stack = unsafe { exclusive(stack, "stack") }?;
        // SAFETY: the caller's obligation.
        let position = unsafe { shared(position, "position") }?;
        // SAFETY: the caller's obligation.
        let changes = unsafe { list(changes, count, "changes") }?;
        // SAFETY: the caller's obligation.
        let evaluations = unsafe { places(evaluations, count, "evaluations") }?;
        position.check()?;
        write_all(evaluations, stack.0.children(position, changes)?);
        Ok(())
    })
}
