//! Networks over lists of rows, described while the program runs.

use nnue::dynamic::{Network, OpenError, RowsStack};
use nnue::rows::RowsShape;
use nnue::spec::NetDesc;
use nnue::{LoadError, LoadErrorKind};
use nnue_codegen::described_text;
use nnue_tools::compression::{Bounds, Decompressed};

use crate::declared::{self, Source};
use crate::failure::{Failure, Status};

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
    let names: Vec<_> = declared
        .iter()
        .map(|net| format!("`{}`", net.name))
        .collect();
    let fits: Vec<_> = declared
        .iter()
        .filter(|net| name.is_none_or(|name| net.name == name))
        .collect();
    let net = match fits.as_slice() {
        [net] => *net,
        [] if declared.is_empty() => {
            return Err(refused(
                "the text declares no network over lists of rows".into(),
            ));
        }
        _ => {
            return Err(refused(format!(
                "`name` must be that of one network of the text, which declares {}",
                names.join(", ")
            )));
        }
    };
    net.rows_shape().is_some().then_some(*net).ok_or_else(|| {
        refused(format!(
            "positions of `{}` are no lists of rows: it is not declared over `rows[..]`; networks of chess are exported by the library, and opened \
             by nnue_network_open",
            net.name
        ))
    })
}

/// Reads a file, compressed or not.
fn read(net: &'static NetDesc<'static>, source: Source<'_>) -> Result<Network, OpenError> {
    let bounds = Bounds::of(net);
    match source {
        Source::Path(path) => {
            let file = Decompressed::open_path(path.as_ref(), bounds).map_err(|error| {
                let message = format!("{path}: {error}");
                LoadError::new(LoadErrorKind::Io, 0, message).with_source(error)
            })?;
            Network::read(net, file)
        }
        Source::Bytes(bytes) => {
            let file =
                Decompressed::open(bytes, bounds).map_err(|error| LoadError::io(0, error))?;
            Network::read(net, file)
        }
    }
}

/// Loads a network for the level with this name.
pub(crate) fn open(
    net: &'static NetDesc<'static>,
    level: Option<&str>,
    source: Source<'_>,
) -> Result<Network, Failure> {
    let level = declared::level(level)?;
    let network = read(net, source).map_err(|error| {
        let status = match error {
            OpenError::Load(_) => Status::BadFile,
            _ => Status::BadDeclaration,
        };
        Failure::new(status, error.to_string())
    })?;
    Ok(match network.level() == level {
        true => network,
        false => network.with_level(level),
    })
}

pub(crate) fn shape(network: &Network) -> Result<RowsShape<'static>, Failure> {
    network.rows_shape().ok_or_else(|| not_rows(network))
}

pub(crate) fn stack(network: &Network) -> Result<RowsStack, Failure> {
    RowsStack::new(network).ok_or_else(|| not_rows(network))
}

#[cold]
fn not_rows(network: &Network) -> Failure {
    let message = format!(
        "positions of `{}` are no lists of rows",
        network.spec().name
    );
    Failure::new(Status::BadArgument, message)
}
