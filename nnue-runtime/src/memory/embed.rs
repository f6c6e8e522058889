//! Files in the program.

/// A file of `N` bytes, after `PAD` bytes that align it: rows from byte `start` of the file on are
/// 64-byte aligned, and can be used where they are, if `PAD + start` is a multiple of 64.
#[repr(C, align(64))]
pub struct Embed<const PAD: usize, const N: usize> {
    _pad: [u8; PAD],
    file: [u8; N],
}

impl<const PAD: usize, const N: usize> Embed<PAD, N> {
    /// The file `bytes`.
    pub const fn new(bytes: &[u8; N]) -> Self {
        Self {
            _pad: [0; PAD],
            file: *bytes,
        }
    }

    /// The file.
    pub const fn bytes(&self) -> &[u8] {
        &self.file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_byte_after_the_padding_is_aligned() {
        static FILE: Embed<60, 6> = Embed::new(b"head##");
        assert_eq!(FILE.bytes(), b"head##");
        assert_eq!(FILE.bytes()[4..].as_ptr().addr() % 64, 0);
    }
}
