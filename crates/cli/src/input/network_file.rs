//! Network files: decompressed, up to the size that their declaration allows, and compared with a name that says their hash.

use std::io::{self, Read};
use std::path::{Path, PathBuf};

use nnue_tools::compression::{Bounds, Decompressed};
use nnue_tools::named::Named;

use super::bounded::{self, Bounded, MOST_OF_NETWORK};
use crate::error::Error;
use crate::note::note;
use crate::system::SystemError;

/// The bytes of a network file, decompressed.
pub(crate) struct NetworkFile {
    file: Named<Decompressed<Bounded>>,
    path: PathBuf,
}

/// Opens the file of a network.
pub(crate) fn open(path: &Path, bounds: Bounds) -> Result<NetworkFile, Error> {
    decompressed(path, bounded::open(path, MOST_OF_NETWORK)?, bounds)
}

/// The bytes of an open file of a network.
pub(crate) fn decompressed(
    path: &Path,
    file: Bounded,
    bounds: Bounds,
) -> Result<NetworkFile, Error> {
    let file = Decompressed::open(file, bounds).map_err(|source| cannot_read(path, source))?;
    Ok(NetworkFile {
        file: Named::new(path, file),
        path: path.to_owned(),
    })
}

/// All bytes of the file of a network without an accumulator, one more than `size` if there are more.
pub(crate) fn read(path: &Path, size: u64) -> Result<Vec<u8>, Error> {
    let most = size.saturating_add(1);
    let mut file = open(path, Bounds { lead: 0, most })?;
    let mut bytes = Vec::new();
    file.by_ref()
        .take(most)
        .read_to_end(&mut bytes)
        .map_err(|source| cannot_read(path, source))?;
    file.finish()?;
    Ok(bytes)
}

impl NetworkFile {
    /// After the network was read: a note if the name of the file has the hash of other bytes.
    pub(crate) fn finish(self) -> Result<(), Error> {
        let Self { file, path } = self;
        match file.difference() {
            Ok(None) => {}
            Ok(Some(difference)) => note!("{}: {difference}", path.display()),
            Err(source) => return Err(cannot_read(&path, source)),
        }
        Ok(())
    }
}

impl Read for NetworkFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

fn cannot_read(path: &Path, source: io::Error) -> Error {
    SystemError::read(path, source).into()
}
