//! Files in Stockfish's container: the header identifies the network.

use std::io::Write;
use std::path::Path;

use nnue_format::published::is_published_version;
use nnue_tools::declaration::{Defaults, declaration};

use crate::error::Error;
use crate::network::known_in;

/// Whether a file begins with a version of the container.
pub(super) fn is_container(head: &[u8]) -> bool {
    let version = head.first_chunk().map(|word| u32::from_le_bytes(*word));
    version.is_some_and(is_published_version)
}

/// Prints the declaration of a container.
pub(super) fn print(path: &Path, out: &mut dyn Write) -> Result<(), Error> {
    let known = known_in(path)?;
    writeln!(
        out,
        "// {}: a Stockfish container, recognised as `--arch {}`",
        path.display(),
        known.name
    )?;
    write!(out, "{}", declaration(known.spec, Defaults::Omitted))?;
    Ok(())
}
