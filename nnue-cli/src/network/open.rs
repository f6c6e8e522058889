//! From the command line to a network: which file, which declaration, which level.

use std::fs::File;
use std::path::Path;

use nnue::{AvailableLevel, Choice, Level, LoadError, Network};
use nnue_format::{Rule, recognise};

use super::default::Default;
use super::known::DEFAULT;
use super::{AnyNetwork, Known, known};
use crate::args::NetArgs;
use crate::error::Error;

/// A network and where it comes from.
pub(crate) struct Opened {
    /// the network
    pub(crate) network: Box<dyn AnyNetwork>,
    /// its declaration
    pub(crate) known: Known,
    /// the file, in words
    pub(crate) source: String,
    /// why the network's level was chosen
    pub(crate) reason: String,
}

/// Loads the network that the arguments name, for the level of this name or the best one.
pub(crate) fn open(args: &NetArgs, level: Option<&str>) -> Result<Opened, Error> {
    let level = level.map(self::level).transpose()?;
    let wanted = args.arch.as_deref().map(Known::by_name).transpose()?;
    let mut opened = match &args.net {
        Some(path) => open_file(path, wanted)?,
        None => built_in(wanted)?,
    };
    if let Some(level) = level {
        opened.network = opened.network.with_level(level);
        opened.reason = "named by --level".into();
    }
    Ok(opened)
}

/// The level of this name, if this processor has it.
fn level(name: &str) -> Result<AvailableLevel, Error> {
    let level: Level = name.parse().map_err(|error| Error::Argument(format!("{error}")))?;
    level.check().map_err(|error| Error::Argument(error.to_string()))
}

/// Why a network that was loaded now has its level.
fn reason() -> String {
    Choice::now().reason.to_string()
}

fn built_in(wanted: Option<Known>) -> Result<Opened, Error> {
    if let Some(wanted) = wanted.filter(|wanted| wanted.name != DEFAULT.name) {
        return Err(Error::Argument(format!(
            "no network for --arch {}: name its file with --net (the one built in is `{}`)",
            wanted.name, DEFAULT.name
        )));
    }
    let network = Box::new(Network::<Default>::embedded());
    Ok(Opened { network, known: DEFAULT, source: "the one built into this program".into(), reason: reason() })
}

fn open_file(path: &Path, wanted: Option<Known>) -> Result<Opened, Error> {
    let cannot_read = |source| Error::File { path: path.to_owned(), source };
    let cannot_load = |error: LoadError| Error::Network { path: path.to_owned(), message: error.to_string() };
    if path.is_dir() {
        return Err(cannot_read(std::io::ErrorKind::IsADirectory.into()));
    }
    let file = File::open(path).map_err(cannot_read)?;
    let known = match wanted {
        Some(known) => known,
        None => recognised(path, &file).map_err(cannot_load)?,
    };
    let network = known.read(&mut &file).map_err(cannot_load)?;
    Ok(Opened { network, known, source: path.display().to_string(), reason: reason() })
}

/// The declaration that fits the file; where several do, says on standard error which one is taken.
fn recognised(path: &Path, mut file: &File) -> Result<Known, LoadError> {
    use std::io::{Seek, SeekFrom};
    let all: Vec<Known> = known().collect();
    let specs: Vec<_> = all.iter().map(|known| known.spec).collect();
    let recognition = recognise(file, &specs)?;
    file.seek(SeekFrom::Start(0)).map_err(|error| LoadError::io(0, error))?;
    let fitting: Vec<Known> = recognition.candidates.iter().map(|&index| all[index]).collect();
    if let [taken, others @ ..] = fitting.as_slice()
        && !others.is_empty()
    {
        let others: Vec<_> = others.iter().map(|known| format!("--arch {}", known.name)).collect();
        let reason = match recognition.rule {
            Rule::Undecided => "the file does not tell".to_owned(),
            rule => format!("decided by {rule}"),
        };
        eprintln!(
            "note: {} is read as {} ({reason}); it could also be {}",
            path.display(),
            taken.name,
            others.join(" or ")
        );
    }
    Ok(fitting[0])
}
