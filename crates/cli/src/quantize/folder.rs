//! Reads tensors from a folder with a file for each: `l0w.npy`, an array of numpy, or `l0w.bin`, floats only.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use nnue_tools::quantize::{FloatTensor, QuantizeError};

use crate::error::Error;
use crate::input::bounded;
use crate::system::SystemError;

/// Most files of a folder that are read.
const MOST_FILES: usize = 1 << 10;

/// Reads the tensor of a name from the contents of its file.
pub(super) type ReadTensor = fn(&str, &[u8]) -> Result<FloatTensor, QuantizeError>;

/// The tensors of the files in a folder, in the order of their names. At most `most` bytes are read.
pub(super) fn read(
    folder: &Path,
    mut most: u64,
    tensor: ReadTensor,
) -> Result<Vec<FloatTensor>, Error> {
    let paths = paths(folder).map_err(|error| SystemError::read(folder, error))?;
    let refuse = |message: &str| Error::Network {
        path: folder.to_owned(),
        message: message.to_owned(),
    };
    if paths.is_empty() {
        return Err(refuse(
            "it is a folder without tensors, `NAME.npy` or `NAME.bin`: name a file of floats",
        ));
    }
    if paths.len() > MOST_FILES {
        return Err(refuse(&format!(
            "it is a folder of more than {MOST_FILES} tensors, the limit"
        )));
    }
    let mut tensors: Vec<FloatTensor> = Vec::new();
    for path in paths {
        let file = bounded::read(&path, most)?;
        most -= file.len() as u64;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let tensor = tensor(&name, &file).map_err(|error| Error::Network {
            message: error.to_string(),
            path: path.clone(),
        })?;
        if tensors.iter().any(|other| other.name == tensor.name) {
            return Err(refuse(&format!(
                "it is a folder with two files of `{}`",
                tensor.name.escape_debug()
            )));
        }
        tensors.push(tensor);
    }
    Ok(tensors)
}

/// The files of tensors.
fn paths(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(OsStr::to_str);
        if matches!(ending, Some("npy" | "bin")) && paths.len() <= MOST_FILES {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
