//! Lines on standard error. If it is closed or its disk is full, the line is lost and work goes on.

use std::fmt;
use std::io::{self, Write};

use nnue_data::printable;

/// Prints a warning: `note!("{count} lines are empty")`.
macro_rules! note {
    ($($message:tt)*) => { $crate::note::line(format_args!("note: {}", format_args!($($message)*))) };
}

pub(crate) use note;

/// Writes a line, [`printable`] since it may contain text from files.
pub(crate) fn line(line: fmt::Arguments<'_>) {
    let line = line.to_string();
    let _ = io::stderr().write_all(format!("{}\n", printable(&line)).as_bytes());
}
