//! Positions of golden values, for generated code.

use core::borrow::Borrow;
use core::str::FromStr;

/// Calls `read` with a position that a user's function returned: the position type of the inputs,
/// or a type that borrows as it, such as `Box`.
pub fn with_position<P: ?Sized, G: Borrow<P>, R>(given: G, read: impl FnOnce(&P) -> R) -> R {
    read(given.borrow())
}

/// Calls `read` with the position parsed from `text`; `None` if it is not a position.
pub fn with_text<P: FromStr, R>(text: &str, read: impl FnOnce(&P) -> R) -> Option<R> {
    text.parse().ok().as_ref().map(read)
}
