//! Configuration of a run whose network has a dense input.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use crate::schedule::Schedule;
use nnue_codegen::dense_text;
use nnue_spec::dense::DenseGraph;

use super::examples::Examples;
use super::loss::Loss;
use crate::run::Error;
use crate::run::config::{Basics, Length, OptimizerConfig, declaration, named, schedule};
use crate::run::table::{Source, Table};

pub(crate) struct Config {
    /// the text of the file
    pub(super) source: Source,
    pub(super) output: PathBuf,
    pub(super) seed: u64,
    pub(super) threads: NonZeroUsize,
    pub(super) declaration: Source,
    pub(super) graph: DenseGraph,
    pub(super) exact: bool,
    /// share of a batch in the running means and variances of batch norms
    pub(super) norm_share: f64,
    pub(super) paths: Vec<PathBuf>,
    pub(super) training: Examples,
    pub(super) held_out: Examples,
    /// greatest random shift of inputs, in pixels
    pub(super) shift: usize,
    pub(super) length: Length,
    pub(super) loss: Loss,
    pub(super) optimizer: OptimizerConfig,
    pub(super) rate: Schedule,
}

/// Whether the network of a run has a dense input. Errors of the run are reported when it is parsed.
pub(crate) fn is_dense(source: &Source, folder: &Path) -> Result<bool, Error> {
    let mut all = source.table()?;
    let declared = declaration(&mut all.table("network")?, folder)?;
    Ok(dense_text(&declared.text).is_ok_and(|graphs| !graphs.is_empty()))
}

impl Config {
    /// Parses a run and reads its examples.
    pub(crate) fn parse(source: Source, folder: &Path) -> Result<Self, Error> {
        let mut all = source.table()?;
        let Basics {
            seed,
            threads,
            output,
        } = Basics::read(&mut all, folder)?;
        let mut network = all.table("network")?;
        let declaration = declaration(&mut network, folder)?;
        let graphs = dense_text(&declaration.text).unwrap_or_default();
        let name = network.text("name")?;
        let graph = named(&network, graphs, |graph| &graph.name, name.as_deref())?;
        let exact = network
            .choice("gradient", &[("exact", true), ("approximate", false)])?
            .unwrap_or(true);
        let norm_share = network.share("norm_share")?.unwrap_or(0.1);
        network.finish()?;
        let loss = loss(all.table("loss")?, graph.desc().output().len())?;
        let Data {
            paths,
            training,
            held_out,
            shift,
        } = data(&mut all, folder, &graph, loss)?;
        let length = Length::read(&mut all, 32, |batch| training.len().div_ceil(batch) as u64)?;
        let optimizer = OptimizerConfig::read(all.table("optimizer")?)?;
        if optimizer.fake_quantize {
            return Err(all.refuse(
                "optimizer",
                "a network over a dense input is not quantised: leave out `fake_quantize`",
            ));
        }
        let usual = || schedule::usual(length);
        let rate = schedule::read_or(&mut all, "rate", length, schedule::Numbers::RATE, usual)?;
        all.finish()?;
        Ok(Self {
            source,
            output,
            seed,
            threads,
            declaration,
            graph,
            exact,
            norm_share,
            paths,
            training,
            held_out,
            shift,
            length,
            loss,
            optimizer,
            rate,
        })
    }
}

/// `[loss]`: cross entropy of classes, or squared errors of numbers.
fn loss(mut table: Table<'_>, outputs: usize) -> Result<Loss, Error> {
    let said = table.choice(
        "error",
        &[
            ("cross_entropy", Loss::CrossEntropy),
            ("squared", Loss::Squared),
        ],
    )?;
    let loss = said.unwrap_or(if outputs > 1 {
        Loss::CrossEntropy
    } else {
        Loss::Squared
    });
    if loss == Loss::CrossEntropy && outputs == 1 {
        return Err(table.refuse(
            "error",
            "cross entropy needs several classes, and the network has one output",
        ));
    }
    table.finish()?;
    Ok(loss)
}

/// Settings of `[data]` and `[validation]`.
struct Data {
    paths: Vec<PathBuf>,
    training: Examples,
    held_out: Examples,
    shift: usize,
}

/// `[data]` and `[validation]`: examples for training, held-out examples, and the shift of inputs.
fn data(all: &mut Table<'_>, folder: &Path, graph: &DenseGraph, loss: Loss) -> Result<Data, Error> {
    let (mut table, mut validation) = (all.table("data")?, all.table("validation")?);
    let Some(files) = table.texts("files")? else {
        return Err(table.refuse("files", "`data.files` is missing: the training data"));
    };
    let divide = table.positive("divide")?.unwrap_or(1.0);
    let shift = table.count("shift", 0..=1024)?.unwrap_or(0) as usize;
    let input = graph.desc().input();
    if shift > 0 && input.pixels() == 1 {
        return Err(table.refuse(
            "shift",
            "`data.shift` moves pictures, and the input is a list of numbers",
        ));
    }
    table.finish()?;
    let mut paths = Vec::new();
    let mut read = |files: Vec<String>| {
        let files: Vec<PathBuf> = files.into_iter().map(|file| folder.join(file)).collect();
        paths.extend_from_slice(&files);
        Examples::read(
            files.into_iter(),
            input.len(),
            loss.numbers(graph.desc().output().len()),
            divide,
        )
    };
    let (others, share) = (validation.texts("files")?, validation.share("held_out")?);
    let (training, held_out) = match (others, share) {
        (Some(_), Some(_)) => {
            return Err(validation.refuse(
                "held_out",
                "`held_out` and `files` exclude each other: leave out one",
            ));
        }
        (Some(others), None) => (read(files)?, read(others)?),
        (None, share) => read(files)?.split(share.unwrap_or(0.2)),
    };
    for (examples, what) in [
        (&training, "to train with"),
        (&held_out, "that are held out"),
    ] {
        if examples.len() == 0 {
            return Err(validation.refuse("held_out", format!("there are no examples {what}")));
        }
    }
    validation.finish()?;
    Ok(Data {
        paths,
        training,
        held_out,
        shift,
    })
}
