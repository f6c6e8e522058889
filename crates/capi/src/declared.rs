//! The networks that a library exports.

use std::ffi::CString;
use std::sync::{Arc, OnceLock};

use nnue::{Architecture, AvailableLevel, Choice, Embedded, Level, LoadError, Network};

use crate::failure::{Failure, Status};
use crate::network::AnyNetwork;

/// A declared network that C finds by its name. [`export!`](crate::export) makes them.
pub struct Declared {
    name: &'static str,
    load: fn(Weights<'_>) -> Result<Arc<dyn AnyNetwork>, Failure>,
    embedded: Option<OpenEmbedded>,
}

/// Opens an embedded network at a level.
type OpenEmbedded = fn(AvailableLevel) -> Arc<dyn AnyNetwork>;

/// The source of a network's weights, and its level.
pub(crate) struct Weights<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) level: AvailableLevel,
}

pub(crate) enum Source<'a> {
    Path(&'a str),
    Bytes(&'a [u8]),
}

impl Declared {
    /// A network whose weights are loaded.
    pub const fn of<A: Architecture>() -> Self {
        Self {
            name: A::SPEC.name,
            load: load::<A>,
            embedded: None,
        }
    }

    /// A network whose weights are in the program, and may be loaded as well.
    pub const fn embedded<A: Architecture + Embedded>() -> Self {
        Self {
            embedded: Some(embedded::<A>),
            ..Self::of::<A>()
        }
    }

    /// Loads the network with these weights.
    pub(crate) fn load(&self, weights: Weights<'_>) -> Result<Arc<dyn AnyNetwork>, Failure> {
        (self.load)(weights)
    }

    /// Opens the network with its embedded weights.
    pub(crate) fn open_embedded(
        &self,
        level: AvailableLevel,
    ) -> Result<Arc<dyn AnyNetwork>, Failure> {
        let open = self.embedded.ok_or_else(|| {
            let message = format!(
                "network `{}` is not in the program: load a file by nnue_network_open",
                self.name
            );
            Failure::new(Status::BadFile, message)
        })?;
        Ok(open(level))
    }
}

fn load<A: Architecture>(weights: Weights<'_>) -> Result<Arc<dyn AnyNetwork>, Failure> {
    let loaded = match weights.source {
        Source::Path(path) => Network::<A>::open(path),
        Source::Bytes(bytes) => Network::from_bytes(bytes),
    };
    let refused = |error: LoadError| Failure::new(Status::BadFile, error.to_string());
    Ok(at(loaded.map_err(refused)?, weights.level))
}

fn embedded<A: Architecture + Embedded>(level: AvailableLevel) -> Arc<dyn AnyNetwork> {
    at(Network::<A>::embedded(), level)
}

fn at<A: Architecture>(network: Network<A>, level: AvailableLevel) -> Arc<dyn AnyNetwork> {
    Arc::new(match network.level() == level {
        true => network,
        false => network.with_level(level),
    })
}

/// The network with this name.
pub(crate) fn find(
    declared: &'static [Declared],
    name: &str,
) -> Result<&'static Declared, Failure> {
    declared
        .iter()
        .find(|network| network.name == name)
        .ok_or_else(|| {
            let names: Vec<_> = declared.iter().map(|network| network.name).collect();
            Failure::new(
                Status::UnknownNetwork,
                format!("no network `{name}` here; there are: {}", names.join(", ")),
            )
        })
}

/// The level with this name, if this processor supports it. Without a name: that of `NNUE_LEVEL`, or the
/// fastest.
pub(crate) fn level(name: Option<&str>) -> Result<AvailableLevel, Failure> {
    let refused = |error: &dyn std::error::Error| Failure::new(Status::BadLevel, error.to_string());
    let Some(name) = name else {
        let choice = Choice::followed().map_err(|error| refused(&error))?;
        return Ok(choice.level);
    };
    let level: Level = name.parse().map_err(|error| refused(&error))?;
    level.check().map_err(|error| refused(&error))
}

/// The names as C strings, made on first use.
pub(crate) fn names(declared: &'static [Declared]) -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    NAMES.get_or_init(|| {
        declared
            .iter()
            .map(|network| CString::new(network.name).unwrap_or_default())
            .collect()
    })
}
