//! Networks whose names have the begin of their hash: `nn-<12 digits of SHA-256>.nnue`.

use std::io::{self, Read};
use std::path::Path;

use sha2::{Digest, Sha256};

/// Digits of the hash in a name.
const DIGITS: usize = 12;

/// A file that is hashed while it is read, if its name says what its hash must be.
#[derive(Debug)]
pub struct Named<R> {
    file: R,
    /// digits in the name, and the hash of what was read
    expected: Option<(String, Sha256)>,
}

impl<R: Read> Named<R> {
    /// `file` has the bytes of the network at `path`, decompressed.
    pub fn new(path: &Path, file: R) -> Self {
        let digits = path.file_name().and_then(|name| digits(name.to_str()?));
        Self {
            file,
            expected: digits.map(|digits| (digits, Sha256::default())),
        }
    }

    /// Reads what is left. Says so if the bytes have another hash than the name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn difference(mut self) -> io::Result<Option<String>> {
        if self.expected.is_none() {
            return Ok(None);
        }
        io::copy(&mut self, &mut io::sink())?;
        Ok(self.expected.and_then(|(expected, hash)| {
            let hash = hash.finalize();
            let found: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
            let found = &found[..DIGITS];
            (found != expected).then(|| {
                format!(
                    "it is not the network of its name: its SHA-256 begins {found}, the name says {expected}"
                )
            })
        }))
    }
}

impl<R: Read> Read for Named<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = self.file.read(buffer)?;
        if let Some((_, hash)) = &mut self.expected {
            hash.update(&buffer[..bytes]);
        }
        Ok(bytes)
    }
}

/// The digits of a hash in the name of a network, which may be compressed.
fn digits(name: &str) -> Option<String> {
    let name = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".zst"))
        .unwrap_or(name);
    let digits = name.strip_prefix("nn-")?.strip_suffix(".nnue")?;
    let are_digits = digits.len() == DIGITS && digits.bytes().all(|c| c.is_ascii_hexdigit());
    are_digits.then(|| digits.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_twelve_digits() {
        for (name, expected) in [
            ("nn-ba7816bf8f01.nnue", Some("ba7816bf8f01")),
            ("nn-BA7816BF8F01.nnue", Some("ba7816bf8f01")),
            ("nn-ba7816bf8f01.nnue.zst", Some("ba7816bf8f01")),
            ("nn-ba7816bf8f01.nnue.gz", Some("ba7816bf8f01")),
            ("nn-ba7816bf8f0.nnue", None),
            ("nn-ba7816bf8f0g.nnue", None),
            ("nn-epoch-12.nnue", None),
            ("nn-ba7816bf8f01.bin", None),
            ("main.nnue", None),
        ] {
            assert_eq!(digits(name).as_deref(), expected, "{name}");
        }
    }

    #[test]
    fn content_is_compared_with_the_name() {
        let difference = |name: &str, read: usize| {
            let mut file = Named::new(Path::new(name), &b"abc"[..]);
            file.read_exact(&mut vec![0; read]).unwrap();
            file.difference().unwrap()
        };
        for read in 0..=3 {
            assert_eq!(difference("nets/nn-ba7816bf8f01.nnue", read), None);
            assert_eq!(difference("nets/main.nnue", read), None);
            assert_eq!(
                difference("nn-0a7816bf8f01.nnue", read).as_deref(),
                Some(
                    "it is not the network of its name: its SHA-256 begins ba7816bf8f01, the name says 0a7816bf8f01"
                )
            );
        }
    }
}
