//! Stubs of `nnue train` and `nnue data` in a build without the feature `train`. The README's first command
//! is built without the trainer, which it does not need.

use std::io::Write;

use crate::error::Error;

pub(crate) fn missing<A>(_: &A, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without training: build it with `--features train`, as in `cargo run --release -p nnue-cli --features train -- train --help`"
            .into(),
    ))
}

pub(crate) use self::{missing as data, missing as train};
