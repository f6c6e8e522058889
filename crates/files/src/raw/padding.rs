//! The padding after the last tensor; see `docs/files.md`, "Files without a header".

use alloc::format;

use nnue_spec::{NetDesc, Padding, RawDesc};

use super::to_alignment;
use crate::error::{LoadError, LoadErrorKind};

/// The kind of the padding `rest`, the bytes after the tensors. `None` if they are not a padding.
pub(super) fn recognise(size: u64, rest: &[u8]) -> Option<Padding> {
    let is = |padding: Padding| {
        rest.iter()
            .enumerate()
            .all(|(index, &byte)| byte == padding.byte(index))
    };
    match rest.len() as u64 {
        0 => Some(Padding::None),
        length if length != to_alignment(size) => None,
        _ => [Padding::Zeros, Padding::Text]
            .into_iter()
            .find(|&padding| is(padding)),
    }
}

/// Refuses any padding but the declared one. A file whose size is a multiple of the alignment has no padding.
pub(super) fn check(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    size: u64,
    found: Padding,
) -> Result<(), LoadError> {
    let needed = to_alignment(size);
    if raw.padding == Padding::Any || raw.padding == found || needed == 0 {
        return Ok(());
    }
    let declared = raw.padding.name();
    let (kind, message) = match found {
        Padding::None => (
            LoadErrorKind::Truncated,
            format!(
                "no padding comes after the {size} bytes of `{}`, declared are {needed} bytes `{declared}`",
                net.name
            ),
        ),
        _ => (
            LoadErrorKind::TrailingBytes,
            format!(
                "{needed} bytes of padding `{}` come after the {size} bytes of `{}`, declared is `{declared}`",
                found.name(),
                net.name
            ),
        ),
    };
    let message = format!(
        "{message}: write `padding: {}` or `padding: any`",
        found.name()
    );
    Err(LoadError::new(kind, size, message))
}
