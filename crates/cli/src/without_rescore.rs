//! Stub of `nnue rescore` in a build without the feature `rescore`. The README's first command is built
//! without it, since its libraries take long to build.

use std::io::Write;

use crate::args::rescore::RescoreArgs;
use crate::error::Error;

pub(crate) fn run(_: &RescoreArgs, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without rescoring: build it with `--features rescore`, as in `cargo run --release -p nnue-cli --features rescore -- rescore --help`"
            .into(),
    ))
}
