//! `nnue import net`, or `bullet`: prints the declaration that `nnue_tools::search` finds for a file.

use std::io::Write;

use nnue_codegen::{single_plan, single_subnets};
use nnue_tools::search::{self, Found, MOST_BYTES, Search, SearchError, Sizes};

use crate::args::ImportNetArgs;
use crate::declaration::Source;
use crate::error::Error;
use crate::input::bounded;
use crate::network::known;
use crate::note::note;
use crate::system::SystemError;

pub(super) fn run(args: &ImportNetArgs, out: &mut dyn Write) -> Result<(), Error> {
    let program = args.save_format.as_deref().map(Source::read).transpose()?;
    let known: Vec<_> = known().map(|known| (known.name, known.spec)).collect();
    let search = Search {
        name: &args.name,
        program: program.as_ref().map(|source| search::Source {
            name: &source.name,
            text: &source.text,
        }),
        sizes: Sizes {
            width: args.width,
            king_buckets: args.king_buckets,
            output_buckets: args.output_buckets,
            hidden: &args.hidden,
        },
        heads: &args.heads,
        known: &known,
        compile: single_plan,
        compile_subnets: single_subnets,
    };
    let found = found(args, &search)?;
    write!(out, "{found}")?;
    out.flush()?;
    report(args, &found);
    Ok(())
}

fn found(args: &ImportNetArgs, search: &Search<'_>) -> Result<Found, Error> {
    let path = args.file.as_ref().or(args.net.as_ref());
    let found = match (path, args.size) {
        (Some(path), _) if path.is_dir() => search.file(path),
        (Some(path), _) => search.read(bounded::open(path, MOST_BYTES)?),
        (None, Some(size)) => search.size(size),
        (None, None) => {
            let message = "name the file, or its size with --size";
            return Err(Error::Argument(message.into()));
        }
    };
    found.map_err(|error| match (error, path) {
        (SearchError::Io(source), Some(path)) => SystemError::read(path, source).into(),
        (SearchError::File(message), Some(path)) => Error::Network {
            path: path.clone(),
            message,
        },
        (SearchError::Program(message), _) => Error::Declaration(message),
        (error, _) => Error::Argument(in_options(&error)),
    })
}

/// An error in the words of the command's options.
fn in_options(error: &SearchError) -> String {
    match error {
        SearchError::Hidden {
            given,
            saved,
            program,
        } => format!(
            "--hidden has {given} widths, and {saved} hidden layers are saved by {program}: name the trainer's list with --save-format"
        ),
        SearchError::Head {
            name: Some(name),
            message,
        } => format!("--head {name}: {message}"),
        SearchError::Head {
            name: None,
            message,
        } => format!("--head {message}"),
        error => error.to_string(),
    }
}

/// Notes how far the declaration is certain.
fn report(args: &ImportNetArgs, found: &Found) {
    let first = found.first();
    if found.is_container {
        return;
    }
    let others = match found.others() {
        0 => "no other shape was found to fit".to_owned(),
        1 => "another shape fits, it is named above it".to_owned(),
        count => format!("{count} other shapes fit, they are listed above it"),
    };
    note!(
        "{} bytes fit `{}` exactly; {others}",
        found.bytes,
        args.name
    );
    if let Some(doubt) = &first.doubt {
        note!("only the size fits: {doubt}");
    }
}
