//! A folder of synthetic networks that were made before. On an emulated processor, making them takes longer than the tests do.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::Synthetic;

/// The bytes of the file, from the folder if it is there. Otherwise they are made and stored there, if possible.
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

/// Writes beside the file and renames then, so that nobody reads half of it. Leaves it to whoever writes the same already.
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
