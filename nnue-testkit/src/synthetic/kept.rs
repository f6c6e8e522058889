//! A folder of networks that were made before: on an emulated processor making them takes longer than what is tested with them.

use std::path::PathBuf;
use std::{env, fs};

use super::Synthetic;

/// The bytes of the file from the folder, or made and put there. Where they cannot be put they are made each time.
pub(super) fn bytes(net: &Synthetic) -> Vec<u8> {
    let Some(folder) = env::var_os("NNUE_SYNTHETIC").map(PathBuf::from) else {
        return net.bytes();
    };
    let file = folder.join(format!("{}-{}-{}.nnue", net.generation.name, net.profile.name(), net.seed));
    fs::read(&file).unwrap_or_else(|_| {
        let bytes = net.bytes();
        let begun = file.with_extension("begun");
        if fs::write(&begun, &bytes).is_err() || fs::rename(&begun, &file).is_err() {
            let _ = fs::remove_file(begun); // half of it would fill a disk that is full
        }
        bytes
    })
}
