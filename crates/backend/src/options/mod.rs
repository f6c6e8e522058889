//! Options of backends as text: `check(first, second, freq=0.1)`.
//!
//! ```text
//!   list  = [entry (',' entry)*]
//!   entry = name '=' value | name ['(' list ')'] | '(' list ')'
//!   name  = letters, digits, '_', '-', '.', '/'; anything between quotes
//!   value = anything but blanks, quotes, commas, parentheses and '='; anything between quotes, '..' or ".."
//! ```
//!
//! An entry without `=` is a [`Section`]: a backend inside another one. A value has no type of its own: the backend that reads it says what it
//! must be, so `freq=1` is a number like `freq=1.0`. A backend looks for an option in its own section first, then in those around it, so an option
//! of an outer section holds for all backends inside.

mod kinds;
mod parse;
mod section;

pub use kinds::{Flag, Float, Integer, Opt, OptionHelp, Text, Word};
pub use parse::parse;
pub use section::{Scope, Section, Setting};
