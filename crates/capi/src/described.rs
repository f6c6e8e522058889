//! Networks that are described while the program runs: by a declaration, by a name, or by their file.

use std::fs::File;
use std::io::{Cursor, Read, Seek};
use std::sync::Arc;

use nnue::dynamic::{Network, OpenError};
use nnue::spec::{HeadKind, NetDesc};
use nnue::{AvailableLevel, LoadError, stockfish};
use nnue_codegen::described_text;
use nnue_tools::compression::{Bounds, Decompressed};
use nnue_tools::fits::explained;
use nnue_tools::recognise;

use crate::declared::Source;
use crate::failure::{Failure, Status};
use crate::network::AnyNetwork;

/// How a file is to be read.
#[derive(Clone, Copy)]
pub(crate) struct Description<'a> {
    /// a declaration, the name of a network of Stockfish, or none: as the file says
    pub(crate) declaration: Option<&'a str>,
    /// one of several declared networks
    pub(crate) name: Option<&'a str>,
}

impl Description<'_> {
    /// The networks that the file may be.
    fn candidates(self) -> Result<Vec<&'static NetDesc<'static>>, Failure> {
        let known = || stockfish::ALL.iter().map(|(_, net)| *net);
        let Some(text) = self.declaration else {
            return Ok(known().collect());
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        if !text.is_empty() && text.chars().all(is_name) {
            let wanted = text.replace(['.', '-'], "_");
            let fits = |net: &&NetDesc<'_>| net.name.eq_ignore_ascii_case(&wanted);
            let named = stockfish::ALL.iter().find(|(name, _)| *name == wanted);
            let found = named.map(|(_, net)| *net).or_else(|| known().find(fits));
            return found.map(|net| vec![net]).ok_or_else(|| unknown(text));
        }
        let net = choose(text, self.name)?;
        if net.rows_shape().is_some() {
            let message = format!(
                "positions of `{}` are lists of rows: nnue_rows_open opens it",
                net.name
            );
            return Err(Failure::new(Status::BadDeclaration, message));
        }
        Ok(vec![net])
    }
}

#[cold]
fn unknown(name: &str) -> Failure {
    let names: Vec<_> = stockfish::ALL.iter().map(|(name, _)| *name).collect();
    let message = format!(
        "no network `{name}` here; there are: {}; others are opened by their declaration",
        names.join(", ")
    );
    Failure::new(Status::UnknownNetwork, message)
}

/// The network of this name in a text, or the only one.
pub(crate) fn choose(text: &str, name: Option<&str>) -> Result<&'static NetDesc<'static>, Failure> {
    let refused = |message: String| Failure::new(Status::BadDeclaration, message);
    let declared = described_text(text).map_err(|errors| {
        let shown: Vec<_> = errors
            .iter()
            .map(|error| error.shown_in("declaration", text))
            .collect();
        refused(shown.join("\n\n"))
    })?;
    if declared.is_empty() {
        return Err(refused(
            "the text declares no network over a board or over lists of rows".into(),
        ));
    }
    let mut fits = declared
        .iter()
        .filter(|net| name.is_none_or(|name| net.name == name));
    match (fits.next(), fits.next()) {
        (Some(net), None) => Ok(*net),
        _ => {
            let names: Vec<_> = declared
                .iter()
                .map(|net| format!("`{}`", net.name))
                .collect();
            Err(refused(format!(
                "`name` must be that of one network of the text, which declares {}",
                names.join(", ")
            )))
        }
    }
}

/// Loads a network of chess.
pub(crate) fn open(
    description: Description<'_>,
    level: AvailableLevel,
    source: Source<'_>,
) -> Result<Arc<dyn AnyNetwork>, Failure> {
    let candidates = description.candidates()?;
    read(&candidates, level, source).map(|network| Arc::new(network) as Arc<dyn AnyNetwork>)
}

/// Loads a network as one of the candidates.
pub(crate) fn read(
    candidates: &[&'static NetDesc<'static>],
    level: AvailableLevel,
    source: Source<'_>,
) -> Result<Network, Failure> {
    let network = match source {
        Source::Path(path) => {
            let file = nnue_format::open(path);
            let file = file.map_err(|error| {
                Failure::new(Status::BadFile, format!("cannot read {path}: {error}"))
            })?;
            read_from::<File>(candidates, file)?
        }
        Source::Bytes(bytes) => read_from(candidates, Cursor::new(bytes))?,
    };
    Ok(match network.level() == level {
        true => network,
        false => network.with_level(level),
    })
}

fn read_from<R: Read + Seek>(
    candidates: &[&'static NetDesc<'static>],
    mut source: R,
) -> Result<Network, Failure> {
    let bad = |error: LoadError| Failure::new(Status::BadFile, error.to_string());
    let cannot = |error| bad(LoadError::io(0, error));
    let net = match candidates {
        [net] => net,
        several => {
            let bounds = Bounds::of_any(several);
            let mut looked = Decompressed::open(&mut source, bounds).map_err(cannot)?;
            let found = recognise(&mut looked, several).map_err(bad)?;
            source.rewind().map_err(cannot)?;
            several[found.candidates[0]]
        }
    };
    let mut file = Decompressed::open(source, Bounds::of(net)).map_err(cannot)?;
    Network::read(net, &mut file).map_err(|error| match error {
        OpenError::Load(error) if file.rewind().is_ok() => bad(explained(net, error, &mut file)),
        OpenError::Load(error) => bad(error),
        other => Failure::new(Status::BadDeclaration, other.to_string()),
    })
}

/// Whether C can ask for an output: rows are computed on demand, by compiled networks only.
pub(crate) fn outputs(net: &NetDesc<'static>) -> impl Iterator<Item = &'static str> {
    let heads = net.heads.iter().filter(|head| head.kind != HeadKind::Rows);
    heads.map(|head| head.name)
}

#[cold]
pub(crate) fn no_output(net: &NetDesc<'static>, name: &str) -> Failure {
    let names: Vec<_> = outputs(net).collect();
    let message = match names.as_slice() {
        [] => format!("`{}` has no output besides its value", net.name),
        _ => format!(
            "`{}` has no output `{name}`; it has: {}",
            net.name,
            names.join(", ")
        ),
    };
    Failure::new(Status::NoSuchOutput, message)
}
