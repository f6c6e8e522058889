//! What the bytes after the end of a network are.

use alloc::format;
use alloc::string::String;

use crate::published::is_published_version;

/// Bytes of text that do not look so by chance.
const TEXT: usize = 12;

/// The bytes after a network.
pub(crate) struct Appended<'r> {
    /// the first of them, at least one
    pub(crate) bytes: &'r [u8],
    /// whether these are all
    pub(crate) is_all: bool,
}

impl Appended<'_> {
    /// How many bytes there are and what they look like: `52 bytes, all 0x00`.
    pub(crate) fn in_words(&self) -> String {
        let count = self.bytes.len();
        let more = if self.is_all { "" } else { "more than " };
        let unit = if count == 1 { "byte" } else { "bytes" };
        format!("{more}{count} {unit}{}", self.contents())
    }

    fn contents(&self) -> String {
        let first = self.bytes[0];
        if self.bytes.iter().all(|&byte| byte == first) {
            let all = if self.is_all { "all" } else { "at first all" };
            return format!(", {all} {first:#04x}");
        }
        if self.begins_network() {
            return String::from(", which begin like another network");
        }
        let printable = |byte: &u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
        let text = self
            .bytes
            .iter()
            .take_while(|&byte| printable(byte))
            .count();
        if text >= TEXT {
            return String::from(", which begin with text");
        }
        String::new()
    }

    fn begins_network(&self) -> bool {
        self.word().is_some_and(is_published_version)
    }

    /// The first four bytes.
    pub(crate) fn word(&self) -> Option<u32> {
        self.bytes
            .first_chunk()
            .map(|word| u32::from_le_bytes(*word))
    }
}
