//! `nnue import bullet`: starts a declaration from what the trainer saves and from the size of a file.

mod declare;
mod list;
mod search;

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use crate::args::{ImportArgs, ImportBulletArgs, ImportFrom};
use crate::declaration::Source;
use crate::error::Error;
use list::Saved;
use search::{Shape, Tail};

/// What the trainer's examples save, for those who give a size alone.
const EXAMPLES: &str = "SavedFormat::id(\"l0w\").round().quantise::<i16>(255), SavedFormat::id(\"l0b\").round().quantise::<i16>(255),
    SavedFormat::id(\"l1w\").round().quantise::<i16>(64).transpose(), SavedFormat::id(\"l1b\").round().quantise::<i16>(255 * 64)";

/// Shapes that are listed.
const LISTED: usize = 12;

/// Runs the command.
pub(crate) fn run(args: &ImportArgs, out: &mut dyn Write) -> Result<(), Error> {
    let ImportFrom::Bullet(args) = &args.from;
    if !is_name(&args.name) {
        return Err(Error::Argument(format!("`{}` is no name of a type", args.name.escape_default())));
    }
    let (source, assumed) = match &args.save_format {
        Some(path) => (Source::read(path)?, false),
        None => (Source { name: "the trainer's examples".into(), text: EXAMPLES.into() }, true),
    };
    let saved = list::read(&source)?;
    let (size, tail) = size(args)?;
    let shapes = search::fitting(&saved, size, &tail, args);
    let declared: Vec<(Shape, String)> = shapes
        .into_iter()
        .filter_map(|shape| declare::declaration(&saved, &shape, &args.name, size).map(|text| (shape, text)))
        .collect();
    let Some((shape, text)) = declared.first() else { return Err(nothing_fits(&saved, size, &source.name)) };
    explain(&saved, shape, &declared[1..], assumed, out)?;
    write!(out, "{text}")?;
    out.flush()?;
    let others = match declared.len() - 1 {
        0 => "no other shape was found to fit".to_owned(),
        1 => "another shape fits, it is named above it".to_owned(),
        count => format!("{count} other shapes fit, they are listed above it"),
    };
    eprintln!("note: {size} bytes fit `{}` exactly; {others}", args.name);
    Ok(())
}

fn is_name(text: &str) -> bool {
    let is_letter = |c: char| c == '_' || c.is_ascii_alphabetic();
    text.starts_with(is_letter) && text.chars().all(|c| is_letter(c) || c.is_ascii_digit()) && text != "_"
}

/// The size of the file and, if there is one, what stands at its end.
fn size(args: &ImportBulletArgs) -> Result<(u64, Tail), Error> {
    let Some(path) = &args.net else {
        let missing = || Error::Argument("name the file with --net, or its size with --size".into());
        return Ok((args.size.ok_or_else(missing)?, Tail::Unknown));
    };
    let bytes = read(path)?;
    if bytes.is_empty() {
        let message = "zero length: the trainer's quantisation overflowed, look for its message".into();
        return Err(Error::Network { path: path.clone(), message });
    }
    Ok((bytes.len() as u64, Tail::of(&bytes)))
}

/// The contents of a file.
fn read(path: &Path) -> Result<Vec<u8>, Error> {
    let failed = |source| Error::File { path: path.to_owned(), source };
    if path.is_dir() {
        return Err(failed(std::io::ErrorKind::IsADirectory.into()));
    }
    let mut bytes = Vec::new();
    let mut file = fs::File::open(path).map_err(failed)?;
    file.read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

fn nothing_fits(saved: &[Saved], size: u64, name: &str) -> Error {
    let ids: Vec<&str> = saved.iter().map(|saved| saved.id.as_str()).collect();
    Error::Argument(format!(
        "no network with the tensors {} of {name} has {size} bytes: accumulators of 32 to 8192 neurons, 1 to 64 king buckets and 1 to \
         32 output buckets were tried (with inputs of 768 rows); is a tensor missing from the list, or the file cut off?",
        ids.join(", ")
    ))
}

/// What the declaration rests on, as comments above it.
fn explain(
    saved: &[Saved],
    shape: &Shape,
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
    for note in declare::guesses(saved, shape) {
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
