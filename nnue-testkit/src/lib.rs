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
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors"))
}

/// The folder of the positions and games of the vectors. The command has them built in.
pub fn positions_dir() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../nnue-cli/data"))
}

/// The folder of real networks that the environment variable `NNUE_NETS` names, if it is set.
pub fn nets_dir() -> Option<PathBuf> {
    std::env::var_os("NNUE_NETS").map(PathBuf::from)
}

/// A real network of Leela Chess Zero, which is not part of the project: in the folder of real networks, or beside the repository. Where it is
/// missing, a line says that a test is not run.
pub fn lc0_network() -> Option<PathBuf> {
    const NAME: &str = "maia-1100.pb.gz";
    let beside = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/nets/lc0"));
    let folders = [nets_dir(), Some(beside)].into_iter().flatten();
    let found = folders.map(|folder| folder.join(NAME)).find(|path| path.is_file());
    if found.is_none() {
        println!("not run: NNUE_NETS does not name a folder with {NAME}");
    }
    found
}

/// Tests use every n-th position and game. `n` is 1, or the value of the environment variable `NNUE_SAMPLE`, which is set for emulated
/// processors.
///
/// # Panics
///
/// If it is not a positive number.
pub fn sample() -> usize {
    let said = std::env::var("NNUE_SAMPLE").unwrap_or_else(|_| "1".into());
    said.parse().ok().filter(|&every| every > 0).unwrap_or_else(|| panic!("NNUE_SAMPLE={said} is no positive number"))
}

/// SHA-256 of `bytes`, in lower-case hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    sha2::Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
