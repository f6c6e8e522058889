//! Lines on standard error. It may be closed or on a full disk: then the line is lost, and work goes on.

use std::fmt;
use std::io::{self, Write};

use nnue_data::printable;

/// Says something that the user should know, though nothing is wrong.
#[doc(hidden)]
#[macro_export]
macro_rules! __note {
    ($($message:tt)*) => { $crate::note::line(format_args!("note: {}", format_args!($($message)*))) };
}

/// Says something that the user should know, though nothing is wrong: `note!("{count} lines are empty")`.
pub use __note as note;

/// Writes a line. What files have put into it is [`printable`].
pub fn line(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let _ = io::stderr().write_all(format!("{}\n", printable(&line)).as_bytes());
}
