//! What went wrong: a code for the program, a message for its user.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::CString;
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
}

/// A [`Status`] other than `Ok`, and what to tell the user. One pointer, so that a result without one is returned in a register.
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
        let text = message.replace('\0', " ");
        LAST.with_borrow_mut(|last| *last = CString::new(text).unwrap_or_default());
        status
    }
}

thread_local! {
    /// of the last call of this thread that failed
    static LAST: RefCell<CString> = RefCell::default();
}

/// The message of the last call of this thread that failed, valid until the next one fails; empty if none did.
pub(crate) fn last_message() -> *const std::ffi::c_char {
    LAST.with_borrow(|last| last.as_ptr())
}

/// Runs the body of a function that C calls. A panic ends here.
#[inline(always)]
pub(crate) fn at_border(body: impl FnOnce() -> Result<(), Failure>) -> Status {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(failure)) => failure.remember(),
        Err(panic) => Failure::of_panic(&*panic).remember(),
    }
}
