//! `nnue data shuffle`.

use std::io;
use std::path::{Path, PathBuf};

use crate::note::line;
use crate::progress::Progress;
use nnue_data::ReadError;
use nnue_data::shuffle::{MemoryTooSmall, Shuffled, Shuffler};

use super::input::{Input, Order, is_standard};
use super::output::Output;
use crate::args::train::ShuffleArgs;
use crate::error::Error;
use crate::system::SystemError;

pub(crate) fn run(args: &ShuffleArgs) -> Result<(), Error> {
    let mut output = Output::create(&args.output, &args.input.inputs)?;
    let mut input = Input::open(&args.input, Order::Given, |from| output.takes(from))?;
    let folder = args
        .temporary
        .clone()
        .unwrap_or_else(|| beside(&args.output.output));
    let failure = |source| refused(&folder, source);
    let mut shuffler = Shuffler::new(&folder, args.memory, args.seed.seed);
    let end = input.for_each(|record| shuffler.push(record).map(|()| true).map_err(failure))?;
    write(shuffler.finish(), &mut output, &folder)?;
    let written = output.finish()?;
    line(format_args!("{written}"));
    end.judge(|| "the records before it were shuffled and written".into())
}

/// The error for a record that a shuffler refuses.
fn refused(folder: &Path, source: io::Error) -> Error {
    let too_small = source.get_ref().and_then(|why| why.downcast_ref());
    match too_small {
        Some(MemoryTooSmall { .. }) => Error::Argument(format!("--memory: {source}")),
        None => SystemError::write(folder, source).into(),
    }
}

/// The folder of a file; for standard output, the folder of temporary files.
fn beside(output: &Path) -> PathBuf {
    if is_standard(output) {
        return std::env::temp_dir();
    }
    let folder = output
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

fn write(shuffled: Shuffled, output: &mut Output, folder: &Path) -> Result<(), Error> {
    let progress = Progress::new("writing: position", shuffled.remaining());
    for record in shuffled {
        let record = record.map_err(|error| match error {
            ReadError::Io(source) => SystemError::read(folder, source).into(),
            fault => Error::Damaged {
                path: folder.to_owned(),
                fault,
                kept: "nothing was written".into(),
            },
        })?;
        output.write(&record)?;
        progress.step();
    }
    Ok(())
}
