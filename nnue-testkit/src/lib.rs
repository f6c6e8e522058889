//! What the tests of this workspace share.
//!
//! * [`synthetic`]: networks whose every weight follows from a small published contract, as file bytes;
//! * [`vectors`]: what released engines say about fixed positions and games;
//! * [`bullet`]: what engines with networks of another trainer say;
//! * [`layers`]: every intermediate value of a few positions;
//! * [`games`]: seeded random legal games, and the games of the vectors, with legality checked;
//! * [`board`]: the plainest possible board;
//! * [`random`]: the generator of numbers behind all of it.
//!
//! Nothing here uses the code under test: the networks are written by a writer of their own, so that a reader that agrees
//! with the project's writer but not with the format is caught.
#![forbid(unsafe_code)]

pub mod board;
pub mod bullet;
pub mod games;
pub mod layers;
pub mod random;
pub mod synthetic;
pub mod vectors;

use std::path::PathBuf;

/// The folder of the vectors in the repository.
pub fn vectors_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors"))
}

/// The folder of the positions and games that the vectors are about; the command has them built in.
pub fn positions_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../nnue-cli/data"))
}

/// The folder of real networks that the environment variable `NNUE_NETS` names, if it is set.
pub fn nets_dir() -> Option<PathBuf> {
    std::env::var_os("NNUE_NETS").map(PathBuf::from)
}

/// One position and one game in so many is tried: all of them, or a fixed sample where the environment variable `NNUE_SAMPLE` says a number,
/// for emulated processors.
///
/// # Panics
///
/// If it does not say a positive number.
pub fn sample() -> usize {
    let said = std::env::var("NNUE_SAMPLE").unwrap_or_else(|_| "1".into());
    said.parse().ok().filter(|&every| every > 0).unwrap_or_else(|| panic!("NNUE_SAMPLE={said} is no positive number"))
}

/// SHA-256 of `bytes`, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
