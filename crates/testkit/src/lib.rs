//! Helpers for the tests of this workspace.
//!
//! * [`synthetic`]: networks whose weights follow from a short published formula;
//! * [`vectors`]: values of released engines for fixed positions and games;
//! * [`bullet`]: values of engines with bullet networks;
//! * [`engines`]: networks of engines of 2026;
//! * [`policy`]: logits of legal moves, from a network of subnets;
//! * [`layers`]: every intermediate value of a few positions;
//! * [`games`]: random legal games from a seed, and the games of the vectors, checked for legality;
//! * [`board`]: a plain board;
//! * [`process`]: processes with little memory, pipes that block, work that must end;
//! * [`random`]: the random number generator that all of these use.
//!
//! Nothing here uses the code under test. In particular, networks are written by a separate writer, to find a
//! reader that agrees with the project's writer but not with the format.
#![forbid(unsafe_code)]

pub mod arithmetic;
pub mod board;
pub mod bullet;
pub mod engines;
pub mod games;
pub mod layers;
pub mod policy;
pub mod process;
pub mod random;
pub mod synthetic;
pub mod vectors;

use std::path::PathBuf;

/// The folder of the vectors in the repository.
pub fn vectors_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors"))
}

/// The folder of the vectors' positions and games, which the command embeds.
pub fn positions_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/data"))
}

/// The folder of real networks, from the environment variable `NNUE_NETS`.
pub fn nets_dir() -> Option<PathBuf> {
    std::env::var_os("NNUE_NETS").map(PathBuf::from)
}

/// The Leela Chess Zero network `maia-1100`, if the environment variable `NNUE_LC0_NETS` names its folder.
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

/// Tests use every n-th position and game. `n` is the value of the environment variable `NNUE_SAMPLE`, which
/// is set for emulated processors; 1 by default.
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
