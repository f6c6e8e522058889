//! Readable text: expressions as they are written, and plans as tables.

mod expr;
mod feature;
mod table;

use alloc::format;
use alloc::string::String;

pub use feature::feature;
pub use table::table;

/// `(piece_count - minus) / divide`, as it is written in a declaration.
pub fn selector(minus: u64, divide: u64) -> String {
    match minus {
        0 => format!("piece_count / {divide}"),
        _ => format!("(piece_count - {minus}) / {divide}"),
    }
}
