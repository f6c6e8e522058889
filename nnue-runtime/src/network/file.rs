//! Loading and writing networks.

use alloc::vec::Vec;
#[cfg(feature = "std")]
use std::{
    fs::File,
    io::{self, Read},
    path::Path,
};

use nnue_format::{Header, InPlace, LoadError, WriteError};

use super::Network;
#[cfg(feature = "golden")]
use super::golden;
use crate::architecture::{Embedded, Model, Parameters};
use crate::simd::leb128_decoder;

#[cfg(feature = "std")]
fn cannot_read(path: &Path, error: io::Error) -> LoadError {
    let message = format!("{}: {error}", path.display());
    LoadError::new(nnue_format::LoadErrorKind::Io, 0, message).with_source(error)
}

/// Opens a regular file for reading.
#[cfg(feature = "std")]
pub(crate) fn open_file(path: &Path) -> Result<File, LoadError> {
    nnue_format::open(path).map_err(|error| cannot_read(path, error))
}

/// The bytes of a file, at most the first `count`.
#[cfg(feature = "std")]
pub(crate) fn read_at_most(path: &Path, count: usize) -> Result<Vec<u8>, LoadError> {
    let mut bytes = Vec::new();
    let mut file = open_file(path)?.take(count as u64);
    file.read_to_end(&mut bytes)
        .map_err(|error| cannot_read(path, error))?;
    Ok(bytes)
}

impl<A: Model> Network<A> {
    /// Loads a file.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the file cannot be read, or is not exactly one network of this declaration.
    #[cfg(feature = "std")]
    pub fn open(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::read(open_file(path.as_ref())?)
    }

    /// Loads `source`, reading to its end. It need not be buffered.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the source fails, or is not exactly one network of this declaration.
    #[cfg(feature = "std")]
    pub fn read<R: io::Read>(source: R) -> Result<Self, LoadError> {
        let mut params = A::Params::zeroed();
        let header = nnue_format::read(
            &A::SPEC,
            source,
            &mut params.tensors_mut(),
            leb128_decoder(),
        )?;
        Self::loaded(params, header)
    }

    /// Loads the bytes of a file.
    ///
    /// # Errors
    ///
    /// [`LoadError`]: the bytes are not exactly one network of this declaration.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, LoadError> {
        let mut params = A::Params::zeroed();
        let header =
            nnue_format::read_slice(&A::SPEC, bytes, &mut params.tensors_mut(), leb128_decoder())?;
        Self::loaded(params, header)
    }

    /// The network of a file, if its golden values match.
    fn loaded(params: A::Params, header: Header) -> Result<Self, LoadError> {
        let network = Self::new(params, header);
        #[cfg(feature = "golden")]
        golden::check(&network)?;
        #[cfg(not(feature = "golden"))]
        const {
            assert!(
                !A::SPEC.has_goldens(),
                "golden values need the feature `golden` of nnue"
            )
        }
        Ok(network)
    }

    /// Writes the file; byte for byte the same if the network was loaded from a file.
    ///
    /// # Errors
    ///
    /// [`WriteError`]: the sink fails, or the description is too long.
    #[cfg(feature = "std")]
    pub fn write<W: io::Write>(&self, sink: W) -> Result<(), WriteError> {
        nnue_format::write(&A::SPEC, self.header(), &self.params().tensors(), sink)
    }

    /// The bytes of the file; byte for byte the same if the network was loaded from a file.
    ///
    /// # Errors
    ///
    /// [`WriteError`]: the description is too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, WriteError> {
        nnue_format::to_bytes(&A::SPEC, self.header(), &self.params().tensors())
    }
}

impl<A: Embedded> Network<A> {
    /// The network embedded in the program: `weights "path"` in its declaration.
    ///
    /// Rows of weights that the file holds as memory does are used where they are: header-less files,
    /// and containers whose feature transformer is not compressed. The memory is then shared by all
    /// processes of the program. [`from_bytes`](Self::from_bytes)`(Mine::BYTES)` copies them to the
    /// heap, where pages of 2 MiB make big networks faster.
    ///
    /// # Panics
    ///
    /// If the declaration names functions of the program and has golden values, and these functions
    /// give other values. A declared network never panics otherwise: the macro read the same bytes
    /// at compile time, but it calls no functions of the program.
    pub fn embedded() -> Self {
        Self::in_place().unwrap_or_else(|error| panic!("{error}"))
    }

    fn in_place() -> Result<Self, LoadError> {
        if const { A::IN_PLACE.is_empty() } {
            return Self::from_bytes(A::BYTES);
        }
        let (mut params, mut used) = (A::Params::zeroed(), Vec::new());
        let header = nnue_format::read_slice_in_place(
            &A::SPEC,
            A::BYTES,
            &mut params.tensors_mut(),
            leb128_decoder(),
            &mut |rows| {
                let stays = A::IN_PLACE.contains(&rows.role);
                used.extend(stays.then(|| rows.clone()));
                stays
            },
        )?;
        for InPlace { role, bytes } in used {
            A::embed(&mut params, role, &A::BYTES[bytes]);
        }
        Self::loaded(params, header)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::error::Error as _;
    use std::time::Duration;

    use nnue_format::LoadErrorKind;
    use nnue_testkit::process::{make_pipe, within};

    use super::*;

    /// Opening a pipe without a writer would wait forever, and a device would never end.
    #[test]
    fn only_regular_files_are_opened() {
        let folder = std::env::temp_dir().join(format!("nnue-network.{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let pipe = folder.join("pipe");
        make_pipe(&pipe);
        let refused = {
            let paths = [pipe, folder.clone(), "/dev/zero".into()];
            move || paths.map(|path| (open_file(&path).err(), read_at_most(&path, 10).err()))
        };
        let kinds = [
            io::ErrorKind::InvalidInput,
            io::ErrorKind::IsADirectory,
            io::ErrorKind::InvalidInput,
        ];
        let refused = within(Duration::from_secs(20), refused);
        for ((opened, read), kind) in refused.into_iter().zip(kinds) {
            for error in [opened, read].map(|error| error.expect("no network")) {
                assert_eq!(error.kind(), LoadErrorKind::Io);
                let source = error.source().and_then(|source| source.downcast_ref());
                assert_eq!(source.map(io::Error::kind), Some(kind), "{error}");
            }
        }
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
