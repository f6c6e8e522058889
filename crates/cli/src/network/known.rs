//! The declarations that the command knows: its own default network, and Stockfish's.
//!
//! Those of the networks that people have at hand have compiled code. A declaration that has takes its time to compile on every level, so the
//! others do without: their kernels are told widths and shifts when they run.

use std::io::Read;

use nnue::stockfish::{self, SfnnSmall, Sfnnv5, Sfnnv9, Sfnnv16, Visitor};
use nnue::{Architecture, LoadError, Model, Network, Parameters, dynamic};
use nnue_format::Tensors;
use nnue_spec::{NetDesc, TensorMut};

use super::default::Default;
use super::{AnyNetwork, Described};
use crate::error::Error;

/// A declaration.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// what `--arch` calls it
    pub(crate) name: &'static str,
    /// everything about it but weights
    pub(crate) spec: &'static NetDesc<'static>,
}

/// The declaration of the built-in network.
pub(crate) const DEFAULT: Known = Known {
    name: "default",
    spec: &Default::SPEC,
};

/// All declarations.
pub(crate) fn known() -> impl Iterator<Item = Known> {
    std::iter::once(DEFAULT).chain(
        stockfish::ALL
            .iter()
            .map(|&(name, spec)| Known { name, spec }),
    )
}

impl Known {
    /// The declaration of this name, which is that of its type in lower case: `sfnnv14_1`, `sfnn_small`. `v5` stands for `sfnnv5`, and a dot
    /// or a hyphen for the underscore.
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

    /// Whether it has compiled code in this command.
    pub(crate) fn is_compiled(self) -> bool {
        self.visit(Nothing).is_some()
    }

    /// Reads a file with this declaration.
    pub(crate) fn read(self, source: &mut dyn Read) -> Result<Box<dyn AnyNetwork>, LoadError> {
        match self.visit(Reader(&mut *source)) {
            Some(network) => network,
            None => Ok(Box::new(
                Described::read(self.spec, source)?.without_columns(),
            )),
        }
    }

    /// A network of this declaration with the weights that `fill` writes; all others are zero.
    pub(crate) fn filled(self, fill: &mut Fill<'_>) -> Box<dyn AnyNetwork> {
        self.visit(Filler(&mut *fill)).unwrap_or_else(|| {
            let mut tensors = Tensors::zeroed(self.spec);
            fill(self.spec, tensors.muts());
            let network = dynamic::Network::from_tensors(self.spec, &tensors.refs());
            let network = network.unwrap_or_else(|error| panic!("`{}`: {error}", self.name));
            Box::new(Described::new(network).without_columns())
        })
    }

    /// Calls the visitor with the type of the declaration, if it has compiled code.
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

/// Does nothing with a type.
struct Nothing;

impl Visitor for Nothing {
    type Output = ();

    fn visit<A: Architecture>(self) {}
}

/// Writes tensors, in the order of the description.
pub(crate) type Fill<'a> = dyn FnMut(&NetDesc<'_>, Vec<TensorMut<'_>>) + 'a;

/// Makes a network of a type that is found by its name.
struct Filler<'f, 'a>(&'f mut Fill<'a>);

impl Visitor for Filler<'_, '_> {
    type Output = Box<dyn AnyNetwork>;

    fn visit<A: Architecture>(self) -> Self::Output {
        let mut params = A::Params::zeroed();
        (self.0)(&A::SPEC, params.tensors_mut());
        Box::new(Network::<A>::from_params(params))
    }
}

/// Reads a network of a type that is found by its name.
struct Reader<'a>(&'a mut dyn Read);

impl Visitor for Reader<'_> {
    type Output = Result<Box<dyn AnyNetwork>, LoadError>;

    fn visit<A: Architecture>(self) -> Self::Output {
        Ok(Box::new(Network::<A>::read(self.0)?))
    }
}
