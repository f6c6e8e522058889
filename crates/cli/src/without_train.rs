//! `nnue train` and `nnue data` in a build without the feature `train`: how to get them. The README's first command is built without the trainer,
//! which nobody needs who wants to see a first value.

use std::io::Write;

use crate::error::Error;

/// Any of these commands.
pub(crate) fn missing<A>(_: &A, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without training: build it with `--features train`, as in `cargo run --release -p nnue-cli --features train -- train --help`"
            .into(),
    ))
}

pub(crate) use self::{missing as data, missing as train};
