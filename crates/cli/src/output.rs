//! Writes output files atomically.

use std::path::Path;

use nnue_data::files::output;

use crate::error::Error;
use crate::system::SystemError;

/// Replaces the file atomically.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), Error> {
    output::write(path, contents).map_err(|source| SystemError::write(path, source).into())
}

/// Refuses an output that is one of the named inputs, which would be lost.
pub(crate) fn refuse_same(
    output: Option<&Path>,
    inputs: &[(&str, Option<&Path>)],
) -> Result<(), Error> {
    output::refuse_same("--output", output, inputs).map_err(Error::Argument)
}
