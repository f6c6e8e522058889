//! `nnue export`: a declaration for other programs.

mod bullet;
mod json;
mod unit;

use std::io::Write;

use nnue_spec::{Axes, Axis, NetDesc, TensorDesc};

use crate::args::{ExportArgs, ExportTo};
use crate::declaration;
use crate::error::Error;
use crate::network::{Declared, Known};

/// Runs the command.
pub(crate) fn run(args: &ExportArgs, out: &mut dyn Write) -> Result<(), Error> {
    match &args.to {
        ExportTo::Bullet(args) => {
            let net = Declared::describe(declaration::read(&args.declaration)?);
            bullet::write(net, args.factoriser.as_deref(), out)
        }
        ExportTo::Json(args) => json::write(described(args.declaration.as_deref(), args.arch.as_deref())?, out),
    }
}

/// The declaration of the user's, or one that is known.
fn described(declaration: Option<&str>, arch: Option<&str>) -> Result<&'static NetDesc<'static>, Error> {
    match (declaration, arch) {
        (Some(declaration), _) => Ok(Declared::describe(declaration::read(declaration)?)),
        (None, Some(arch)) => Ok(Known::by_name(arch)?.spec),
        (None, None) => Err(Error::Argument("name a declaration with --declaration or --arch".into())),
    }
}

/// The axes that have more than one element.
fn long_axes(tensor: &TensorDesc<'_>, axes: Axes) -> Vec<Axis> {
    axes.into_iter().filter(|&axis| length(tensor, axis) > 1).collect()
}

/// Elements along an axis.
fn length(tensor: &TensorDesc<'_>, axis: Axis) -> usize {
    [tensor.copies, tensor.rows, tensor.cols][axis as usize]
}

/// Axes as a declaration writes them: `[stack][input]`.
fn written(tensor: &TensorDesc<'_>, axes: &[Axis]) -> String {
    axes.iter().map(|axis| format!("[{}]", axis.name(tensor.role))).collect()
}
