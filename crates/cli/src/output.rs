//! The files that the command writes, whole or not at all.

use std::path::Path;

use nnue_data::files::output;

use crate::error::Error;
use crate::system::SystemError;

/// Writes `contents` to the file at `path`, which afterwards has all of them or is as it was.
pub(crate) fn write(path: &Path, contents: &[u8]) -> Result<(), Error> {
    output::write(path, contents).map_err(|source| SystemError::write(path, source).into())
}

/// Refuses an output that is one of the named inputs: writing it would destroy what the user still needs.
pub(crate) fn refuse_same(
    output: Option<&Path>,
    inputs: &[(&str, Option<&Path>)],
) -> Result<(), Error> {
    output::refuse_same("--output", output, inputs).map_err(Error::Argument)
}
