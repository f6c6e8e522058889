//! Files in the program.

/// A file of `N` bytes, placed so that the one after its first `BEFORE` bytes is 64-byte aligned
/// (`PAD` is what is missing from `BEFORE` to a multiple of 64). Rows that start there are used
/// where they are.
#[repr(C, align(64))]
pub struct Embed<const PAD: usize, const N: usize> {
    pad: [u8; PAD],
    file: [u8; N],
}

impl<const PAD: usize, const N: usize> Embed<PAD, N> {
    /// The file `bytes`.
    pub const fn new(bytes: &[u8; N]) -> Self {
        Self {
            pad: [0; PAD],
            file: *bytes,
        }
    }

    /// The file.
    pub const fn bytes(&self) -> &[u8] {
        let _ = &self.pad;
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
