//! Text: expressions as written in a declaration, and plans as tables.

mod expr;
mod feature;
mod table;

use alloc::format;
use alloc::string::String;

pub(crate) use expr::Inside;
pub use feature::feature;
pub use table::table;

/// `MovesLeft` of `moves_left`: the suffix that an output adds to the name of its network.
pub fn camel_case(name: &str) -> String {
    let word = |word: &str| {
        word.chars()
            .take(1)
            .flat_map(char::to_uppercase)
            .chain(word.chars().skip(1))
            .collect::<String>()
    };
    name.split('_').map(word).collect()
}

/// `(piece_count - minus) / divide` as written in a declaration.
pub fn selector(minus: u64, divide: u64) -> String {
    match minus {
        0 => format!("piece_count / {divide}"),
        _ => format!("(piece_count - {minus}) / {divide}"),
    }
}
