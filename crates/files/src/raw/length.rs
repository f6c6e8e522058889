//! Errors about the length of a header-less file.

use alloc::borrow::ToOwned;
use alloc::format;

use nnue_spec::{ElementType, NetDesc, Padding, RawDesc};

use super::to_alignment;
use crate::error::{LoadError, LoadErrorKind};
use crate::published::is_published_version;

/// Advice about a file that begins with the version of a container.
const CONTAINER: &str = "it begins like a Stockfish network: declare it with `format stockfish`";

/// Advice about a file that begins with the magic number of gzip, or that of zstd.
const COMPRESSED: &str =
    "it begins like a compressed file: decompress it (`gunzip`, `unzstd`, `nnue convert`)";

/// Advice about a file whose first word is that of another form of networks.
fn other_form(head: Option<u32>) -> Option<&'static str> {
    match head?.to_le_bytes() {
        [0x1F, 0x8B, 8, _] | [0x28, 0xB5, 0x2F, 0xFD] => Some(COMPRESSED),
        head => is_published_version(u32::from_le_bytes(head)).then_some(CONTAINER),
    }
}

/// The error for a file that ends after `length` bytes, before the end of the last tensor.
pub(super) fn truncated(
    net: &NetDesc<'_>,
    raw: &RawDesc<'_>,
    length: u64,
    head: Option<u32>,
) -> LoadError {
    let size = raw.size(net).unwrap_or_default();
    if length == 0 {
        let message = "zero length: the trainer's quantisation overflowed: it leaves an empty file where a weight does not fit \
                       its type, and prints which one";
        return LoadError::new(LoadErrorKind::Truncated, 0, message).with_values(size, 0);
    }
    let message = format!("`{}` has {size} bytes, the file {length}", net.name);
    let advice = other_form(head).unwrap_or(
        "it is cut off (copy it again), or the declaration has other sizes than the file",
    );
    let mut error = LoadError::new(LoadErrorKind::Truncated, length, message)
        .with_values(size, length)
        .with_advice(advice);
    if let Some(tensor) = tensor_at(net, raw, length) {
        error = error.with_tensor(tensor);
    }
    error
}

/// A file that continues after the last tensor.
pub(super) struct Longer<'r> {
    /// where the last tensor ends
    pub(super) size: u64,
    /// the length of the file
    pub(super) length: u64,
    /// the bytes after the last tensor, or the first of them
    pub(super) rest: &'r [u8],
    /// the type of the bias at its end that would make the file complete
    pub(super) bias: Option<ElementType>,
}

/// The error for a file that continues after the last tensor.
pub(super) fn trailing(net: &NetDesc<'_>, found: &Longer<'_>, head: Option<u32>) -> LoadError {
    let (size, length) = (found.size, found.length);
    let (padding, after) = (to_alignment(size), length - size);
    if after < padding && begins_padding(found.rest) {
        return cut_padding(net, size, length);
    }
    let (message, advice) = if after == padding {
        let message = format!(
            "{padding} bytes that are neither zeros nor `bullet..` come after the {size} bytes of `{}`",
            net.name
        );
        let fits = |element: ElementType| format!("it fits with `fc0_bias: {}`", element.name());
        (message, found.bias.map(fits))
    } else {
        let looks = match begins_text(found.rest) {
            true => " (they begin like the padding of the trainer)",
            false => "",
        };
        let message = format!(
            "{after} bytes come after the {size} bytes of `{}`{looks}, padding would be {padding}",
            net.name
        );
        let advice = other_form(head).unwrap_or(
            "the declaration has other sizes than the file, or lacks a tensor; say `skip: n` for a header of n bytes",
        );
        (message, Some(advice.to_owned()))
    };
    let error =
        LoadError::new(LoadErrorKind::TrailingBytes, size, message).with_values(size, length);
    match advice {
        Some(advice) => error.with_advice(advice),
        None => error,
    }
}

/// The error for a file with more than `most` bytes after the last tensor, which may have no end.
pub(super) fn endless(net: &NetDesc<'_>, size: u64, most: u64) -> LoadError {
    let message = format!(
        "more than {most} bytes come after the {size} bytes of `{}`, padding would be {}",
        net.name,
        to_alignment(size)
    );
    LoadError::new(LoadErrorKind::TrailingBytes, size, message)
        .with_expected(size)
        .with_advice("it is no file of this network, or a device that never ends")
}

/// The error for a file of `length` bytes that ends inside its padding. The bytes may also belong to a tensor
/// that is wider than declared.
fn cut_padding(net: &NetDesc<'_>, size: u64, length: u64) -> LoadError {
    let padding = to_alignment(size);
    let message = format!(
        "{} bytes come after the {size} bytes of `{}`, padding would be {padding}",
        length - size,
        net.name
    );
    LoadError::new(LoadErrorKind::Truncated, length, message)
        .with_values(size + padding, length)
        .with_advice("the file is cut off in its padding (copy it again), or the declaration has other sizes than the file")
}

/// Whether `rest` begins like a padding.
fn begins_padding(rest: &[u8]) -> bool {
    let is = |padding: Padding| {
        rest.iter()
            .enumerate()
            .all(|(index, &byte)| byte == padding.byte(index))
    };
    is(Padding::Zeros) || is(Padding::Text)
}

/// Whether `rest` begins with the text that the trainer pads with. Zeros prove nothing: weights can be zero
/// too.
fn begins_text(rest: &[u8]) -> bool {
    let mut begin = rest.iter().take(TEXT_LENGTH).enumerate();
    rest.len() >= TEXT_LENGTH && begin.all(|(index, &byte)| byte == Padding::Text.byte(index))
}

/// Bytes of the trainer's text that weights do not match by chance.
const TEXT_LENGTH: usize = 6;

/// The name of the tensor that contains byte `offset`.
fn tensor_at<'a>(net: &NetDesc<'a>, raw: &RawDesc<'_>, offset: u64) -> Option<&'a str> {
    let spans = raw.spans(net)?;
    let after = spans.iter().filter(|span| offset < span.end());
    let mut tensors = after.filter_map(|span| span.placed.section.tensor());
    tensors.next().map(|index| net.tensors[index].name)
}
