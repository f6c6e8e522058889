//! The commands over backends in a build without the feature `backends`: how to get them. The README's first command is built without them, because
//! their libraries take longer to build than all that it needs.

use std::io::Write;

use crate::error::Error;

/// Any of these commands.
pub(crate) fn missing<A>(_: &A, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without backends: build it with `--features backends`, as in `cargo run --release -p nnue-cli --features backends -- backends`"
            .into(),
    ))
}

pub(crate) use self::{
    missing as analyze, missing as bench, missing as cache, missing as eval, missing as list,
};
