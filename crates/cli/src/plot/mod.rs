//! `nnue plot`: draws the pictures of `nnue_tools::plot` and writes them to files.

mod file;
mod listed;
mod neurons;
#[cfg(feature = "png")]
mod png;
mod report;
mod values;
mod weights;

use std::io::Write;

use nnue_format::dense;
use nnue_spec::TensorRef;
use nnue_tools::plot::{Drawing, Network, PlotError, tensors};

use crate::args::plot::{Drawn, Plot, PlotArgs};
use crate::declaration::{self, Declaration};
use crate::error::Error;
use crate::input::{network_file, one_reader};
use crate::network::{Evaluator, Opened, open_either, open_plan};

pub(crate) fn run(args: &PlotArgs, out: &mut dyn Write) -> Result<(), Error> {
    file::check(&args.what)?;
    match &args.what {
        Plot::Weights(args) => with_network(&args.drawn, |network| {
            file::write(&args.drawn, &weights::draw(args, network)?)
        }),
        Plot::Buckets(drawn) => with_network(drawn, |network| {
            file::write(
                drawn,
                &nnue_tools::plot::weights::buckets(network).map_err(refuse)?,
            )
        }),
        Plot::Tensors(drawn) => file::write(drawn, &histograms(drawn)?),
        Plot::Neurons(args) => neurons::run(args, out),
        Plot::Pieces(args) => file::write(&args.drawn, &values::pieces(args)?),
        Plot::Rows(args) => file::write(&args.drawn, &listed::draw(args)?),
        Plot::Game(args) => file::write(&args.drawn, &values::games(args)?),
        Plot::Report(args) => report::run(args),
    }
}

fn refuse(error: PlotError) -> Error {
    Error::Argument(error.to_string())
}

fn open(drawn: &Drawn) -> Result<Opened<dyn Evaluator>, Error> {
    open_either(&drawn.net, &drawn.declared, None)
}

/// The network with its weights, for pictures.
fn network<'n>(
    evaluator: &dyn Evaluator,
    tensors: &'n [TensorRef<'n>],
) -> Result<Network<'n>, Error> {
    Network::new(evaluator.spec(), tensors).map_err(refuse)
}

fn with_network(
    drawn: &Drawn,
    draw: impl FnOnce(&Network<'_>) -> Result<(), Error>,
) -> Result<(), Error> {
    let opened = open(drawn)?;
    let tensors = opened.network.tensors();
    draw(&network(&*opened.network, &tensors)?)
}

/// Draws histograms of the tensors, for networks over a dense input too.
fn histograms(drawn: &Drawn) -> Result<Drawing, Error> {
    let Some(argument) = &drawn.declared.declaration else {
        let opened = open(drawn)?;
        return Ok(tensors::draw(&network(
            &*opened.network,
            &opened.network.tensors(),
        )?));
    };
    let declaration = declaration::read_either(argument)?;
    let name = match &declaration {
        Declaration::Accumulated(read) => &read.0.name,
        Declaration::Dense(graph) => &graph.name,
    };
    let missing = || {
        Error::Argument(format!(
            "no network for `{name}`: name the file with its weights"
        ))
    };
    let path = drawn.net.net.as_deref().ok_or_else(missing)?;
    match declaration {
        Declaration::Accumulated(read) => {
            let opened = open_plan(path, read.0)?;
            Ok(tensors::draw(&network(
                &*opened.network,
                &opened.network.tensors(),
            )?))
        }
        Declaration::Dense(graph) => {
            let desc = graph.desc();
            let file = network_file::read(path, dense::size(&desc) as u64)?;
            let refuse = |message: String| Error::Network {
                path: path.to_owned(),
                message,
            };
            let values = dense::read(&desc, &file).map_err(|error| refuse(error.to_string()))?;
            Ok(tensors::draw_dense(&desc, &values))
        }
    }
}

/// Refuses to read standard input twice.
fn one_input(drawn: &Drawn, options: &[(&str, Option<std::path::PathBuf>)]) -> Result<(), Error> {
    let declaration = drawn
        .declared
        .declaration
        .as_deref()
        .and_then(declaration::path);
    let all: Vec<_> = std::iter::once(("--declaration", declaration))
        .chain(options.iter().cloned())
        .collect();
    one_reader(&all)
}
