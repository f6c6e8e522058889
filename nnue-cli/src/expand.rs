//! `nnue expand`: what the macro writes for a declaration, formatted.

use std::fs;
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;

use crate::args::ExpandArgs;
use crate::error::Error;

/// Runs the command.
pub(crate) fn run(args: &ExpandArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (name, source) = source(args)?;
    let expansion = nnue_codegen::expand_formatted(&source).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(|error| format!("{name}:{error}")).collect();
        Error::Declaration(lines.join("\n"))
    })?;
    Ok(out.write_all(expansion.as_bytes())?)
}

/// The source and what to call it.
fn source(args: &ExpandArgs) -> Result<(String, String), Error> {
    let cannot_read = |path: &Path| {
        let path = path.to_owned();
        move |source| Error::File { path, source }
    };
    match &args.file {
        Some(path) if path.as_os_str() != "-" => {
            Ok((path.display().to_string(), fs::read_to_string(path).map_err(cannot_read(path))?))
        }
        _ if io::stdin().is_terminal() => {
            Err(Error::Argument("give a declaration on standard input, or name a file that holds one".into()))
        }
        _ => {
            let mut source = String::new();
            io::stdin().read_to_string(&mut source).map_err(cannot_read(Path::new("standard input")))?;
            Ok(("standard input".into(), source))
        }
    }
}
