//! The backends that the command has: those of `nnue-backend`, and the networks of the command.

use std::path::PathBuf;

use nnue_backend::nnue::{SCALE, THREADS};
use nnue_backend::options::{Opt, Text};
use nnue_backend::{Backends, Builder, Chess, Entry};
use nnue_command::note;

use crate::args::NetArgs;
use crate::error::Error;
use crate::network::{AnyNetwork, Shared, open};

const NET: Text =
    Text { name: "net", about: "the network file; without it that of --net, or the one that is built in" };
const ARCH: Text = Text { name: "arch", about: "its declaration (see `nnue archs`); without it the file decides" };
const LEVEL: Text = Text { name: "level", about: "the instruction level; without it the best one" };

/// All backends. `net` is the network of those that name none.
pub(super) fn registry(net: &NetArgs) -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.tell(|line| note::line(format_args!("{line}")));
    let own = net.clone();
    let options = vec![NET.help(), ARCH.help(), LEVEL.help(), THREADS.help(), SCALE.help()];
    backends.add(Entry::new("nnue", 100, "a network, on the kernels", options, move |builder| {
        let level = builder.get(&LEVEL)?;
        let network = network(builder, &own, level.as_deref())?;
        Ok(network.into_backend(builder.path(), builder.get(&THREADS)? as usize, builder.get(&SCALE)? as f32))
    }));
    let (own, options) = (net.clone(), vec![NET.help(), ARCH.help(), SCALE.help()]);
    backends.add(Entry::new(
        "reference",
        10,
        "a network, by the reference interpreter: slow",
        options,
        move |builder| network(builder, &own, None)?.into_reference(builder.path(), builder.get(&SCALE)? as f32),
    ));
    backends
}

/// The network of a backend: that of its options, else that of the command.
fn network(
    builder: &Builder<'_, Chess>,
    own: &NetArgs,
    level: Option<&str>,
) -> Result<Box<dyn AnyNetwork>, nnue_backend::Error> {
    let (file, arch) = (builder.get(&NET)?, builder.get(&ARCH)?);
    let net = match file {
        Some(file) => NetArgs { net: Some(PathBuf::from(file)), arch },
        None => NetArgs { net: own.net.clone(), arch: arch.or_else(|| own.arch.clone()) },
    };
    let opened = open(&net, level).map_err(|error| nnue_backend::Error::failed(builder.path(), error))?;
    Ok(opened.network)
}

/// The backend that `--backend` describes.
pub(super) fn create(text: &str, net: &NetArgs) -> Result<Shared, Error> {
    registry(net).create(text).map_err(|error| in_text(text, &error))
}

/// An error of making a backend, with the text if the error is a place in it.
fn in_text(text: &str, error: &nnue_backend::Error) -> Error {
    let message = error.to_string();
    let shown = if message.starts_with("byte ") { format!(" `{}`", text.escape_default()) } else { String::new() };
    Error::Argument(format!("--backend{shown}: {message}"))
}
