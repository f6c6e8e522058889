//! Text formats: one or six lines a position, or FENs alone.

pub mod fens;
mod layout;
pub mod line;
mod lines;
pub mod plain;
mod result;

use lines::LONGEST;
pub(crate) use lines::Lines;

use crate::Fault;
use crate::printable::shortened;

fn number<T: std::str::FromStr>(text: &str, expected: &'static str) -> Result<T, Fault> {
    text.parse().map_err(|_| Fault::Word {
        found: shortened(text),
        expected,
    })
}
