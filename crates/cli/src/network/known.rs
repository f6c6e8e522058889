//! The declarations that the command knows: its built-in network and Stockfish's.
//!
//! Compiling a declaration for every level takes long, so only common ones have compiled code. The others use
//! the kernels of networks declared at run time, which get widths and shifts as arguments.

use std::io::Read;

use nnue::stockfish::{self, SfnnSmall, Sfnnv5, Sfnnv9, Sfnnv16, Visitor};
use nnue::{Architecture, LoadError, Model, Network, Parameters, dynamic};
use nnue_format::Tensors;
use nnue_spec::{NetDesc, TensorMut};

use super::default::Default;
use super::{AnyNetwork, Described};
use crate::error::Error;

#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// name for `--arch`
    pub(crate) name: &'static str,
    pub(crate) spec: &'static NetDesc<'static>,
}

pub(crate) const DEFAULT: Known = Known {
    name: "default",
    spec: &Default::SPEC,
};

pub(crate) fn known() -> impl Iterator<Item = Known> {
    std::iter::once(DEFAULT).chain(
        stockfish::ALL
            .iter()
            .map(|&(name, spec)| Known { name, spec }),
    )
}

impl Known {
    /// Finds a declaration by the lower-case name of its type: `sfnnv14_1`, `sfnn_small`. `v5` means
    /// `sfnnv5`; a dot or a hyphen may replace the underscore.
    pub(crate) fn by_name(name: &str) -> Result<Self, Error> {
        let wanted = name.to_ascii_lowercase().replace(['.', '-'], "_");
        let fits = |known: &Known| {
            known.name == wanted || known.name.strip_prefix("sfnn") == Some(&wanted)
        };
        known().find(fits).ok_or_else(|| {
            let names: Vec<_> = known().map(|known| known.name).collect();
            Error::Argument(format!(
                "unknown architecture `{}`; known: {}",
                name.escape_default(),
                names.join(", ")
            ))
        })
    }

    pub(crate) fn is_compiled(self) -> bool {
        self.visit(Nothing).is_some()
    }

    pub(crate) fn read(self, source: &mut dyn Read) -> Result<Box<dyn AnyNetwork>, LoadError> {
        match self.visit(Reader(&mut *source)) {
            Some(network) => network,
            None => Ok(Box::new(
                Described::read(self.spec, source)?.without_inner(),
            )),
        }
    }

    /// Creates a network with zero weights and calls `fill` to write them.
    pub(crate) fn filled(self, fill: &mut Fill<'_>) -> Box<dyn AnyNetwork> {
        self.visit(Filler(&mut *fill)).unwrap_or_else(|| {
            let mut tensors = Tensors::zeroed(self.spec);
            fill(self.spec, tensors.muts());
            let network = dynamic::Network::from_tensors(self.spec, &tensors.refs());
            let network = network.unwrap_or_else(|error| panic!("`{}`: {error}", self.name));
            Box::new(Described::new(network).without_inner())
        })
    }

    /// Calls the visitor with the type of a compiled declaration.
    fn visit<V: Visitor>(self, visitor: V) -> Option<V::Output> {
        Some(match self.name {
            "default" => visitor.visit::<Default>(),
            "sfnn_small" => visitor.visit::<SfnnSmall>(),
            "sfnnv5" => visitor.visit::<Sfnnv5>(),
            "sfnnv9" => visitor.visit::<Sfnnv9>(),
            "sfnnv16" => visitor.visit::<Sfnnv16>(),
            _ => return None,
        })
    }
}

struct Nothing;

impl Visitor for Nothing {
    type Output = ();

    fn visit<A: Architecture>(self) {}
}

/// Writes the tensors, in the order of the descriptor.
pub(crate) type Fill<'a> = dyn FnMut(&NetDesc<'_>, Vec<TensorMut<'_>>) + 'a;

struct Filler<'f, 'a>(&'f mut Fill<'a>);

impl Visitor for Filler<'_, '_> {
    type Output = Box<dyn AnyNetwork>;

    fn visit<A: Architecture>(self) -> Self::Output {
        let mut params = A::Params::zeroed();
        (self.0)(&A::SPEC, params.tensors_mut());
        Box::new(Network::<A>::from_params(params))
    }
}

struct Reader<'a>(&'a mut dyn Read);

impl Visitor for Reader<'_> {
    type Output = Result<Box<dyn AnyNetwork>, LoadError>;

    fn visit<A: Architecture>(self) -> Self::Output {
        Ok(Box::new(Network::<A>::read(self.0)?))
    }
}
