//! Loads the network that the arguments name.

use std::io::{Cursor, Read};
use std::path::Path;

use crate::system::SystemError;
use nnue_codegen::graph_text;
use nnue_data::files::bounded::{self, MOST_OF_SOURCE};
use nnue_spec::NetDesc;
use nnue_spec::graph::Graph;
use nnue_tools::compression::Bounds;
use nnue_train::features::Features;
use nnue_train::network::{Network, Parameters};
use nnue_train::quantized::Quantized;

use crate::args::train::NetworkArgs;
use crate::error::Error;
use crate::input::network_file;
use crate::network::level_of;

pub(crate) fn declared(args: &NetworkArgs) -> Result<Graph, Error> {
    let path = &args.declaration;
    let text = bounded::read_text(path, MOST_OF_SOURCE).map_err(SystemError::from)?;
    let shown = path.display().to_string();
    let graphs = graph_text(&text).map_err(|errors| {
        let errors: Vec<String> = errors
            .iter()
            .map(|error| error.shown_in(&shown, &text))
            .collect();
        Error::Declaration(errors.join("\n\n"))
    })?;
    let names: Vec<String> = graphs
        .iter()
        .map(|graph| format!("`{}`", graph.name))
        .collect();
    let named = |graph: &Graph| args.name.as_ref().is_none_or(|name| *name == graph.name);
    let mut found = graphs.into_iter().filter(named);
    match (found.next(), found.next()) {
        (Some(graph), None) => Ok(graph),
        (Some(_), Some(_)) => Err(Error::Argument(format!(
            "{shown} declares {}: choose one with --name",
            names.join(", ")
        ))),
        (None, _) if names.is_empty() => {
            Err(Error::Argument(format!("{shown} declares no network")))
        }
        (None, _) => {
            let name = args.name.as_deref().unwrap_or_default().escape_debug();
            Err(Error::Argument(format!(
                "{shown} declares no network `{name}`, but {}",
                names.join(", ")
            )))
        }
    }
}

/// Loads the quantised network of a file, if `NNUE_LEVEL` names no level or one that can be used.
pub(crate) fn exact<'n>(net: &'n NetDesc<'n>, path: &Path) -> Result<Quantized<'n>, Error> {
    level_of(None)?;
    let mut file = network_file::open(path, Bounds::of(net))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)
        .map_err(|source| SystemError::read(path, source))?;
    file.finish()?;
    let (_, tensors) =
        nnue_tools::read(net, Cursor::new(&bytes)).map_err(|error| Error::Network {
            path: path.to_owned(),
            message: error.to_string(),
        })?;
    Ok(Quantized::of(net, tensors))
}

/// The same network in real numbers, for searches.
pub(crate) struct RealNetwork {
    pub(crate) features: Features,
    pub(crate) network: Network<f32>,
    pub(crate) parameters: Parameters<f32>,
}

impl RealNetwork {
    pub(crate) fn new(
        graph: &Graph,
        net: &NetDesc<'_>,
        exact: &Quantized<'_>,
    ) -> Result<Self, Error> {
        let refuse = |error: &dyn std::error::Error| Error::Argument(error.to_string());
        Ok(Self {
            features: Features::new(net).map_err(|error| refuse(&error))?,
            network: Network::new(graph).map_err(|error| refuse(&error))?,
            parameters: exact.parameters().map_err(|error| refuse(&error))?,
        })
    }
}
