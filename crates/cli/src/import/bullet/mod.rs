//! `nnue import net`, or `bullet`: recognises a container, or drafts a declaration from the trainer's `save_format` and the size of a
//! file.

mod constants;
mod container;
mod declare;
mod doubt;
mod ends;
mod heads;
mod hints;
mod inputs;
mod list;
mod program;
mod search;
mod tokens;

use std::io::Write;
use std::path::{Path, PathBuf};

use crate::note::note;

use crate::args::ImportBulletArgs;
use crate::declaration::Source;
use crate::error::Error;
use crate::input::kind;
use ends::Ends;
use list::Saved;
use program::Program;
use search::{Shape, Tail};

/// The `save_format` of the trainer's examples, used if the user gives none.
const EXAMPLES: &str = "SavedFormat::id(\"l0w\").round().quantise::<i16>(255), SavedFormat::id(\"l0b\").round().quantise::<i16>(255),
    SavedFormat::id(\"l1w\").round().quantise::<i16>(64).transpose(), SavedFormat::id(\"l1b\").round().quantise::<i16>(255 * 64)";

/// Types of the output bias: in [`EXAMPLES`], and in older trainers and some programs.
const BIAS_TYPES: [&str; 2] = ["i16>(255 * 64)", "i32>(255 * 64)"];

const ASSUMED: &str = "`@ 255` and `@ 64`, the scales of the trainer's examples, which no size tells: the numbers in `.quantise::<i16>(QA)` of the \
    program do (--save-format), or golden values of the engine";

const LISTED: usize = 12;

pub(super) fn run(args: &ImportBulletArgs, out: &mut dyn Write) -> Result<(), Error> {
    let assumed = args.save_format.is_none();
    let lists = lists(args)?;
    let (size, tail) = match found(args)? {
        Found::Container(path) => return container::print(&path, out),
        Found::Numbers(size, tail) => (size, tail),
    };
    let mut candidates = Vec::new();
    for list in &lists {
        heads::check(&args.heads, &list.saved, &list.name)?;
        check_hidden(args, &list.saved, &list.name)?;
        candidates.extend(list.candidates(args, size, &tail));
    }
    candidates.sort_by_key(Candidate::unlikeliness);
    if let Some(path) = network_path(args) {
        put_undoubted_first(&mut candidates, path)?;
    }
    let [
        Candidate {
            list,
            shape,
            text,
            doubt,
        },
        others @ ..,
    ] = candidates.as_slice()
    else {
        let hints = hints::hints(&lists, args, size, &tail);
        return Err(nothing_fits(&lists[0].saved, size, &lists[0].name, &hints));
    };
    let mut guesses = declare::guesses(&list.saved, &list.program, shape, &args.heads);
    if assumed {
        guesses.insert(0, ASSUMED.to_owned());
    } else if lists.len() > 1 {
        guesses.insert(
            0,
            format!(
                "which of the {} lists of tensors in the text saved the file",
                lists.len()
            ),
        );
    }
    if let Some(doubt) = doubt {
        writeln!(out, "// doubtful: {doubt}")?;
    }
    explain(&guesses, others, assumed, out)?;
    write!(out, "{text}")?;
    out.flush()?;
    let found = match others.len() {
        0 => "no other shape was found to fit".to_owned(),
        1 => "another shape fits, it is named above it".to_owned(),
        count => format!("{count} other shapes fit, they are listed above it"),
    };
    note!("{size} bytes fit `{}` exactly; {found}", args.name);
    if let Some(doubt) = doubt {
        note!("only the size fits: {doubt}");
    }
    Ok(())
}

/// A list of tensors, and facts from the program around it.
struct List {
    name: String,
    saved: Vec<Saved>,
    program: Program,
    /// the output bias is assumed to be i32
    wide: bool,
}

struct Candidate<'a> {
    list: &'a List,
    shape: Shape,
    text: String,
    /// what speaks against it in the numbers of the file
    doubt: Option<String>,
}

/// Reads the file by one candidate after the other until the numbers of one are as trainers leave them, and puts that one first.
fn put_undoubted_first(candidates: &mut [Candidate<'_>], path: &Path) -> Result<(), Error> {
    for at in 0..candidates.len().min(LISTED) {
        candidates[at].doubt = doubt::doubt(path, &candidates[at].text)?;
        if candidates[at].doubt.is_none() {
            candidates[..=at].rotate_right(1);
            break;
        }
    }
    Ok(())
}

impl Candidate<'_> {
    fn unlikeliness(&self) -> u64 {
        search::unlikeliness(&self.shape) + u64::from(self.list.wide)
    }
}

impl std::fmt::Display for Candidate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wide = if self.list.wide {
            " (fc0_bias: i32)"
        } else {
            ""
        };
        write!(f, "{}{wide}", self.shape)?;
        match self.doubt {
            Some(_) => f.write_str(", doubtful"),
            None => Ok(()),
        }
    }
}

impl List {
    /// The lists of a text.
    fn read(source: &Source, wide: bool) -> Result<Vec<Self>, Error> {
        let (lists, program) = list::read(source)?;
        let list = |saved| Self {
            name: source.name.clone(),
            saved,
            program: program.clone(),
            wide,
        };
        Ok(lists.into_iter().map(list).collect())
    }

    /// The declarations that read `size` bytes, the likeliest first.
    fn candidates(&self, args: &ImportBulletArgs, size: u64, tail: &Tail) -> Vec<Candidate<'_>> {
        search::fitting(&self.saved, &self.program, size, tail, args)
            .into_iter()
            .filter_map(|shape| {
                let text = declare::declaration(&self.saved, &self.program, &shape, args, size)?;
                Some(Candidate {
                    list: self,
                    shape,
                    text,
                    doubt: None,
                })
            })
            .collect()
    }
}

/// The user's list, or the examples' lists with each type of the output bias.
fn lists(args: &ImportBulletArgs) -> Result<Vec<List>, Error> {
    if let Some(path) = &args.save_format {
        let mut lists = List::read(&Source::read(path)?, false)?;
        lists.dedup_by(|one, other| one.saved == other.saved);
        return Ok(lists);
    }
    let read = |bias: &str| {
        let source = Source {
            name: "the trainer's examples".into(),
            text: EXAMPLES.replace(BIAS_TYPES[0], bias),
        };
        List::read(&source, bias != BIAS_TYPES[0])
    };
    let lists: Result<Vec<_>, Error> = BIAS_TYPES.into_iter().map(read).collect();
    Ok(lists?.into_iter().flatten().collect())
}

/// Refuses `--hidden` widths that do not match the list.
fn check_hidden(args: &ImportBulletArgs, saved: &[Saved], name: &str) -> Result<(), Error> {
    let (given, found) = (args.hidden.len(), search::hidden_layers(saved, &args.heads));
    if given == 0 || given == found {
        return Ok(());
    }
    Err(Error::Argument(format!(
        "--hidden has {given} widths, and {found} hidden layers are saved by {name}: name the trainer's list with --save-format"
    )))
}

/// What is to be declared.
enum Found {
    /// a file whose header identifies the network
    Container(PathBuf),
    /// a file of numbers: its size and, if it exists, its last bytes
    Numbers(u64, Tail),
}

fn network_path(args: &ImportBulletArgs) -> Option<&PathBuf> {
    args.file.as_ref().or(args.net.as_ref())
}

fn found(args: &ImportBulletArgs) -> Result<Found, Error> {
    let Some(path) = network_path(args) else {
        let missing = || Error::Argument("name the file, or its size with --size".into());
        return Ok(Found::Numbers(
            args.size.ok_or_else(missing)?,
            Tail::Unknown,
        ));
    };
    let Ends { size, head, tail } = Ends::of(path)?;
    if size == 0 {
        let message =
            "zero length: the trainer's quantisation overflowed, look for its message".into();
        return Err(Error::Network {
            path: path.clone(),
            message,
        });
    }
    if container::is_container(&head) {
        return Ok(Found::Container(path.clone()));
    }
    match kind::named(&head) {
        Some(kind) => Err(kind::refused(path, kind)),
        None => Ok(Found::Numbers(size, Tail::Bytes(tail))),
    }
}

fn nothing_fits(saved: &[Saved], size: u64, name: &str, hints: &str) -> Error {
    let ids: Vec<&str> = saved
        .iter()
        .map(|saved| saved.id.as_str())
        .filter(|id| !id.is_empty())
        .collect();
    Error::Argument(format!(
        "no network with the tensors {} of {name} has {size} bytes: accumulators of 32 to 8192 neurons, 1 to 64 king buckets and 1 to \
         32 output buckets were tried (with inputs of 768 rows, alone or beside a built-in set of threats), with one perspective and with two; {hints}is a tensor missing from the list, or the file cut off?",
        ids.join(", ")
    ))
}

/// Prints guesses and alternatives as comments above the declaration.
fn explain(
    guesses: &[String],
    others: &[Candidate<'_>],
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
        for other in others.iter().take(LISTED) {
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
