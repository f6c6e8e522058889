//! Digests of positions and networks.

use twox_hash::XxHash3_128;

/// A digest of words, the same in every run and on every machine: 128-bit XXH3 of their bytes. Among 10^9
/// positions, the chance of a collision is 10^-21.
#[derive(Clone, Debug, Default)]
pub struct Digest {
    bytes: Vec<u8>,
}

impl Digest {
    /// An empty digest.
    pub fn new() -> Self {
        Self {
            bytes: Vec::with_capacity(256),
        }
    }

    /// Adds a word.
    pub fn word(&mut self, word: u64) {
        self.bytes.extend_from_slice(&word.to_le_bytes());
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Adds a text and its length.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// The digest of all words.
    pub fn finish(&self) -> u128 {
        XxHash3_128::oneshot(&self.bytes)
    }
}

/// The digest of a name and words.
pub(crate) fn digest_of(name: &str, words: &[u64]) -> u128 {
    let mut digest = Digest::new();
    digest.text(name);
    words.iter().for_each(|&word| digest.word(word));
    digest.finish()
}

/// Both halves of a digest as words.
pub(crate) const fn halves(digest: u128) -> [u64; 2] {
    [digest as u64, (digest >> 64) as u64]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_the_published_hash() {
        assert_eq!(
            Digest::new().finish(),
            0x99aa_06d3_0147_98d8_6001_c324_468d_497f
        );
        assert_ne!(digest_of("a", &[1]), digest_of("a", &[2]));
        assert_ne!(digest_of("a", &[]), digest_of("b", &[]));
    }
}
