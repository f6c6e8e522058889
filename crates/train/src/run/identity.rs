//! Whether a run that is resumed has the data that it was begun with.

use std::path::{Path, PathBuf};

use nnue_data::files::Digest;
use nnue_data::files::FileError;

use crate::run::{Error, Observer};

/// The files that a run reads, and what tells them from others of their names.
pub(crate) struct DataFiles {
    paths: Vec<PathBuf>,
    digests: Vec<Option<Digest>>,
}

impl DataFiles {
    /// Of these files, as they are now.
    pub(crate) fn of<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<Self, Error> {
        let paths: Vec<PathBuf> = paths.map(Path::to_owned).collect();
        let digest =
            |path: &PathBuf| Digest::of_path(path).map_err(|source| FileError::read(path, source));
        let digests = paths.iter().map(digest).collect::<Result<_, _>>()?;
        Ok(Self { paths, digests })
    }

    /// For a checkpoint.
    pub(crate) fn digests(&self) -> Vec<Option<Digest>> {
        self.digests.clone()
    }

    /// An error if the run was begun with other data, unless they may be changed. Files that the run names only since then are not compared.
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
