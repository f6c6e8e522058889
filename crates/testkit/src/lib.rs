//! Helpers for the tests of this workspace.
//!
//! * [`synthetic`]: files of networks whose weights follow from a small published rule;
//! * [`vectors`]: values of released engines for fixed positions and games;
//! * [`bullet`]: values of engines with networks of the trainer bullet;
//! * [`policy`]: logits of legal moves by a network of subnets;
//! * [`layers`]: every intermediate value of a few positions;
//! * [`games`]: seeded random legal games, and the games of the vectors, with legality checked;
//! * [`board`]: a plain board;
//! * [`random`]: the random number generator of all of these.
//!
//! Nothing here uses the code under test. In particular, networks are written by a separate writer, so that a reader that agrees with
//! the project's writer but not with the format is found.
#![forbid(unsafe_code)]

pub mod board;
pub mod bullet;
pub mod games;
pub mod layers;
pub mod policy;
pub mod random;
pub mod synthetic;
pub mod vectors;

use std::path::PathBuf;

/// The folder of the vectors in the repository.
pub fn vectors_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors"))
}

/// The folder of the positions and games of the vectors. The command has them built in.
pub fn positions_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/data"))
}

/// The folder of real networks that the environment variable `NNUE_NETS` names, if it is set.
pub fn nets_dir() -> Option<PathBuf> {
    std::env::var_os("NNUE_NETS").map(PathBuf::from)
}

/// A real network of Leela Chess Zero, `maia-1100`, if the environment variable `NNUE_LC0_NETS` names the folder that contains it.
///
/// # Panics
///
/// If it is not in that folder.
pub fn lc0_network() -> Option<PathBuf> {
    const NAME: &str = "maia-1100.pb.gz";
    let Some(folder) = std::env::var_os("NNUE_LC0_NETS").map(PathBuf::from) else {
        eprintln!("not run: NNUE_LC0_NETS names no folder with {NAME}");
        return None;
    };
    let file = folder.join(NAME);
    assert!(file.is_file(), "NNUE_LC0_NETS: no file {}", file.display());
    Some(file)
}

/// Tests use every n-th position and game. `n` is 1, or the value of the environment variable `NNUE_SAMPLE`, which is set for emulated
/// processors.
///
/// # Panics
///
/// If it is not a positive number.
pub fn sample() -> usize {
    let said = std::env::var("NNUE_SAMPLE").unwrap_or_else(|_| "1".into());
    said.parse()
        .ok()
        .filter(|&every| every > 0)
        .unwrap_or_else(|| panic!("NNUE_SAMPLE={said} is no positive number"))
}

/// SHA-256 of `bytes`, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
