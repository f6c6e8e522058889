//! `nnue export`: declarations and networks for other programs.

mod bullet;
mod json;
#[cfg(feature = "graphs")]
pub(crate) mod onnx;
#[cfg(feature = "graphs")]
mod onnx_dense;
mod unit;

use std::io::Write;

use nnue_spec::NetDesc;

use crate::args::{ExportArgs, ExportTo};
use crate::declaration;
use crate::error::Error;
use crate::network::{Declared, Known};

pub(crate) fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.to {
        ExportTo::Bullet(args) => {
            let net = Declared::describe(declaration::read(&args.declaration)?);
            bullet::write(net, args.factoriser.as_deref(), out)
        }
        #[cfg(feature = "graphs")]
        ExportTo::Onnx(args) => onnx::run(args, out),
        #[cfg(not(feature = "graphs"))]
        ExportTo::Onnx(_) => Err(Error::without_graphs()),
        ExportTo::Json(args) => json::write(
            described(args.declaration.as_deref(), args.arch.as_deref())?,
            out,
        ),
    }
}

/// The user's declaration, or a known one.
fn described(
    declaration: Option<&str>,
    arch: Option<&str>,
) -> Result<&'static NetDesc<'static>, Error> {
    match (declaration, arch) {
        (Some(declaration), _) => Ok(Declared::describe(declaration::read(declaration)?)),
        (None, Some(arch)) => Ok(Known::by_name(arch)?.spec),
        (None, None) => Err(Error::Argument(
            "name a declaration with --declaration or --arch".into(),
        )),
    }
}
