//! `nnue import`: declarations for networks of other programs.

#[cfg(feature = "graphs")]
mod graph;
mod net;

use std::io::Write;

use crate::args::{ImportArgs, ImportFrom};
use crate::error::Error;

pub(crate) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.from {
        ImportFrom::Net(args) => net::run(args, out),
        #[cfg(feature = "graphs")]
        ImportFrom::Torch(args) => {
            named(&args.name).and_then(|()| graph::run(graph::Format::Torch, args, out))
        }
        #[cfg(feature = "graphs")]
        ImportFrom::Onnx(args) => {
            named(&args.name).and_then(|()| graph::run(graph::Format::Onnx, args, out))
        }
        #[cfg(not(feature = "graphs"))]
        ImportFrom::Torch(_) | ImportFrom::Onnx(_) => Err(Error::without_graphs()),
    }
}

/// Refuses names that cannot be type names.
#[cfg(feature = "graphs")]
fn named(name: &str) -> Result<(), Error> {
    match nnue_tools::search::is_type_name(name, nnue_codegen::single_plan) {
        true => Ok(()),
        false => Err(Error::Argument(
            nnue_tools::search::SearchError::Name(name.to_owned()).to_string(),
        )),
    }
}
