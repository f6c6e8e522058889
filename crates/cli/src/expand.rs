//! `nnue expand`: prints the macro's expansion of a declaration, formatted.

use std::io::Write;
use std::path::Path;

use crate::args::ExpandArgs;
use crate::declaration::Source;
use crate::error::Error;

pub(crate) fn run(args: &ExpandArgs, out: &mut dyn Write) -> Result<(), Error> {
    let source = Source::read(args.file.as_deref().unwrap_or(Path::new("-")))?;
    let expansion =
        nnue_codegen::expand_formatted(&source.text).map_err(|errors| source.refuse(&errors))?;
    Ok(out.write_all(expansion.as_bytes())?)
}
