//! Files of floats: detects the format and reads the tensors.

use std::path::Path;

use nnue_spec::NetDesc;
use nnue_tools::npy::MAGIC;
use nnue_tools::quantize::{Factoriser, FloatTensor, QuantizeError, named, split, unnamed};

use super::{folder, json, npy, safetensors};
use crate::error::Error;
use crate::input::{bounded, kind};

/// The floats of a trainer.
pub(super) struct Source {
    pub(super) kind: Kind,
    pub(super) floats: Floats,
}

pub(super) enum Floats {
    /// tensors with names
    Named(Vec<FloatTensor>),
    /// 32-bit floats, little endian: the tensors of the declaration, in its order
    Unnamed(Vec<u8>),
}

impl Source {
    /// Reads a file, or a folder with a file for each tensor: at most `most` bytes.
    pub(super) fn read(path: &Path, most: u64) -> Result<Self, Error> {
        if path.is_dir() {
            return Ok(Self {
                kind: Kind::Folder,
                floats: Floats::Named(folder::read(path, most, tensor)?),
            });
        }
        let file = bounded::read(path, most)?;
        let kind = Kind::of(&file);
        let floats = kind.read(file).map_err(|error| Error::Network {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
        Ok(Self { kind, floats })
    }
}

impl Floats {
    /// The tensors of a network.
    pub(super) fn tensors(
        self,
        net: &NetDesc<'_>,
        factoriser: &Factoriser,
    ) -> Result<Vec<FloatTensor>, QuantizeError> {
        match self {
            Self::Named(tensors) => Ok(tensors),
            Self::Unnamed(bytes) => split(net, &bytes, factoriser),
        }
    }
}

/// Upper bound of a safetensors header.
const MAX_HEADER: u64 = 100_000_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Safetensors,
    /// text: lists with names
    Json,
    /// numpy's arrays with names
    Npz,
    /// one array of numpy
    Npy,
    /// a file for each tensor
    Folder,
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
            _ if file.starts_with(MAGIC) => Self::Npy,
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
            Self::Npy => "an array of numpy without a name",
            Self::Folder => "a folder with a file for each tensor",
            Self::Named => "tensors with names, as bullet's weights.bin",
            Self::Raw => "floats without names, as bullet's raw.bin",
        }
    }

    /// Reads a file of this kind.
    fn read(self, file: Vec<u8>) -> Result<Floats, QuantizeError> {
        Ok(Floats::Named(match self {
            Self::Safetensors => safetensors::read(&file)?,
            Self::Json => json::read(&file)?,
            Self::Npz => npy::read_archive(&file)?,
            Self::Named => named(&file)?,
            Self::Npy => return alone(&file).map(Floats::Unnamed),
            Self::Raw | Self::Folder => match kind::named(&file) {
                Some(kind) => {
                    return Err(QuantizeError::Text {
                        message: format!("this is {kind}"),
                    });
                }
                None => return Ok(Floats::Unnamed(file)),
            },
        }))
    }
}

/// The tensor of a file in a folder.
fn tensor(name: &str, file: &[u8]) -> Result<FloatTensor, QuantizeError> {
    let refuse = |what: &str| {
        Err(QuantizeError::Text {
            message: format!(
                "this is {what}; a tensor of a folder is an array of numpy or floats only"
            ),
        })
    };
    match (Kind::of(file), kind::named(file)) {
        (Kind::Npy, _) => npy::read(name, file),
        (Kind::Raw, None) => Ok(FloatTensor {
            name: name.to_owned(),
            shape: Vec::new(),
            values: unnamed(file)?,
        }),
        (Kind::Raw, Some(kind)) => refuse(kind),
        (kind, _) => refuse(kind.name()),
    }
}

/// The floats of an array without a name, which is one list of all.
fn alone(file: &[u8]) -> Result<Vec<u8>, QuantizeError> {
    let FloatTensor { shape, values, .. } = npy::read("alone", file)?;
    match shape.as_slice() {
        [] | [_] => Ok(values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect()),
        shape => Err(QuantizeError::Text {
            message: format!(
                "this is one array of the shape {shape:?}, and a network has several: save all in a `.npz` \
                 (`numpy.savez(\"net.npz\", ft_weight=.., ft_bias=..)`), or name a folder with a `.npy` for each"
            ),
        }),
    }
}

/// Whether a text begins with an object and the name of a tensor.
fn is_object(file: &[u8]) -> bool {
    let text = file[..file.len().min(256)].trim_ascii_start();
    text.strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""))
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
        assert_eq!(Kind::of(b"\x93NUMPY\x01\0v\0{'d"), Kind::Npy);
        assert_eq!(Kind::of(b" {\n \"perspective.weight\": [[0.5"), Kind::Json);
        // three floats; the last one begins with a brace
        assert_eq!(
            Kind::of(&[0, 0, 128, 63, 0, 0, 128, 63, b'{', 0, 128, 63]),
            Kind::Raw
        );
    }
}
