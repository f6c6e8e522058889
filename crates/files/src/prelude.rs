//! The start of a file: version, hash, description, hash of the feature transformer.
//!
//! ```text
//!   u32 version | u32 network hash | u32 n | n bytes of description | u32 transformer hash | tensors ...
//! ```

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use nnue_spec::{ContainerDesc, FeatureDesc, FeatureSetId, NetDesc, hash};

use crate::error::{LoadError, LoadErrorKind};
#[cfg(feature = "std")]
use crate::io::Input;
use crate::limits::MAX_DESCRIPTION;
use crate::published::{generation_of, generations_of_version, is_published_version};
use crate::signature::{HEAD, identify};
use crate::stream::{Stream, truncated};

/// The size of the fixed part, in bytes.
const FIXED: usize = 12;

/// The contents of the start of a Stockfish container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prelude {
    /// first word of the file
    pub version: u32,
    /// hash of the network
    pub network_hash: u32,
    /// free text
    pub description: Vec<u8>,
    /// hash of the feature transformer
    pub transformer_hash: u32,
}

impl Prelude {
    /// Reads the start of a file, if its version is that of one of `nets`. Bytes after it may be read too.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the source fails, is not a network, or has another version.
    #[cfg(feature = "std")]
    pub fn read<R: std::io::Read>(source: R, nets: &[&NetDesc<'_>]) -> Result<Self, LoadError> {
        Self::read_from(&mut Stream::new(&mut Input(source)), nets)
    }

    /// Reads the start of a file, if its version is that of one of `nets`.
    pub(crate) fn read_from(
        stream: &mut Stream<'_>,
        nets: &[&NetDesc<'_>],
    ) -> Result<Self, LoadError> {
        let head = stream.need(HEAD)?;
        let head = &head[..head.len().min(HEAD)];
        let is_expected =
            |net: &&NetDesc<'_>| head.starts_with(&net.container.version.to_le_bytes());
        if !nets.iter().any(is_expected) {
            refuse_other_files(head)?;
        }
        let (version, network_hash, length) = fixed_part(head)?;
        check_version(version, network_hash, nets)?;
        stream.consume(FIXED);
        let description = read_description(stream, length as usize)?;
        let transformer_hash = stream.word("the hash of the feature transformer")?;
        Ok(Self {
            version,
            network_hash,
            description,
            transformer_hash,
        })
    }

    /// Checks version and hashes against `net`.
    pub(crate) fn check(&self, net: &NetDesc<'_>) -> Result<(), LoadError> {
        let container = &net.container;
        if self.version != container.version {
            return Err(wrong_version(self.version, net));
        }
        if self.fits(net) {
            return Ok(());
        }
        let (expected, found) = (container.network_hash(), self.network_hash);
        if found != expected {
            let advice = match generation_of(self.version, found) {
                Some(known) => format!("it is {}, load it as {}", known.name, known.declared),
                None => "declare the network as the file has it".to_owned(),
            };
            let message = format!(
                "file hash {found:#010x}, `{}` expects {expected:#010x}",
                net.name
            );
            let error = LoadError::new(LoadErrorKind::Architecture, 4, message).with_advice(advice);
            return Err(error.with_values(expected.into(), found.into()));
        }
        let (expected, found) = (container.transformer_hash, self.transformer_hash);
        if found != expected {
            let message = format!(
                "the feature transformer has hash {found:#010x}, `{}` expects {expected:#010x}, although the hash of the \
                 whole network is right: the file is damaged, copy or download it again",
                net.name
            );
            let offset = (FIXED + self.description.len()) as u64;
            let error = LoadError::new(LoadErrorKind::Architecture, offset, message);
            return Err(error.with_values(expected.into(), found.into()));
        }
        Ok(())
    }

    /// The number of bytes before the feature transformer.
    pub fn size(&self) -> u64 {
        (FIXED + self.description.len() + 4) as u64
    }

    /// Whether the version and the hashes are those of `net`.
    pub fn fits(&self, net: &NetDesc<'_>) -> bool {
        let ContainerDesc {
            version,
            stack_hash,
            ..
        } = net.container;
        self.version == version
            && self.network_hash == self.transformer_hash ^ stack_hash
            && transformer_hashes(net).contains(&self.transformer_hash)
    }
}

/// The hashes that the feature transformer of `net` may have: the declared one and, with threats, those of
/// older files (which hash only threats) and of newer ones (which hash all sets). SFNNv13 files have either.
fn transformer_hashes(net: &NetDesc<'_>) -> [u32; 3] {
    let declared = net.container.transformer_hash;
    let values = net.accumulator.width * net.accumulator.perspectives;
    match net.features {
        [
            _,
            FeatureDesc {
                set: threats @ FeatureSetId::Threats(_),
                ..
            },
        ] => {
            let sets = [net.features[0].set.hash(), threats.hash()];
            [
                declared,
                hash::transformer(threats.hash(), values),
                hash::transformer(hash::features(&sets), values),
            ]
        }
        _ => [declared; 3],
    }
}

pub(crate) fn refuse_other_files(head: &[u8]) -> Result<(), LoadError> {
    let refuse = |message: String| Err(LoadError::new(LoadErrorKind::NotANetwork, 0, message));
    match identify(head) {
        _ if head.is_empty() => refuse("the file is empty".to_owned()),
        Some(kind) => refuse(format!("this is {kind}")),
        None => Ok(()),
    }
}

fn fixed_part(head: &[u8]) -> Result<(u32, u32, u32), LoadError> {
    if head.len() < FIXED {
        return Err(truncated("the header", 0, FIXED as u64, head.len() as u64));
    }
    let word = |index: usize| {
        u32::from_le_bytes([
            head[index],
            head[index + 1],
            head[index + 2],
            head[index + 3],
        ])
    };
    Ok((word(0), word(4), word(8)))
}

fn check_version(version: u32, network_hash: u32, nets: &[&NetDesc<'_>]) -> Result<(), LoadError> {
    if nets.iter().any(|net| net.container.version == version) {
        return Ok(());
    }
    let same_hash = nets
        .iter()
        .find(|net| net.container.network_hash() == network_hash);
    match (same_hash, nets.first()) {
        (Some(net), _) => Err(wrong_version(version, net)),
        (None, Some(net)) if is_published_version(version) => Err(wrong_version(version, net)),
        _ => {
            let zeros = if version == 0 {
                " (zeros may also be a copy that failed)"
            } else {
                ""
            };
            let message = format!(
                "the file begins with {version:#010x}, which is no version of a Stockfish network: if the trainer bullet saved it, \
                 declare it with `format raw`{zeros}"
            );
            let expected = nets.first().map_or(0, |net| net.container.version);
            let error = LoadError::new(LoadErrorKind::NoHeader, 0, message);
            Err(error.with_values(expected.into(), version.into()))
        }
    }
}

fn wrong_version(found: u32, net: &NetDesc<'_>) -> LoadError {
    let expected = net.container.version;
    let whose = generations_of_version(found)
        .map(|name| format!(" ({name})"))
        .unwrap_or_default();
    let message = format!(
        "the file has version {found:#010x}{whose}, `{}` expects {expected:#010x}: use a network made for it, or declare \
         `version: {found:#010X}` if only the version differs",
        net.name
    );
    LoadError::new(LoadErrorKind::Version, 0, message).with_values(expected.into(), found.into())
}

fn read_description(stream: &mut Stream<'_>, length: usize) -> Result<Vec<u8>, LoadError> {
    if length > MAX_DESCRIPTION {
        let message = format!(
            "the header announces a description of {length} bytes, more than {MAX_DESCRIPTION}: it is damaged"
        );
        let error = LoadError::new(LoadErrorKind::NotANetwork, 8, message);
        return Err(error.with_values(MAX_DESCRIPTION as u64, length as u64));
    }
    let mut description = vec![0; length];
    let found = stream.read_into(&mut description)?;
    if found < length {
        return Err(truncated(
            "the description",
            FIXED as u64,
            length as u64,
            found as u64,
        ));
    }
    Ok(description)
}
