//! Recognises common files that are not networks of this crate by their first bytes.

use crate::damage;
use crate::published::is_published_version;

/// The byte order mark of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Bytes from the start of a file that [`identify`] looks at.
pub const HEAD: usize = 64;

/// Files that are mistaken for networks, by their first bytes.
const SIGNATURES: &[(&[u8], &str)] = &[
    (b"\x89PNG", "a PNG picture"),
    (b"\xFF\xD8\xFF", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a RIFF file (a WebP picture or a sound)"),
    (b"%PDF", "a PDF document"),
    (
        b"\x1F\x8B\x08",
        "a file compressed by gzip: decompress it (`gunzip`); `nnue convert` decompresses networks, \
         and `--backend 'lc0(weights=FILE)'` reads weights of Leela Chess Zero",
    ),
    (
        b"PK\x03\x04",
        "a zip archive, as are a PyTorch checkpoint, a `.pt2` and a numpy `.npz`: `nnue import torch` reads a `.pt2`, \
         `nnue quantize` the floats of a `.npz`; unpack other archives",
    ),
    (b"BZh", "bzip2-compressed: unpack it first (`bunzip2`)"),
    (b"\xFD7zXZ", "xz-compressed: unpack it first (`unxz`)"),
    (
        b"\x28\xB5\x2F\xFD",
        "a file compressed by zstd: decompress it (`unzstd`); `nnue convert` decompresses networks",
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
    (
        b"\x93NUMPY",
        "a numpy array: `nnue quantize` reads several of them from one `.npz` (`numpy.savez`) or a folder",
    ),
    (
        b"\x80\x02\x8A\x0A\x6C\xFC\x9C\x46\xF9\x20\x6A\xA8\x50\x19.",
        "a PyTorch checkpoint of before 2020, objects of Python: save its tensors with `safetensors.torch.save_file`, \
         which `nnue quantize` reads",
    ),
    (
        b"\x89HDF\r\n\x1A\n",
        "an HDF5 file, as Keras writes it: save its arrays with `numpy.savez`, which `nnue quantize` reads",
    ),
    (b"GGUF", "a GGUF model"),
    (b"PAR1", "a Parquet table"),
    (b"ARROW1", "an Arrow table"),
    (b"\0asm", "a WebAssembly program"),
    (b"!<arch>\n", "a library of object files"),
    (
        b"\x04\x22\x4D\x18",
        "lz4-compressed: unpack it first (`unlz4`)",
    ),
    (
        b"\x0D\xC0\x01\0\0",
        "weights of Leela Chess Zero: evaluate with `--backend 'lc0(weights=FILE)'`",
    ),
    (
        b"BINP",
        "training data (binpack): `nnue data stats --from binpack` reads it",
    ),
    (
        b"nnuecach",
        "a cache of this program's evaluations: `nnue cache stats` reads it",
    ),
    (
        b"nnue-train checkpoint",
        "a checkpoint of a training: `nnue train RUN --resume` goes on with it",
    ),
    (
        b"[Event ",
        "games (PGN): `nnue eval --games` and `nnue data stats` read them",
    ),
    (b"SQLite format 3", "an SQLite database"),
];

/// What kind of file begins with `head`, and what reads it, if it is a known one: `a PNG picture`. The head has the
/// first [`HEAD`] bytes of the file, or all if there are fewer.
pub fn identify(head: &[u8]) -> Option<&'static str> {
    let head = &head[..head.len().min(HEAD)];
    if let Some((_, name)) = SIGNATURES
        .iter()
        .find(|(signature, _)| head.starts_with(signature))
    {
        return Some(name);
    }
    damage::identify(head)
        .or_else(|| of_structure(head))
        .or_else(|| of_text(head))
}

/// Formats without a signature, by the structure of their start.
fn of_structure(head: &[u8]) -> Option<&'static str> {
    if is_safetensors(head) {
        return Some("safetensors (floats of a trainer): `nnue quantize` reads them");
    }
    if is_named_tensor(head) {
        return Some(
            "floats with names, as in the trainer bullet's `weights.bin`: `nnue quantize` reads them",
        );
    }
    if is_pickle(head) {
        return Some(
            "a pickle, objects of Python: save its arrays with `numpy.savez`, which `nnue quantize` reads",
        );
    }
    if head.get(4..8) == Some(b"TFL3") {
        return Some("a model of TensorFlow Lite");
    }
    if is_reversed(head) {
        return Some(
            "a Stockfish network with the bytes of its words reversed, as a machine of the other byte order writes it: \
             write it again in little endian",
        );
    }
    is_onnx(head).then_some("a file that begins like an ONNX model: `nnue import onnx` reads those")
}

/// The version of a Stockfish container in big endian.
fn is_reversed(head: &[u8]) -> bool {
    let version = head.first_chunk().map(|word| u32::from_be_bytes(*word));
    version.is_some_and(is_published_version)
}

/// The length of the header, which is an object of JSON.
fn is_safetensors(head: &[u8]) -> bool {
    let [_, _, _, _, 0, 0, 0, 0, b'{', next, ..] = head else {
        return false;
    };
    matches!(next, b'"' | b'}') || next.is_ascii_whitespace()
}

/// The protocol of a pickle, then a frame whose length has 64 bits, an empty dictionary or list with its number, or the
/// module of a class. Integers of a network could begin with the first two bytes.
fn is_pickle(head: &[u8]) -> bool {
    match head {
        [0x80, 4 | 5, 0x95, _, _, _, _, 0, 0, 0, 0, ..] => true,
        [0x80, 2 | 3, b'}' | b']', b'q', 0, ..] => true,
        [0x80, 2 | 3, b'c', module @ ..] => {
            let name = module.iter().take_while(|&&byte| byte != b'\n');
            let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_.".contains(byte);
            module.contains(&b'\n') && name.clone().count() > 2 && name.into_iter().all(is_of_name)
        }
        _ => false,
    }
}

/// A name, a line feed, and the number of floats, of which there are less than 4 thousand million.
fn is_named_tensor(head: &[u8]) -> bool {
    let is_of_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-');
    let name = head.iter().take_while(|byte| is_of_name(byte)).count();
    let begins_with_letter = head.first().is_some_and(u8::is_ascii_alphabetic);
    match &head[name..] {
        [b'\n', a, b, c, d, 0, 0, 0, 0, ..] => begins_with_letter && [a, b, c, d] != [&0; 4],
        _ => false,
    }
}

/// The version of the representation, then the name of the program that made the model, or the graph with a first node.
fn is_onnx(head: &[u8]) -> bool {
    let [0x08, 1..=32, tag, rest @ ..] = head else {
        return false;
    };
    let length = rest.iter().take_while(|&&byte| byte >= 0x80).count();
    let Some(content) = rest.get(length + 1..) else {
        return false;
    };
    match tag {
        0x12 => {
            let name = content.get(..usize::from(rest[0]));
            name.is_some_and(|name| !name.is_empty() && name.iter().all(u8::is_ascii_graphic))
        }
        0x3A => length <= 4 && content.first() == Some(&0x0A),
        _ => false,
    }
}

fn of_text(head: &[u8]) -> Option<&'static str> {
    if is_utf16(head) {
        return Some("a text in UTF-16: save it as UTF-8");
    }
    let text = head.trim_ascii_start();
    if starts_with_ignoring_case(text, b"<!doctype html")
        || starts_with_ignoring_case(text, b"<html")
    {
        return Some("an HTML page: the download went to a page instead of the file");
    }
    if head.len() < 12 || !is_utf8_text(head) {
        return None;
    }
    Some(match text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text) {
        [b'{', ..] => {
            "a text that begins like JSON: `nnue quantize` reads lists of floats with names"
        }
        [b'1' | b'2', b'\n', b'-' | b'0'..=b'9', ..] => {
            "a text of numbers: Leela Chess Zero had weights of this form before 2019, which are not read here; take the network as `.pb.gz`"
        }
        _ => "a text file",
    })
}

/// Characters of UTF-8 without control characters; the last one may be cut off.
fn is_utf8_text(head: &[u8]) -> bool {
    let valid = match core::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if error.error_len().is_none() => {
            core::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default()
        }
        Err(_) => return false,
    };
    let is_printable = |c: char| !c.is_control() || c.is_ascii_whitespace();
    !valid.is_empty() && valid.chars().all(is_printable)
}

/// A byte order mark, then characters of ASCII.
fn is_utf16(head: &[u8]) -> bool {
    let (order, units): (fn([u8; 2]) -> u16, _) = match head {
        [0xFF, 0xFE, units @ ..] => (u16::from_le_bytes, units),
        [0xFE, 0xFF, units @ ..] => (u16::from_be_bytes, units),
        _ => return false,
    };
    let (units, _) = units.as_chunks();
    let is_printable = |&unit: &[u8; 2]| {
        u8::try_from(order(unit)).is_ok_and(|c| c.is_ascii_graphic() || c.is_ascii_whitespace())
    };
    units.len() >= 4 && units.iter().all(is_printable)
}

fn starts_with_ignoring_case(bytes: &[u8], prefix: &[u8]) -> bool {
    bytes
        .get(..prefix.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(head: &[u8]) -> &'static str {
        identify(head).unwrap_or("numbers")
    }

    #[test]
    fn files_of_python_are_named() {
        let legacy = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.\x80\x02M\xe9\x03.";
        assert!(kind(legacy).starts_with("a PyTorch checkpoint"));
        for head in [
            &b"\x80\x04\x95\x1a\0\0\0\0\0\0\0}\x94\x8c\x01a"[..],
            b"\x80\x05\x95\x1a\0\0\0\0\0\0\0]\x94",
            b"\x80\x03}q\0X\x01\0\0\0aq\x01",
            b"\x80\x02ccollections\nOrderedDict\nq\0)",
        ] {
            assert!(kind(head).starts_with("a pickle"), "{head:?}");
        }
        assert!(kind(b"\x89HDF\r\n\x1a\n\0\0\0\0").starts_with("an HDF5 file"));
        assert!(kind(b"\x40\0\0\0\0\0\0\0{\n \"l0w\"").starts_with("safetensors"));
        assert_eq!(
            kind(b"\x1c\0\0\0TFL3\x14\0 \0"),
            "a model of TensorFlow Lite"
        );
    }

    #[test]
    fn texts_are_named_whatever_their_letters() {
        assert_eq!(kind("0,25; 0,5; größer".as_bytes()), "a text file");
        assert_eq!(kind(b"\xEF\xBB\xBF0.25, 0.5, 1"), "a text file");
        assert!(kind(b"\xEF\xBB\xBF{\"l0w\": [0.5]}").contains("JSON"));
        let cut = "äääääääääääääääääääääääääääääääääää".as_bytes();
        assert_eq!(kind(&cut[..HEAD - 1]), "a text file");
    }

    /// Weights begin like no other file.
    #[test]
    fn numbers_are_not_named() {
        for protocol in 2..6_u16 {
            let weights = [
                u16::from_le_bytes([0x80, protocol as u8]),
                0x0028,
                0xFFE0,
                0x0013,
                7,
                9,
            ];
            assert_eq!(kind(&weights.map(u16::to_le_bytes).concat()), "numbers");
        }
        for seed in 0..20_000_u32 {
            let mut state = seed.wrapping_mul(0x9E37_79B9) | 1;
            let mut small = || {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                (state % 400) as i16 - 200
            };
            let weights: Vec<u8> = (0..32).flat_map(|_| small().to_le_bytes()).collect();
            assert_eq!(kind(&weights), "numbers", "{seed}");
            let floats: Vec<u8> = (0..16)
                .flat_map(|_| (f32::from(small()) / 256.0).to_le_bytes())
                .collect();
            assert_eq!(kind(&floats), "numbers", "{seed}");
        }
    }
}
