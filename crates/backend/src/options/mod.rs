//! Options of backends as text: `check(first, second, freq=0.1)`.
//!
//! ```text
//!   list  = [entry (',' entry)*]
//!   entry = name '=' value | name ['(' list ')'] | '(' list ')'
//!   name  = letters, digits, '_', '-', '.', '/'; anything between quotes
//!   value = anything but blanks, quotes, commas, parentheses and '='; anything between quotes, '..' or ".."
//! ```
//!
//! An entry without `=` is a [`Section`]: a backend inside another one. Values are untyped: the backend that
//! reads one parses it, so `freq=1` is a valid float. Options are looked up in the own section first, then in
//! the enclosing ones, so an option of an outer section applies to all backends inside.

mod kinds;
mod parse;
mod section;

pub use kinds::{Flag, Float, Integer, Opt, OptionHelp, Text, Word};
pub use parse::parse;
pub use section::{Scope, Section, Setting};
