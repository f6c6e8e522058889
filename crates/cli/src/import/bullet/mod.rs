//! `nnue import bullet`: starts a declaration from what the trainer saves and from the size of a file.

mod declare;
mod heads;
mod list;
mod program;
mod search;
mod tokens;

use std::io::Write;

use nnue_command::note::note;

use crate::args::ImportBulletArgs;
use crate::declaration::Source;
use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_NETWORK};
use list::Saved;
use search::{Shape, Tail};

/// What the trainer's examples save, for those who give a size alone.
const EXAMPLES: &str = "SavedFormat::id(\"l0w\").round().quantise::<i16>(255), SavedFormat::id(\"l0b\").round().quantise::<i16>(255),
    SavedFormat::id(\"l1w\").round().quantise::<i16>(64).transpose(), SavedFormat::id(\"l1b\").round().quantise::<i16>(255 * 64)";

/// Shapes that are listed.
const LISTED: usize = 12;

/// Runs the command.
pub(super) fn run(args: &ImportBulletArgs, out: &mut dyn Write) -> Result<(), Error> {
    let (source, assumed) = match &args.save_format {
        Some(path) => (Source::read(path)?, false),
        None => (
            Source {
                name: "the trainer's examples".into(),
                text: EXAMPLES.into(),
            },
            true,
        ),
    };
    let (saved, program) = list::read(&source)?;
    heads::check(&args.heads, &saved, &source.name)?;
    check_hidden(args, &saved, &source.name)?;
    let (size, tail) = size(args)?;
    let shapes = search::fitting(&saved, &program, size, &tail, args);
    let declared: Vec<(Shape, String)> = shapes
        .into_iter()
        .filter_map(|shape| {
            declare::declaration(&saved, &program, &shape, args, size).map(|text| (shape, text))
        })
        .collect();
    let Some((shape, text)) = declared.first() else {
        return Err(nothing_fits(&saved, size, &source.name));
    };
    explain(
        &declare::guesses(&saved, &program, shape, &args.heads),
        &declared[1..],
        assumed,
        out,
    )?;
    write!(out, "{text}")?;
    out.flush()?;
    let others = match declared.len() - 1 {
        0 => "no other shape was found to fit".to_owned(),
        1 => "another shape fits, it is named above it".to_owned(),
        count => format!("{count} other shapes fit, they are listed above it"),
    };
    note!("{size} bytes fit `{}` exactly; {others}", args.name);
    Ok(())
}

/// Refuses widths of hidden layers that the list of tensors has not.
fn check_hidden(args: &ImportBulletArgs, saved: &[Saved], name: &str) -> Result<(), Error> {
    let (given, found) = (args.hidden.len(), search::hidden_layers(saved, &args.heads));
    if given == 0 || given == found {
        return Ok(());
    }
    Err(Error::Argument(format!(
        "--hidden has {given} widths, and {found} hidden layers are saved by {name}: name the trainer's list with --save-format"
    )))
}

/// The size of the file and, if the file is there, its last bytes.
fn size(args: &ImportBulletArgs) -> Result<(u64, Tail), Error> {
    let Some(path) = &args.net else {
        let missing =
            || Error::Argument("name the file with --net, or its size with --size".into());
        return Ok((args.size.ok_or_else(missing)?, Tail::Unknown));
    };
    let (size, end) = bounded::end(path, MOST_OF_NETWORK, Tail::MOST)?;
    if size == 0 {
        let message =
            "zero length: the trainer's quantisation overflowed, look for its message".into();
        return Err(Error::Network {
            path: path.clone(),
            message,
        });
    }
    Ok((size, Tail::Bytes(end)))
}

fn nothing_fits(saved: &[Saved], size: u64, name: &str) -> Error {
    let ids: Vec<&str> = saved
        .iter()
        .map(|saved| saved.id.as_str())
        .filter(|id| !id.is_empty())
        .collect();
    Error::Argument(format!(
        "no network with the tensors {} of {name} has {size} bytes: accumulators of 32 to 8192 neurons, 1 to 64 king buckets and 1 to \
         32 output buckets were tried (with inputs of 768 rows), with one perspective and with two; is a tensor missing from the list, or the file cut off?",
        ids.join(", ")
    ))
}

/// What the declaration rests on, as comments above it.
fn explain(
    guesses: &[String],
    others: &[(Shape, String)],
    assumed: bool,
    out: &mut dyn Write,
) -> Result<(), Error> {
    if assumed {
        writeln!(
            out,
            "// Tensors, types and scales as the trainer's examples save them: give yours with --save-format."
        )?;
    }
    for note in guesses {
        writeln!(out, "// guessed: {note}")?;
    }
    if !others.is_empty() {
        writeln!(out, "// Other shapes of the same size:")?;
        for (other, _) in others.iter().take(LISTED) {
            writeln!(out, "//   {other}")?;
        }
        if others.len() > LISTED {
            writeln!(out, "//   and {} more", others.len() - LISTED)?;
        }
    }
    writeln!(
        out,
        "// Next: `nnue golden --declaration FILE --net NET`, and compare its values with those of the engine."
    )?;
    Ok(())
}
