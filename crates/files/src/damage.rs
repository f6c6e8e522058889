//! Recognises networks of Stockfish that went through a conversion of text, by what became of their version.
//!
//! ```text
//!   20 2F F3 7A           the version of a network
//!   20 2F C3 B3 7A        read as Latin-1, written as UTF-8
//!   20 2F EF BF BD 7A     read as UTF-8, which replaced the invalid byte F3
//!   EF BB BF 20 2F F3 7A  a byte order mark in front
//! ```

use crate::published::published_versions;

const BYTE_ORDER_MARK: &[u8] = &[0xEF, 0xBB, 0xBF];
const REPLACEMENT: &[u8] = &[0xEF, 0xBF, 0xBD];

const REPLACED: &str = "what remains of a Stockfish network that was read as UTF-8 text, which replaced bytes of it: copy or download it \
    again as a binary file";
const WIDENED: &str = "what a conversion of text made of a Stockfish network (it was read as Latin-1 and written as UTF-8): copy or \
    download it again as a binary file";
const MARKED: &str = "a byte order mark (ef bb bf) in front of a Stockfish network: copy or download it again as a binary file";

/// What happened to a network whose file begins with `head`.
pub(crate) fn identify(head: &[u8]) -> Option<&'static str> {
    published_versions().find_map(|version| of_version(head, version.to_le_bytes()))
}

fn of_version(head: &[u8], version: [u8; 4]) -> Option<&'static str> {
    let replaced = |byte: u8| Utf8::of(REPLACEMENT, byte);
    let latin1 = |byte: u8| Utf8::of(&[0xC0 | byte >> 6, 0x80 | byte & 0x3F], byte);
    if begins_with(head, version, replaced) {
        Some(REPLACED)
    } else if begins_with(head, version, latin1) {
        Some(WIDENED)
    } else {
        let rest = head.strip_prefix(BYTE_ORDER_MARK)?;
        rest.starts_with(&version).then_some(MARKED)
    }
}

/// What a byte becomes.
struct Utf8 {
    bytes: [u8; 3],
    length: usize,
}

impl Utf8 {
    /// `above` if the byte is not ASCII, else the byte.
    fn of(above: &[u8], byte: u8) -> Self {
        let mut bytes = [byte, 0, 0];
        if byte.is_ascii() {
            return Self { bytes, length: 1 };
        }
        bytes[..above.len()].copy_from_slice(above);
        Self {
            bytes,
            length: above.len(),
        }
    }
}

/// Whether `head` begins with `version` after a conversion of each byte.
fn begins_with(mut head: &[u8], version: [u8; 4], became: impl Fn(u8) -> Utf8) -> bool {
    version.into_iter().all(|byte| {
        let Utf8 { bytes, length } = became(byte);
        let rest = head.strip_prefix(&bytes[..length]);
        head = rest.unwrap_or_default();
        rest.is_some()
    })
}
