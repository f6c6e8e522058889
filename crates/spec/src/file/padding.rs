//! The padding at the end of a file.

/// The bytes after the last tensor, up to a multiple of [`Padding::ALIGNMENT`] bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Padding {
    /// nothing
    None,
    /// zeros
    Zeros,
    /// `bulletbullet..`, from its first letter
    Text,
    /// any of these; written as [`Self::Text`], as bullet does
    Any,
}

impl Padding {
    /// File sizes are padded to a multiple of this many bytes.
    pub const ALIGNMENT: usize = 64;

    /// The name as written in a declaration.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zeros => "zeros",
            Self::Text => "bullet",
            Self::Any => "any",
        }
    }

    /// Byte `index` of the padding. [`Self::None`] has no padding.
    pub const fn byte(self, index: usize) -> u8 {
        match self {
            Self::None | Self::Zeros => 0,
            Self::Text | Self::Any => b"bullet"[index % 6],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_starts_with_its_first_letter() {
        let text: alloc::vec::Vec<u8> = (0..8).map(|index| Padding::Text.byte(index)).collect();
        assert_eq!(text, b"bulletbu");
    }
}
