//! A folder of stored synthetic networks: on an emulated processor, generating them takes longer than the
//! tests.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::Synthetic;

/// Reads the file from the folder, or generates it and stores it there if possible.
pub(super) fn bytes(net: &Synthetic) -> Vec<u8> {
    let Some(folder) = env::var_os("NNUE_SYNTHETIC").map(PathBuf::from) else {
        return net.bytes();
    };
    let file = folder.join(format!(
        "{}-{}-{}.nnue",
        net.generation.name,
        net.profile.name(),
        net.seed
    ));
    fs::read(&file).unwrap_or_else(|_| {
        let bytes = net.bytes();
        keep(&bytes, &file);
        bytes
    })
}

/// Writes a temporary file and renames it, so that nobody reads a partial file. Skips files that another
/// process is writing.
fn keep(bytes: &[u8], file: &Path) {
    let begun = file.with_extension("begun");
    let Ok(mut writer) = File::options().write(true).create_new(true).open(&begun) else {
        return;
    };
    if writer
        .write_all(bytes)
        .and_then(|()| fs::rename(&begun, file))
        .is_err()
    {
        let _ = fs::remove_file(begun); // leave no partial file on a full disk
    }
}
