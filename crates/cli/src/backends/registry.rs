//! The available backends: those of `nnue-backend`, and networks of the command.

use std::path::PathBuf;
use std::sync::Arc;

use crate::note;
use nnue_backend::nnue::{Reference, SCALE, THREADS};
use nnue_backend::options::{Opt, Text};
use nnue_backend::{Backends, Batched, Builder, Chess, Entry};

use crate::args::{DeclarationArgs, NetArgs};
use crate::error::Error;
use crate::network::{AnyNetwork, Declared, Opened, Shared, open_any, open_declared};

const NET: Text = Text {
    name: "net",
    about: "the network file; without it that of --net, or the built-in one",
};
const ARCH: Text = Text {
    name: "arch",
    about: "its declaration (see `nnue archs`); without it the file decides",
};
const DECLARATION: Text = Text {
    name: "declaration",
    about: "your own declaration, FILE or FILE:NAME; without it that of --declaration",
};
const LEVEL: Text = Text {
    name: "level",
    about: "the instruction level; without it the best one",
};

/// The default network of backends.
#[derive(Clone, Default)]
pub(super) struct Networks {
    net: NetArgs,
    declared: DeclarationArgs,
}

impl Networks {
    pub(super) fn new(net: &NetArgs, declared: &DeclarationArgs) -> Self {
        Self {
            net: net.clone(),
            declared: declared.clone(),
        }
    }
}

/// The network of a backend: from its options, otherwise from the command line.
struct Choice {
    net: NetArgs,
    declaration: Option<String>,
}

impl Choice {
    fn new(builder: &Builder<'_, Chess>, own: &Networks) -> Result<Self, nnue_backend::Error> {
        let (file, arch) = (builder.get(&NET)?, builder.get(&ARCH)?);
        let declaration = builder.get(&DECLARATION)?;
        if arch.is_some() && declaration.is_some() {
            return Err(unlike(
                builder,
                "`arch` and `declaration` both say how the file is read: leave out one".into(),
            ));
        }
        // the command line's declaration does not apply to another file
        let own_declared = own
            .declared
            .declaration
            .clone()
            .filter(|_| file.is_none() && arch.is_none());
        let (net, own_arch) = match file {
            Some(file) => (Some(PathBuf::from(file)), None),
            None => (own.net.net.clone(), own.net.arch.clone()),
        };
        let declaration = declaration.or(own_declared);
        let arch = arch.or(own_arch).filter(|_| declaration.is_none());
        Ok(Self {
            net: NetArgs { net, arch },
            declaration,
        })
    }

    /// Opens a network that runs on kernels.
    fn compiled(
        self,
        builder: &Builder<'_, Chess>,
        level: Option<&str>,
    ) -> Result<Box<dyn AnyNetwork>, nnue_backend::Error> {
        let declared = DeclarationArgs {
            declaration: self.declaration,
        };
        let opened = open_any(&self.net, &declared, level);
        Ok(opened
            .map_err(|error| nnue_backend::Error::failed(builder.path(), error))?
            .network)
    }

    /// Opens a network for the reference interpreter.
    fn interpreted(self, builder: &Builder<'_, Chess>) -> Result<Shared, nnue_backend::Error> {
        let scale = builder.get(&SCALE)? as f32;
        let Some(declaration) = &self.declaration else {
            return self
                .compiled(builder, None)?
                .into_reference(builder.path(), scale);
        };
        let opened =
            open_declared(&self.net, declaration).and_then(|Opened { network, known, .. }| {
                Declared::require_known(known.spec)?;
                Ok(network)
            });
        let network = opened.map_err(|error| nnue_backend::Error::failed(builder.path(), error))?;
        Ok(Arc::new(Batched::new(
            builder.path(),
            Reference::new(Arc::<Declared>::from(network), scale)?,
        )))
    }
}

fn unlike(builder: &Builder<'_, Chess>, what: String) -> nnue_backend::Error {
    nnue_backend::Error::Unlike {
        backend: builder.path().into(),
        what,
    }
}

/// All backends; `networks` is the default.
pub(super) fn registry(networks: &Networks) -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.tell(|line| note::line(format_args!("{line}")));
    let own = networks.clone();
    let options = vec![
        NET.help(),
        ARCH.help(),
        DECLARATION.help(),
        LEVEL.help(),
        THREADS.help(),
        SCALE.help(),
    ];
    backends.add(Entry::new(
        "nnue",
        100,
        "a network, on the kernels",
        options,
        move |builder| {
            let level = builder.get(&LEVEL)?;
            let network = Choice::new(builder, &own)?.compiled(builder, level.as_deref())?;
            Ok(network.into_backend(
                builder.path(),
                builder.get(&THREADS)? as usize,
                builder.get(&SCALE)? as f32,
            ))
        },
    ));
    let (own, options) = (
        networks.clone(),
        vec![NET.help(), ARCH.help(), DECLARATION.help(), SCALE.help()],
    );
    backends.add(Entry::new(
        "reference",
        10,
        "a network, by the reference interpreter: slow",
        options,
        move |builder| Choice::new(builder, &own)?.interpreted(builder),
    ));
    backends
}

pub(super) fn create(text: &str, networks: &Networks) -> Result<Shared, Error> {
    registry(networks)
        .create(text)
        .map_err(|error| in_text(text, &error))
}

/// An error while creating a backend, with the text if the error refers to a place in it.
fn in_text(text: &str, error: &nnue_backend::Error) -> Error {
    let message = error.to_string();
    let shown = if message.starts_with("byte ") {
        format!(" `{}`", text.escape_default())
    } else {
        String::new()
    };
    Error::Argument(format!("--backend{shown}: {message}"))
}

#[cfg(test)]
mod tests {
    use nnue_backend::identity::role;

    use super::*;

    /// The table of option roles also covers options of the command.
    #[test]
    fn every_option_has_a_role() {
        for entry in registry(&Networks::default()).entries() {
            for option in &entry.options {
                let role = role(entry.name, option.name);
                assert!(role.is_some(), "{}.{}", entry.name, option.name);
            }
        }
    }
}
