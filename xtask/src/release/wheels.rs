//! The Python wheels, one for each processor.

use super::Release;
use crate::ci::python::{PROCESSORS, wheel};
use crate::repo::{self, Failure, Outcome};

impl Release {
    pub(super) fn wheels(&self) -> Outcome<Vec<String>> {
        for script in [".ci/prepare-python", ".ci/prepare-aarch64"] {
            repo::run(script, &[])?;
        }
        for processor in PROCESSORS {
            repo::succeed(&mut wheel(processor, "release", &self.folder)?)?;
        }
        let failure = |error| Failure::new(format!("{}: {error}", self.folder.display()));
        let entries = std::fs::read_dir(&self.folder).map_err(failure)?;
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        Ok(names.filter(|name| name.ends_with(".whl")).collect())
    }
}
