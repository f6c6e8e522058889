//! Text for people: expressions as they are written, and plans as tables.

mod expr;
mod table;

pub use table::table;
