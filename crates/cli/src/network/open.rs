//! Opens a network: chooses the file, the declaration and the level from the arguments.

use std::fs::File;
use std::io::{Cursor, Read, Seek, SeekFrom};
use std::path::Path;

use crate::note::note;
use nnue::dynamic::{self, OpenError, Unsupported};
use nnue::rows::RowsShape;
use nnue::{AvailableLevel, Choice, Level, LoadError, Network};
use nnue_format::LoadErrorKind;
use nnue_spec::NetDesc;
use nnue_spec::plan::Plan;
use nnue_tools::compression::{Bounds, Decompressed};
use nnue_tools::{Rule, fits, recognise};

use super::default::Default;
use super::known::DEFAULT;
use super::{AnyNetwork, Declared, Described, Evaluator, Known, known};
use crate::args::{DeclarationArgs, NetArgs};
use crate::declaration;
use crate::error::Error;
use crate::input::bounded::{self, MOST_OF_NETWORK};
use crate::input::network_file::{self, NetworkFile};
use crate::system::SystemError;

pub(crate) struct Opened<N: ?Sized = dyn AnyNetwork> {
    pub(crate) network: Box<N>,
    pub(crate) known: Known,
    /// the file, for messages
    pub(crate) source: String,
    /// the reason for the level, or for having none
    pub(crate) reason: String,
}

impl<N: ?Sized> Opened<N> {
    fn map<M: ?Sized>(self, map: impl FnOnce(Box<N>) -> Box<M>) -> Opened<M> {
        Opened {
            network: map(self.network),
            known: self.known,
            source: self.source,
            reason: self.reason,
        }
    }
}

impl From<Opened<Declared>> for Opened<dyn Evaluator> {
    fn from(opened: Opened<Declared>) -> Self {
        opened.map(|network| -> Box<dyn Evaluator> { network })
    }
}

impl From<Opened> for Opened<dyn Evaluator> {
    fn from(opened: Opened) -> Self {
        opened.map(|network| -> Box<dyn Evaluator> { network })
    }
}

/// Loads a network with the user's declaration, or as [`open`] does.
pub(crate) fn open_either(
    args: &NetArgs,
    declared: &DeclarationArgs,
    level: Option<&str>,
) -> Result<Opened<dyn Evaluator>, Error> {
    if let Some(declaration) = &declared.declaration {
        let plan = declaration::read(declaration)?;
        let path = weights_of(args, &plan)?;
        let spec = Declared::describe(plan);
        if Unsupported::of(spec).is_some() || spec.has_listed_rows() {
            return Ok(open_spec(path, spec)?.into());
        }
        return Ok(describe(path, spec, level)?.into());
    }
    Ok(open(args, level)?.into())
}

/// As [`open_either`], for a network that runs on kernels.
pub(crate) fn open_any(
    args: &NetArgs,
    declared: &DeclarationArgs,
    level: Option<&str>,
) -> Result<Opened, Error> {
    let Some(declaration) = &declared.declaration else {
        return open(args, level);
    };
    let plan = declaration::read(declaration)?;
    let path = weights_of(args, &plan)?;
    describe(path, Declared::describe(plan), level)
}

fn weights_of<'a>(args: &'a NetArgs, plan: &Plan) -> Result<&'a Path, Error> {
    let unnamed = || {
        Error::Argument(format!(
            "no network for `{}`: name the file with its weights",
            plan.name
        ))
    };
    args.net.as_deref().ok_or_else(unnamed)
}

/// A network over lists of rows.
pub(crate) struct OpenedRows {
    pub(crate) network: dynamic::Network,
    pub(crate) shape: RowsShape<'static>,
    /// the file, for messages
    pub(crate) source: String,
    /// the reason for the level
    pub(crate) reason: String,
}

/// Loads a network over lists of rows, with the user's declaration.
pub(crate) fn open_rows(
    args: &NetArgs,
    declared: &DeclarationArgs,
    level: Option<&str>,
) -> Result<OpenedRows, Error> {
    let Some(declaration) = &declared.declaration else {
        let message = "lists of rows need a declaration: `--declaration 'pub struct Mine = rows[4096] -> 256 -> 1;'`";
        return Err(Error::Argument(message.into()));
    };
    let plan = declaration::read(declaration)?;
    let path = weights_of(args, &plan)?;
    let spec = Declared::describe(plan);
    let Some(shape) = spec.rows_shape() else {
        return Err(Error::Argument(format!(
            "positions of `{}` are not lists of rows: it is not declared over `rows[..]`",
            spec.name
        )));
    };
    Declared::require_no_code(spec)?;
    let (network, reason) = described(path, spec, level)?;
    Ok(OpenedRows {
        network,
        shape,
        source: path.display().to_string(),
        reason,
    })
}

/// Loads a file without compiled code, for the named level or the best one.
fn describe(
    path: &Path,
    spec: &'static NetDesc<'static>,
    level: Option<&str>,
) -> Result<Opened, Error> {
    Declared::require_known(spec)?;
    let (network, reason) = described(path, spec, level)?;
    Ok(Opened {
        network: Box::new(Described::new(network)),
        known: Known {
            name: spec.name,
            spec,
        },
        source: path.display().to_string(),
        reason,
    })
}

/// A network without compiled code, and the reason for its level.
fn described(
    path: &Path,
    spec: &'static NetDesc<'static>,
    level: Option<&str>,
) -> Result<(dynamic::Network, String), Error> {
    let (level, reason) = level_of(level)?;
    let mut file = open_path(path, spec)?;
    let mut network = dynamic::Network::read(spec, &mut file).map_err(|error| match error {
        OpenError::Load(error) => cannot_load(path, &advised(path, spec, error)),
        error => Error::Argument(format!("`{}`: {error}", spec.name)),
    })?;
    file.finish()?;
    if network.level() != level {
        network = network.with_level(level);
    }
    let reason = format!(
        "{reason}; the declaration was read at run time; `nnue!` compiles it to faster code"
    );
    Ok((network, reason))
}

pub(crate) fn open_declared(args: &NetArgs, declaration: &str) -> Result<Opened<Declared>, Error> {
    let plan = declaration::read(declaration)?;
    open_plan(weights_of(args, &plan)?, plan)
}

pub(crate) fn open_plan(path: &Path, plan: Plan) -> Result<Opened<Declared>, Error> {
    open_spec(path, Declared::describe(plan))
}

fn open_spec(path: &Path, spec: &'static NetDesc<'static>) -> Result<Opened<Declared>, Error> {
    let mut file = open_path(path, spec)?;
    let network = Declared::read(spec, &mut file)
        .map_err(|error| cannot_load(path, &advised(path, spec, error)))?;
    file.finish()?;
    Ok(Opened {
        network: Box::new(network),
        known: Known {
            name: spec.name,
            spec,
        },
        source: path.display().to_string(),
        reason: "the declaration was read at run time; `nnue!` compiles it to fast code".into(),
    })
}

/// Loads the network that the arguments name, for the named level or the default one.
fn open(args: &NetArgs, level: Option<&str>) -> Result<Opened, Error> {
    let (level, reason) = level_of(level)?;
    let wanted = args.arch.as_deref().map(Known::by_name).transpose()?;
    let (mut network, known) = match &args.net {
        Some(path) => open_file(path, wanted)?,
        None => built_in(wanted)?,
    };
    if network.level() != level {
        network = network.with_level(level);
    }
    let source = match &args.net {
        Some(path) => path.display().to_string(),
        None => "the one built into this program".into(),
    };
    Ok(Opened {
        network,
        known,
        source,
        reason,
    })
}

/// Parses a level; an error if this processor lacks it.
fn level(name: &str) -> Result<AvailableLevel, Error> {
    let level: Level = name
        .parse()
        .map_err(|error| Error::Argument(format!("{error}")))?;
    level
        .check()
        .map_err(|error| Error::Argument(error.to_string()))
}

/// The named level, or the default level, with the reason. A level in `NNUE_LEVEL` that cannot be used is an error.
pub(crate) fn level_of(name: Option<&str>) -> Result<(AvailableLevel, String), Error> {
    if let Some(name) = name {
        return Ok((level(name)?, "named by --level".into()));
    }
    let choice = Choice::followed().map_err(|error| Error::Argument(error.to_string()))?;
    Ok((choice.level, choice.reason.to_string()))
}

fn built_in(wanted: Option<Known>) -> Result<(Box<dyn AnyNetwork>, Known), Error> {
    if let Some(wanted) = wanted.filter(|wanted| wanted.name != DEFAULT.name) {
        return Err(Error::Argument(format!(
            "no network for --arch {}: name its file with --net (the one built in is `{}`)",
            wanted.name, DEFAULT.name
        )));
    }
    Ok((Box::new(Network::<Default>::embedded()), DEFAULT))
}

fn open_file(path: &Path, wanted: Option<Known>) -> Result<(Box<dyn AnyNetwork>, Known), Error> {
    let refuse = |error: LoadError| cannot_load(path, &error);
    let file = bounded::open(path, MOST_OF_NETWORK)?;
    let known = match wanted {
        Some(known) => known,
        None if is_seekable(file.file()) => {
            let looked = Decompressed::open(file.file(), bounds_of_known());
            let looked = looked.map_err(|source| cannot_read(path, source))?;
            let known = recognised(path, looked).map_err(refuse)?;
            let rewound = file.file().rewind();
            rewound.map_err(|source| cannot_read(path, source))?;
            known
        }
        None => {
            return open_pipe(
                path,
                network_file::decompressed(path, file, bounds_of_known())?,
            );
        }
    };
    let mut file = network_file::decompressed(path, file, Bounds::of(known.spec))?;
    let refuse = |error| refuse(advised(path, known.spec, error));
    let network = known.read(&mut file).map_err(refuse)?;
    file.finish()?;
    Ok((network, known))
}

/// Reads a network that can be read only once.
fn open_pipe(path: &Path, file: NetworkFile) -> Result<(Box<dyn AnyNetwork>, Known), Error> {
    let refuse = |error: LoadError| cannot_load(path, &error);
    let contents = bounded::contents(file, bounds_of_known().most)
        .map_err(|source| cannot_read(path, source))?;
    let known = recognised(path, Cursor::new(&contents)).map_err(refuse)?;
    let network = known.read(&mut &contents[..]).map_err(refuse)?;
    Ok((network, known))
}

fn open_path(path: &Path, spec: &NetDesc<'_>) -> Result<NetworkFile, Error> {
    network_file::open(path, Bounds::of(spec))
}

fn cannot_read(path: &Path, source: std::io::Error) -> Error {
    SystemError::read(path, source).into()
}

/// Whether the file can be read twice; a pipe cannot.
fn is_seekable(mut file: &File) -> bool {
    file.stream_position().is_ok()
}

/// Bounds of the files of known networks.
fn bounds_of_known() -> Bounds {
    let specs: Vec<_> = known().map(|known| known.spec).collect();
    Bounds::of_any(&specs)
}

/// Adds advice to the error after a second look at the file, if it can be opened again.
fn advised(path: &Path, spec: &NetDesc<'_>, error: LoadError) -> LoadError {
    if !path.is_file() {
        return error;
    }
    match open_path(path, spec) {
        Ok(file) => fits::explained(spec, error, file),
        Err(_) => error,
    }
}

fn cannot_load(path: &Path, error: &LoadError) -> Error {
    let advice = match error.kind() {
        LoadErrorKind::NoHeader => {
            "; `nnue import bullet` starts a declaration, --declaration reads the file with it"
        }
        _ => "",
    };
    Error::Network {
        path: path.to_owned(),
        message: format!("{error}{advice}"),
    }
}

/// Recognises the declaration of a file. If several fit, a note on standard error names the one taken.
fn recognised<F: Read + Seek>(path: &Path, mut file: F) -> Result<Known, LoadError> {
    let all: Vec<Known> = known().collect();
    let specs: Vec<_> = all.iter().map(|known| known.spec).collect();
    let recognition = recognise(&mut file, &specs)?;
    file.seek(SeekFrom::Start(0))
        .map_err(|error| LoadError::io(0, error))?;
    let fitting: Vec<Known> = recognition
        .candidates
        .iter()
        .map(|&index| all[index])
        .collect();
    if let [taken, others @ ..] = fitting.as_slice()
        && !others.is_empty()
    {
        let others: Vec<_> = others
            .iter()
            .map(|known| format!("--arch {}", known.name))
            .collect();
        let reason = match recognition.rule {
            Rule::Undecided => "the file does not tell".to_owned(),
            rule => format!("decided by {rule}"),
        };
        note!(
            "{} is read as {} ({reason}); it could also be {}",
            path.display(),
            taken.name,
            others.join(" or ")
        );
    }
    Ok(fitting[0])
}
