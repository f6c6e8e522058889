//! Stubs of the backend commands in a build without the feature `backends`. The README's first command is
//! built without them, since their libraries take longer to build than everything else.

use std::io::Write;

use crate::error::Error;

pub(crate) fn missing<A>(_: &A, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without backends: build it with `--features backends`, as in `cargo run --release -p nnue-cli --features backends -- backends`"
            .into(),
    ))
}

pub(crate) use self::{
    missing as analyze, missing as bench, missing as cache, missing as eval, missing as list,
};
