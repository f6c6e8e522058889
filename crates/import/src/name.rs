//! Names from files, for messages.

/// Most characters of a name that are shown.
const SHOWN: usize = 80;

/// A name from a file without line breaks, shortened to a line.
pub(crate) fn shown(name: &str) -> String {
    let mut text: String = name
        .chars()
        .take(SHOWN)
        .flat_map(char::escape_debug)
        .collect();
    if name.chars().nth(SHOWN).is_some() {
        text += "..";
    }
    text
}
