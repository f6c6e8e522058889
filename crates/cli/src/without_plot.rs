//! Stub of `nnue plot` in a build without the feature `plot`.

use std::io::Write;

use crate::args::plot::PlotArgs;
use crate::error::Error;

pub(crate) fn run(_: &PlotArgs, _: &mut dyn Write) -> Result<(), Error> {
    Err(Error::Argument(
        "this `nnue` was built without pictures: build it with `--features plot`, or `--features png` for PNG too, as in `cargo run --release -p nnue-cli --features plot -- plot report -o network.html`"
            .into(),
    ))
}
