//! Recognises common files that are not networks by their first bytes.

/// Files that are mistaken for networks, by their first bytes.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG picture"),
    (b"\xFF\xD8\xFF", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF file (a WebP picture or a sound)"),
    (b"%PDF", "a PDF document"),
    (b"\x1F\x8B", "gzip-compressed: unpack it first (`gunzip`)"),
    (
        b"PK\x03\x04",
        "a zip archive (or a PyTorch checkpoint): unpack or convert it first",
    ),
    (b"BZh", "bzip2-compressed: unpack it first (`bunzip2`)"),
    (b"\xFD7zXZ", "xz-compressed: unpack it first (`unxz`)"),
    (
        b"\x28\xB5\x2F\xFD",
        "zstd-compressed: unpack it first (`unzstd`)",
    ),
    (b"7z\xBC\xAF", "a 7z archive: unpack it first"),
    (
        b"\x7FELF",
        "a program (ELF): a Stockfish program writes its network with the command `export_net`",
    ),
    (
        b"MZ",
        "a Windows program: a Stockfish program writes its network with the command `export_net`",
    ),
    (
        b"\xCF\xFA\xED\xFE",
        "a macOS program: a Stockfish program writes its network with the command `export_net`",
    ),
    (
        b"version https://git-lfs",
        "a git-LFS pointer and not the network itself: run `git lfs pull`",
    ),
    (b"\x93NUMPY", "a numpy array"),
    (b"SQLite format 3", "an SQLite database"),
];

/// The kind of a file that begins with `bytes`, if it is a known one.
pub(crate) fn identify(bytes: &[u8]) -> Option<&'static str> {
    if let Some((_, name)) = SIGNATURES
        .iter()
        .find(|(signature, _)| bytes.starts_with(signature))
    {
        return Some(name);
    }
    let text = bytes.trim_ascii_start();
    if starts_with_ignoring_case(text, b"<!doctype html")
        || starts_with_ignoring_case(text, b"<html")
    {
        return Some("an HTML page: the download went to a page instead of the file");
    }
    if bytes.len() >= 12
        && bytes
            .iter()
            .all(|&byte| byte.is_ascii_graphic() || byte.is_ascii_whitespace())
    {
        return Some("a text file");
    }
    None
}

fn starts_with_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes
        .get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}
