//! Reads tensors from a folder with a file for each: `l0w.npy`, an array of numpy, or `l0w.bin`, floats only.

use std::path::Path;

use nnue_tools::folder::{Folder, FolderError, TensorFile};
use nnue_tools::quantize::{FloatTensor, QuantizeError};

use crate::error::Error;
use crate::system::SystemError;

/// Reads the tensor of a name from the contents of its file.
pub(super) type ReadTensor = fn(&str, &[u8]) -> Result<FloatTensor, QuantizeError>;

/// The tensors of the files in a folder, in the order of their names. At most `most` bytes are read.
pub(super) fn read(
    folder: &Path,
    most: u64,
    tensor: ReadTensor,
) -> Result<Vec<FloatTensor>, Error> {
    let files = Folder::read(folder, most).map_err(|error| refuse(folder, error))?;
    let tensor = |TensorFile { path, name, bytes }: &TensorFile| {
        tensor(name, bytes).map_err(|error| Error::Network {
            message: error.to_string(),
            path: path.clone(),
        })
    };
    files.files().iter().map(tensor).collect()
}

/// The error of a folder.
pub(crate) fn refuse(folder: &Path, error: FolderError) -> Error {
    match error {
        FolderError::Io { path, source } => SystemError::read(&path, source).into(),
        FolderError::Tensor { path, message } => Error::Network { path, message },
        error => Error::Network {
            path: folder.to_owned(),
            message: error.to_string(),
        },
    }
}
