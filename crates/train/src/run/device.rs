//! Training on a GPU: parameters and the state of optimiser and average stay there between superbatches.
//!
//! ```text
//!   begin, resume ──put──► batch after batch: gradient, optimiser, limits, average ──fetch──► validation, checkpoint, network
//! ```
//!
//! The device works while the host prepares the next batch, so the loss of a batch is read just before the
//! next one begins. A step after a loss that is not finite changes nothing, so that the cause can be
//! inspected.

use std::fmt::Display;

use crate::batch::Batch;
use crate::cuda::{Device, Machine};
use crate::loss::Objective;
use crate::network::{Network, Parameters};
use crate::optimizer::{Average, Limits, Remembered};
use nnue_spec::NetDesc;

use super::config::{Chosen, Config};
use crate::run::Error;

/// The rules of a step.
pub(super) struct Rules<'r> {
    pub(super) rate: f64,
    pub(super) clip_norm: Option<f64>,
    pub(super) optimizer: &'r mut Chosen,
    pub(super) limits: &'r Limits,
    pub(super) average: &'r mut Option<Average>,
}

pub(super) trait Remote {
    /// Uploads parameters and state.
    fn put(
        &mut self,
        parameters: &Parameters<f32>,
        remembered: Remembered<'_>,
    ) -> Result<(), Error>;

    /// Downloads parameters and state.
    fn fetch(
        &mut self,
        parameters: &mut Parameters<f32>,
        remembered: Remembered<'_>,
    ) -> Result<(), Error>;

    /// Prepares a batch on the host.
    fn prepare(&mut self, batch: &Batch, objective: &Objective) -> Result<(), Error>;

    /// Starts to compute the gradient of the prepared batch.
    fn begin(&mut self) -> Result<(), Error>;

    /// The loss of the last batch that was begun.
    fn loss(&mut self) -> Result<f64, Error>;

    /// Downloads the gradient.
    fn gradient(&mut self, gradient: &mut Parameters<f32>) -> Result<(), Error>;

    /// Takes a step if the loss is finite.
    fn step(&mut self, rules: Rules<'_>) -> Result<(), Error>;
}

impl<M: Machine> Remote for Device<M>
where
    M::Error: Display,
{
    fn put(
        &mut self,
        parameters: &Parameters<f32>,
        remembered: Remembered<'_>,
    ) -> Result<(), Error> {
        let numbers: Vec<&Parameters<f32>> = remembered
            .numbers
            .iter()
            .map(|numbers| &**numbers)
            .collect();
        self.upload(parameters, &numbers).map_err(refused)
    }

    fn fetch(
        &mut self,
        parameters: &mut Parameters<f32>,
        mut remembered: Remembered<'_>,
    ) -> Result<(), Error> {
        self.download(parameters, &mut remembered.numbers)
            .map_err(refused)
    }

    fn prepare(&mut self, batch: &Batch, objective: &Objective) -> Result<(), Error> {
        self.prepare(batch, objective).map_err(refused)
    }

    fn begin(&mut self) -> Result<(), Error> {
        self.begin().map_err(refused)
    }

    fn loss(&mut self) -> Result<f64, Error> {
        self.loss().map_err(refused)
    }

    fn gradient(&mut self, gradient: &mut Parameters<f32>) -> Result<(), Error> {
        self.gradient(gradient).map_err(refused)
    }

    fn step(&mut self, rules: Rules<'_>) -> Result<(), Error> {
        if let Some(greatest) = rules.clip_norm {
            self.clip_norm(greatest).map_err(refused)?;
        }
        let remembered = rules.optimizer.remembered().numbers.len();
        self.step(&rules.optimizer.updates(rules.rate), remembered)
            .map_err(refused)?;
        self.hold(rules.limits).map_err(refused)?;
        match rules.average.as_mut().and_then(Average::share) {
            Some(share) => self.average(share).map_err(refused),
            None => Ok(()),
        }
    }
}

fn refused(error: impl Display) -> Error {
    Error::Run(error.to_string())
}

/// Uploads the network of a run to its GPU.
#[cfg(feature = "cuda")]
pub(super) fn open(
    config: &Config,
    net: &NetDesc<'_>,
    network: &Network<f32>,
) -> Result<Box<dyn Remote>, Error> {
    let failed = |error| Error::Run(format!("`device = \"cuda\"`: {error}"));
    if !config.optimizer.fake_quantize {
        return Ok(Box::new(
            crate::cuda::open(network, &config.factors, 0).map_err(failed)?,
        ));
    }
    let rounding =
        Network::rounding(&config.network.graph).map_err(|error| Error::Run(error.to_string()))?;
    let mut device = crate::cuda::open(&rounding, &config.factors, 0).map_err(failed)?;
    device.round(crate::quantized::steps(net)).map_err(failed)?;
    Ok(Box::new(device))
}

/// Fails and names the feature to build with.
#[cfg(not(feature = "cuda"))]
pub(super) fn open(
    _: &Config,
    _: &NetDesc<'_>,
    _: &Network<f32>,
) -> Result<Box<dyn Remote>, Error> {
    Err(Error::Run(
        "`device = \"cuda\"`: this command was built without it; build it with `--features cuda`, or train on the CPU".into(),
    ))
}
