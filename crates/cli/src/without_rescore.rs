//! `nnue rescore` in a build without the feature `rescore`: how to get it. The README's first command is built without it, because its libraries
//! take time to build that nobody should wait for who wants to see a first value.

use std::io::Write;

use crate::args::rescore::RescoreArgs;
use crate::error::Error;

/// The command.
pub(crate) fn run(_: &RescoreArgs, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without rescoring: build it with `--features rescore`, as in `cargo run --release -p nnue-cli --features rescore -- rescore --help`"
            .into(),
    ))
}
