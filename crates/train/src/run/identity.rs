//! Checks that a resumed run has the data that it was started with.

use std::path::{Path, PathBuf};

use nnue_data::files::Digest;
use nnue_data::files::FileError;

use crate::run::{Error, Observer};

/// The files of a run and their digests.
pub(crate) struct DataFiles {
    paths: Vec<PathBuf>,
    digests: Vec<Option<Digest>>,
}

impl DataFiles {
    pub(crate) fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = paths.map(Path::to_owned).collect();
        let digest =
            |path: &PathBuf| Digest::of_path(path).map_err(|source| FileError::read(path, source));
        let digests = paths.iter().map(digest).collect::<Result<_, _>>()?;
        Ok(Self { paths, digests })
    }

    pub(crate) fn digests(&self) -> Vec<Option<Digest>> {
        self.digests.clone()
    }

    /// An error if the data have changed, unless that is allowed. Files that were added since are not
    /// compared.
    pub(crate) fn check(
        &self,
        begun: &[Option<Digest>],
        may_change: bool,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let pairs = self.digests.iter().zip(begun);
        let changed = self.paths.iter().zip(pairs);
        for (path, _) in changed.filter(|(_, (now, then))| now != then) {
            if !may_change {
                return Err(Error::DataChanged { path: path.clone() });
            }
            observer.note(format_args!(
                "{} has changed since the checkpoint: the rest of the run is trained on other data",
                path.display()
            ));
        }
        Ok(())
    }
}
