//! Calls of libraries that trust a file.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a library that reads a file. Some damaged files make it panic: that becomes an error, as any other
/// damage.
pub(crate) fn guarded<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("what it says contradicts itself".into()),
    }
}
