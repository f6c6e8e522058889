//! What went wrong: a code for the program, a message for its user.

use std::any::Any;
use std::cell::Cell;
use std::ffi::c_char;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function of the library says of its success. `nnue_error_message` explains all but the first.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// all went well
    Ok = 0,
    /// an argument is a null pointer and may not be
    NullPointer = 1,
    /// an argument is out of its range: a square, a piece, a colour, a count, a text that is not UTF-8
    BadArgument = 2,
    /// the library has no network of this name
    UnknownNetwork = 3,
    /// the file cannot be read, or is not one of this network
    BadFile = 4,
    /// there is no such instruction level, or this processor lacks it
    BadLevel = 5,
    /// a move is taken back, and none was made
    NothingToPop = 6,
    /// the network does not say it: the chances of win, draw and loss of one that has a single output
    NoSuchOutput = 7,
    /// the library has a bug; the stack or the network that was used must not be used again
    Panic = 8,
    /// a declaration is wrong, needs code of a program, or is not over lists of rows
    BadDeclaration = 9,
    /// rows are no position of the network, or no change of one; nothing was changed
    BadRows = 10,
}

/// A [`Status`] other than `Ok`, and the message for the user. Boxed, so that a result is returned in a
/// register.
pub(crate) struct Failure(Box<(Status, String)>);

impl Failure {
    #[cold]
    pub(crate) fn new(status: Status, message: impl Into<String>) -> Self {
        Self(Box::new((status, message.into())))
    }

    fn of_panic(panic: &(dyn Any + Send)) -> Self {
        let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
        Self::new(
            Status::Panic,
            format!(
                "a bug of the library: {}",
                said.as_deref().unwrap_or("a panic")
            ),
        )
    }

    /// Keeps the message for `nnue_error_message`.
    #[cold]
    fn remember(self) -> Status {
        let (status, message) = *self.0;
        // A thread that is ending has no storage for the message.
        let _ = LAST.try_with(|last| write(&message, last));
        status
    }
}

/// Greatest length of a message in bytes, with the terminating zero.
const MOST: usize = 4096;

thread_local! {
    /// The message of the last failed call of this thread. Its address is fixed as long as the thread lives,
    /// so a pointer to it can be an argument of a call that fails.
    static LAST: Box<[Cell<u8>; MOST]> = Box::new([const { Cell::new(0) }; MOST]);
}

/// Writes a message and a zero; a long message is truncated at a character boundary.
fn write(message: &str, place: &[Cell<u8>; MOST]) {
    let is_end = |&at: &usize| message.is_char_boundary(at);
    let most = message.len().min(MOST - 1);
    let end = (0..=most).rev().find(is_end).unwrap_or(0);
    for (place, byte) in place.iter().zip(message[..end].bytes()) {
        place.set(if byte == 0 { b' ' } else { byte });
    }
    place[end].set(0);
}

/// The message of the last failed call of this thread, valid as long as the thread; empty if there is none.
pub(crate) fn last_message() -> *const c_char {
    LAST.try_with(|last| last.as_ptr().cast())
        .unwrap_or(c"".as_ptr())
}

/// Runs the body of a function that C calls. A panic becomes [`Status::Panic`].
#[inline(always)]
pub(crate) fn at_border(body: impl FnOnce() -> Result<(), Failure>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(failure)) => failure.remember(),
        Err(panic) => Failure::of_panic(&*panic).remember(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_of_any_length_end_with_a_zero() {
        let place = [const { Cell::new(7) }; MOST];
        for (length, expected) in [(0, 0), (5, 5), (MOST - 1, MOST - 1), (MOST, MOST - 2)] {
            // two bytes per character, so that the last one may not fit
            let message: String = "x".repeat(length % 2) + &"\u{e9}".repeat(length / 2);
            write(&message, &place);
            let bytes: Vec<u8> = place.iter().map(Cell::get).collect();
            let text = std::ffi::CStr::from_bytes_until_nul(&bytes).expect("a zero");
            assert_eq!(text.to_bytes().len(), expected, "{length}");
            assert!(message.starts_with(text.to_str().expect("whole characters")));
        }
        write("a\0b", &place);
        assert_eq!([0, 1, 2, 3].map(|at| place[at].get()), *b"a b\0");
    }

    #[test]
    fn a_message_stays_where_it_is() {
        let fail = |message: &str| at_border(|| Err(Failure::new(Status::BadFile, message)));
        let before = last_message();
        assert_eq!(fail("the first"), Status::BadFile);
        assert_eq!(fail(&"long ".repeat(10_000)), Status::BadFile);
        assert_eq!(last_message(), before);
        let other = std::thread::spawn(|| last_message() as usize).join();
        assert_ne!(other.expect("a thread"), before as usize);
    }
}
