//! `nnue expand`: prints the macro's expansion of a declaration, formatted; `--graph`: the declaration with all
//! that it leaves to defaults.

use std::io::Write;
use std::path::Path;

use nnue_tools::declaration::{Defaults, declaration};

use crate::args::ExpandArgs;
use crate::declaration::Source;
use crate::error::Error;

pub(crate) fn run(args: &ExpandArgs, out: &mut dyn Write) -> Result<(), Error> {
    let source = Source::read(args.file.as_deref().unwrap_or(Path::new("-")))?;
    if args.graph {
        return graphs(&source, out);
    }
    let expansion =
        nnue_codegen::expand_formatted(&source.text).map_err(|errors| source.refuse(&errors))?;
    Ok(out.write_all(expansion.as_bytes())?)
}

fn graphs(source: &Source, out: &mut dyn Write) -> Result<(), Error> {
    let plans = nnue_codegen::plan_text(&source.text).map_err(|errors| source.refuse(&errors))?;
    for plan in &plans {
        let text = declaration(&plan.tables().descriptor(), Defaults::Written);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
