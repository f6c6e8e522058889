//! Suggests a declaration for a file that was refused.
//!
//! ```text
//!   hashes    of a container: the dimensions that have them
//!   length    of a header-less file: every single change of the declaration that gives it
//!   golden    values that differ: other readings of the same bytes (`crate::golden`)
//! ```

pub(crate) mod hashes;
pub(crate) mod inputs;
mod length;

use std::io::{Read, Seek, SeekFrom};

use nnue_format::signature::{HEAD, identify};
use nnue_format::{Header, LoadError, LoadErrorKind, Prelude, Tensors};
use nnue_spec::NetDesc;

#[cfg(feature = "golden")]
use crate::golden;

/// Where a container has the hash of the network.
const HASH: u64 = 4;

/// As [`Tensors::read`], but errors suggest a declaration that fits the file, if one is found.
///
/// # Errors
///
/// Those of [`Tensors::read`].
pub fn read<R: Read + Seek>(
    net: &NetDesc<'_>,
    mut source: R,
) -> Result<(Header, Tensors), LoadError> {
    Tensors::read(net, &mut source).map_err(|error| match source.seek(SeekFrom::Start(0)) {
        Ok(_) => explained(net, error, source),
        Err(_) => error,
    })
}

/// Adds advice to the `error` with which a file was refused as `net`, from another look at the `file`, which
/// is read from its start. Without advice, the error is unchanged.
pub fn explained<R: Read>(net: &NetDesc<'_>, error: LoadError, file: R) -> LoadError {
    let advice = match (error.kind(), &net.raw) {
        (LoadErrorKind::Architecture, None) if error.offset() == HASH => {
            of_hashes(net, &error, file)
        }
        (
            LoadErrorKind::Architecture | LoadErrorKind::Truncated | LoadErrorKind::TrailingBytes,
            None,
        ) => inputs::advice(net, file),
        (LoadErrorKind::Truncated | LoadErrorKind::TrailingBytes, Some(raw)) => {
            let head = head(file);
            match identify(&head) {
                Some(kind) => Some(format!("it is {kind}")),
                None => length::advice(net, raw, &error, word(&head)),
            }
        }
        #[cfg(feature = "golden")]
        (LoadErrorKind::Golden, _) if error.advice().is_some() => of_values(net, &error, file),
        _ => None,
    };
    match advice {
        Some(advice) => error.with_advice(advice),
        None => error,
    }
}

/// Advice about a container with a wrong hash.
fn of_hashes<R: Read>(net: &NetDesc<'_>, error: &LoadError, file: R) -> Option<String> {
    let prelude = Prelude::read(file, &[net]).ok()?;
    let is_meant = error.found() == Some(prelude.network_hash.into());
    (is_meant && !prelude.fits(net)).then(|| hashes::difference(net, &prelude))
}

/// The first bytes of a file, as many as there are.
fn head<R: Read>(file: R) -> Vec<u8> {
    let mut head = Vec::new();
    // What was read before an error is looked at.
    let _ = file.take(HEAD as u64).read_to_end(&mut head);
    head
}

/// The first word of a file.
fn word(head: &[u8]) -> Option<u32> {
    head.first_chunk().map(|word| u32::from_le_bytes(*word))
}

/// Advice about a file with wrong golden values.
#[cfg(feature = "golden")]
fn of_values<R: Read>(net: &NetDesc<'_>, error: &LoadError, file: R) -> Option<String> {
    let mut tensors = Tensors::zeroed(net);
    let header = nnue_format::read(
        net,
        file,
        &mut tensors.muts(),
        &nnue_format::leb128::Portable,
    )
    .ok()?;
    golden::readings(net, &tensors.refs(), header.padding).or_else(|| {
        let raw = net.raw.as_ref()?;
        let length = nnue_format::raw_size(net, header.padding)?;
        let shapes = length::of_equal_size(net, raw, length)?;
        Some(format!("{}; {shapes}", error.advice()?))
    })
}
