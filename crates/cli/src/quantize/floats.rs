//! Files of floats: detects the format and reads the tensors.

use nnue_spec::NetDesc;
use nnue_tools::quantize::{Factoriser, FloatTensor, QuantizeError, named, split};

use super::safetensors;

/// Upper bound of a safetensors header.
const MAX_HEADER: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Safetensors,
    /// bullet's `optimiser_state/weights.bin`: tensors with names
    Named,
    /// bullet's `raw.bin`: floats only
    Raw,
}

impl Kind {
    /// Detects the format from the start of the file.
    pub(super) fn of(file: &[u8]) -> Self {
        let is_named = || {
            let line = file
                .iter()
                .take(256)
                .position(|&byte| byte == b'\n')
                .map(|end| &file[..end]);
            line.is_some_and(|line| !line.is_empty() && line.iter().all(u8::is_ascii_graphic))
        };
        // As two floats, such a length would be a number close to zero and a zero.
        let is_length = |bytes: &[u8; 8]| (2..MAX_HEADER).contains(&u64::from_le_bytes(*bytes));
        match file.split_first_chunk() {
            Some((length, [b'{', ..])) if is_length(length) => Self::Safetensors,
            _ if is_named() => Self::Named,
            _ => Self::Raw,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Safetensors => "safetensors",
            Self::Named => "tensors with names, as bullet's weights.bin",
            Self::Raw => "floats without names, as bullet's raw.bin",
        }
    }

    pub(super) fn read(
        self,
        net: &NetDesc<'_>,
        file: &[u8],
        factoriser: &Factoriser,
    ) -> Result<Vec<FloatTensor>, QuantizeError> {
        match self {
            Self::Safetensors => safetensors::read(file),
            Self::Named => named(file),
            Self::Raw => split(net, file, factoriser),
        }
    }
}

/// Most bytes of a file for a network of `floats` floats: four times as many floats, which leaves room for
/// factorisers and ignored tensors, and a header.
pub(super) const fn most(floats: u64) -> u64 {
    4 * 4 * floats + MAX_HEADER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_by_their_first_bytes() {
        assert_eq!(
            Kind::of(b"\x40\0\0\0\0\0\0\0{\"l0w\":{}}"),
            Kind::Safetensors
        );
        assert_eq!(Kind::of(b"l0b\n\x02\0\0\0\0\0\0\0"), Kind::Named);
        assert_eq!(Kind::of(&1.25_f32.to_le_bytes().repeat(9)), Kind::Raw);
        assert_eq!(Kind::of(b""), Kind::Raw);
        // three floats; the last one begins with a brace
        assert_eq!(
            Kind::of(&[0, 0, 128, 63, 0, 0, 128, 63, b'{', 0, 128, 63]),
            Kind::Raw
        );
    }
}
