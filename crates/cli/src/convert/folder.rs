//! A folder with a file for each tensor, as one file.

use nnue_format::{Padding, Tensors};
use nnue_spec::{NetDesc, RawDesc};
use nnue_tools::convert::Source;
use nnue_tools::folder::Folder;

use super::report::Report;
use super::{formatted, in_form, refuse};
use crate::args::ConvertArgs;
use crate::declaration;
use crate::error::Error;
use crate::input::bounded::MOST_OF_NETWORK;
use crate::network::Declared;
use crate::quantize::folder;

/// Tensors in natural order, for declarations of a container.
const NATURAL: &str = "raw { padding: none }";

/// The bytes of the new file, in the form of the declaration or of the arguments.
pub(super) fn converted(args: &ConvertArgs) -> Result<(Vec<u8>, Report), Error> {
    let Some(declaration) = &args.declared.declaration else {
        let message = "a folder of tensors needs the declaration of its network: --declaration FILE (`nnue import net FOLDER` proposes one)";
        return Err(Error::Argument(message.into()));
    };
    let declared = Declared::describe(declaration::read(declaration)?);
    let net = tensors_only(declared)?;
    let files = Folder::read(&args.file, MOST_OF_NETWORK);
    let files = files.map_err(|error| folder::refuse(&args.file, error))?;
    let bytes = files.network(&net);
    let bytes = bytes.map_err(|error| folder::refuse(&args.file, error))?;
    let read = Tensors::read(&net, &bytes[..]);
    let (header, tensors) = read.map_err(|error| refuse(args, &error))?;
    let to = match &args.format {
        Some(format) => formatted(declared, format)?,
        None => declared,
    };
    let source = Source {
        net: &net,
        header: &header,
        tensors: &tensors.refs(),
    };
    let (file, report) = in_form(args, source, Some(to))?;
    let files = files.files().iter();
    let read = files.map(|file| file.bytes.len() as u64).sum();
    Ok((file, report.of_folder(read)))
}

/// The network with the format of a folder: tensors as they are declared, without a padding.
fn tensors_only(declared: &'static NetDesc<'static>) -> Result<NetDesc<'static>, Error> {
    let net = match &declared.raw {
        Some(_) => declared,
        None => formatted(declared, NATURAL)?,
    };
    let raw = net.raw.map(|raw| RawDesc {
        padding: Padding::None,
        ..raw
    });
    Ok(NetDesc { raw, ..*net })
}
