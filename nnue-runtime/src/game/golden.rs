//! Positions of golden values, for generated code.

use core::borrow::Borrow;
use core::str::FromStr;

/// Calls `read` with a position that a function of the program gave: of the type that the inputs read, or one that holds it, as `Box` does.
pub fn with_position<P: ?Sized, G: Borrow<P>, R>(given: G, read: impl FnOnce(&P) -> R) -> R {
    read(given.borrow())
}

/// Calls `read` with the position that `text` says; nothing is called if it is none.
pub fn with_text<P: FromStr, R>(text: &str, read: impl FnOnce(&P) -> R) -> Option<R> {
    text.parse().ok().as_ref().map(read)
}
