//! Calls of libraries that trust a file.

use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a library makes of a file. Some that are damaged in a certain way make it panic: that is an error of the file, as all others.
pub(super) fn guarded<T, E: Display>(read: impl FnOnce() -> Result<T, E>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(read) => read.map_err(|error| error.to_string()),
        Err(_) => Err("what it says contradicts itself".into()),
    }
}
