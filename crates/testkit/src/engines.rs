//! Networks in the formats of engines of 2026, if a folder with them is named.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The first bytes of a file that zstd compressed.
const ZSTD: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// The folder of the networks, from the environment variable `NNUE_ENGINE_NETS`.
pub fn folder() -> Option<PathBuf> {
    let folder = std::env::var_os("NNUE_ENGINE_NETS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("not run: NNUE_ENGINE_NETS names no folder of networks");
    }
    folder
}

/// The bytes of a network, decompressed, if its folder is at hand.
///
/// # Panics
///
/// If the folder does not have it, or it is not decompressed.
pub fn file(name: &str) -> Option<Vec<u8>> {
    let folder = folder()?;
    let packed = folder.join(format!("{name}.bin.xz"));
    if packed.exists() {
        return Some(decompressed("xz", &packed));
    }
    let path = folder.join(format!("{name}.bin"));
    let bytes = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Some(match bytes.starts_with(&ZSTD) {
        true => decompressed("zstd", &path),
        false => bytes,
    })
}

fn decompressed(command: &str, path: &Path) -> Vec<u8> {
    let output = Command::new(command).arg("-dc").arg(path).output();
    let output = output.unwrap_or_else(|error| panic!("{command}: {error}"));
    let path = path.display();
    assert!(output.status.success(), "{command} does not read {path}");
    output.stdout
}
