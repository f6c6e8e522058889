//! Escapes text of files for messages: a file must not move the cursor, colour the terminal or hide a part of
//! a message.

use std::fmt::{self, Write};

/// Shows a text with invisible characters escaped: control characters, direction marks, byte order marks.
/// Line breaks, tabs, quotes and backslashes stay.
///
/// ```
/// use nnue_data::printable;
///
/// assert_eq!(printable("1. \u{1b}[31mevil").to_string(), "1. \\u{1b}[31mevil");
/// assert_eq!(printable("caf\u{e9} \"d4\"\n").to_string(), "caf\u{e9} \"d4\"\n");
/// ```
pub fn printable(text: &str) -> Printable<'_> {
    Printable(text)
}

/// A text as [`printable`] shows it.
#[derive(Clone, Copy, Debug)]
pub struct Printable<'a>(&'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| {
            if is_visible(c) {
                f.write_char(c)
            } else {
                write!(f, "{}", c.escape_debug())
            }
        })
    }
}

fn is_visible(c: char) -> bool {
    matches!(c, '\n' | '\t' | '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

/// The most characters of a word in a message.
const SHOWN: usize = 80;

/// The beginning of a word of a file, escaped for messages.
pub(crate) fn shortened(word: &str) -> String {
    let end = word
        .char_indices()
        .nth(SHOWN)
        .map_or(word.len(), |(end, _)| end);
    printable(&word[..end]).to_string()
}
