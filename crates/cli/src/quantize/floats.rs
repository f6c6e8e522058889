//! Files of floats: detects the format and reads the tensors.

use nnue_spec::NetDesc;
use nnue_tools::quantize::{Factoriser, FloatTensor, QuantizeError, named, split};

use super::{json, npz, safetensors};
use crate::input::kind;

/// Upper bound of a safetensors header.
const MAX_HEADER: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Safetensors,
    /// text: lists with names
    Json,
    /// numpy's arrays with names
    Npz,
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
            _ if file.starts_with(b"PK\x03\x04") => Self::Npz,
            _ if is_object(file) => Self::Json,
            _ if is_named() => Self::Named,
            _ => Self::Raw,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Safetensors => "safetensors",
            Self::Json => "JSON of lists with names",
            Self::Npz => "arrays of numpy",
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
        match self.named(file) {
            Some(tensors) => tensors,
            None => match other_kind(file) {
                Some(error) => Err(error),
                None => split(net, file, factoriser),
            },
        }
    }

    /// The tensors of a file that names them.
    pub(super) fn named(self, file: &[u8]) -> Option<Result<Vec<FloatTensor>, QuantizeError>> {
        match self {
            Self::Safetensors => Some(safetensors::read(file)),
            Self::Json => Some(json::read(file)),
            Self::Npz => Some(npz::read(file)),
            Self::Named => Some(named(file)),
            Self::Raw => None,
        }
    }
}

/// Whether a text begins with an object and the name of a tensor.
fn is_object(file: &[u8]) -> bool {
    let text = file[..file.len().min(256)].trim_ascii_start();
    text.strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
}

/// The error for a file of another kind, if it is a known one.
pub(super) fn other_kind(file: &[u8]) -> Option<QuantizeError> {
    let kind = kind::named(file)?;
    Some(QuantizeError::Text {
        message: format!("this is {kind}"),
    })
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
        assert_eq!(Kind::of(b"PK\x03\x04\x14\0\0\0\x08\0"), Kind::Npz);
        assert_eq!(Kind::of(b" {\n \"perspective.weight\": [[0.5"), Kind::Json);
        // three floats; the last one begins with a brace
        assert_eq!(
            Kind::of(&[0, 0, 128, 63, 0, 0, 128, 63, b'{', 0, 128, 63]),
            Kind::Raw
        );
    }
}
