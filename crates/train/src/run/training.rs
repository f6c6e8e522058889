//! The training loop: batch after batch, with validation and a checkpoint after each superbatch.

use std::time::Instant;

use crate::batch::Batch;
use crate::batches::{Batches, Settings};
use crate::features::Encode;
use crate::gradient::Gradient;
use crate::initial;
use crate::network::{Network, Parameters, Tensor};
use crate::optimizer::{Average, Limits, Remembered, clip_norm};
use crate::quantized::fake_quantize;
use nnue_data::files::FileError;
use nnue_spec::NetDesc;

use super::checkpoint::{self, Checkpoint};
use super::config::{Chosen, Config, Initial};
use super::device::{Remote, Rules};
use super::epochs::{Epochs, Failure, Place, Source, Starts};
use super::history::History;
use super::identity::{DataFiles, note_changes, refusal};
use super::load::load;
use super::output::{Folder, network_name};
use super::validation::{HeldOut, Verdict};
use crate::run::{Error, Observer, Options};

/// A run from its first or last superbatch on.
pub(super) struct Training<'r> {
    config: &'r Config,
    net: &'r NetDesc<'r>,
    network: Network<f32>,
    limits: Limits,
    /// trained parameters: those of the network, then virtual weights
    parameters: Parameters<f32>,
    /// the effective weights, if there are virtual ones
    merged: Option<Parameters<f32>>,
    optimizer: Chosen,
    average: Option<Average>,
    gradient: Gradient<f32>,
    /// where gradients and steps are computed, if not on the CPU
    device: Option<Box<dyn Remote>>,
    /// the network that rounds as inference does, with the rounded parameters, for fake quantisation
    rounded: Option<(Network<f32>, Parameters<f32>)>,
    /// batches so far
    step: u64,
    /// sum of the known losses of this superbatch
    loss: f64,
    last_loss: Option<f64>,
    /// whether the device has begun a batch whose loss is unknown yet
    is_begun: bool,
    place: Place,
    history: History,
    data: DataFiles,
    saved: Instant,
}

impl<'r> Training<'r> {
    pub(super) fn begin(
        config: &'r Config,
        net: &'r NetDesc<'r>,
        network: Network<f32>,
        device: Option<Box<dyn Remote>>,
    ) -> Result<Self, Error> {
        let mut zeros = network.zeros();
        config.factors.extend(&mut zeros);
        let parameters = match &config.network.initial {
            Initial::Drawn(rule) => {
                let mut parameters = initial::draw(&config.network.graph, *rule, config.seed);
                config.factors.extend(&mut parameters);
                parameters
            }
            Initial::From(path) => load(net, path, &config.factors, &zeros)?,
        };
        let rounding = config
            .optimizer
            .fake_quantize
            .then(|| Network::rounding(&config.network.graph))
            .transpose();
        let rounding = rounding.map_err(|error| Error::Run(error.to_string()))?;
        let mut gradient = Gradient::new(&network, config.threads);
        config.factors.extend(gradient.parameters_mut());
        let mut limits = Limits::of(&config.network.graph);
        if let Some(own) = config.optimizer.limit {
            limits
                .greatest
                .iter_mut()
                .for_each(|limit| *limit = Some(limit.map_or(own, |of_type| of_type.min(own))));
        }
        Ok(Self {
            config,
            net,
            device,
            limits,
            parameters,
            merged: (!config.factors.is_empty()).then(|| network.zeros()),
            average: config
                .average
                .map(|averaging| Average::new(averaging, zeros.clone())),
            optimizer: config.optimizer.build(zeros),
            gradient,
            rounded: rounding.map(|rounding| (rounding, network.zeros())),
            network,
            step: 0,
            loss: 0.0,
            last_loss: None,
            is_begun: false,
            saved: Instant::now(),
            place: Place {
                epoch: 0,
                offset: 0,
            },
            history: History::default(),
            data: DataFiles::of(config.files())?.with_memory(config.memory()),
        })
    }

    /// Restores the checkpoint of the folder.
    pub(super) fn resume(
        &mut self,
        folder: &Folder,
        options: &Options,
        observer: &mut dyn Observer,
    ) -> Result<(), Error> {
        let Some(bytes) = folder.checkpoint()? else {
            observer.note(format_args!(
                "there is no checkpoint yet: the run starts from the beginning"
            ));
            return Ok(());
        };
        let remembered = remembered(&mut self.optimizer, &mut self.average);
        let read = checkpoint::read(&bytes, &self.parameters, Some(remembered));
        let (source, declaration) = (&self.config.source, &self.config.network.declaration.text);
        let found = read.map_err(|message| {
            let message = refusal(message, &bytes, source, declaration);
            Error::Run(format!(
                "{}: {message}",
                folder.path("checkpoint").display()
            ))
        })?;
        self.data
            .check(&found.data, options.changed_data, observer)?;
        note_changes(&found, source, declaration, observer);
        let Checkpoint {
            step,
            loss,
            place,
            history,
            parameters,
            ..
        } = found;
        (self.step, self.loss, self.place) = (step, loss, place);
        (self.history, self.parameters) = (history, parameters);
        Ok(())
    }

    /// Uploads parameters and state to the device, if there is one.
    pub(super) fn put(&mut self) -> Result<(), Error> {
        let Some(device) = &mut self.device else {
            return Ok(());
        };
        device.put(
            &self.parameters,
            remembered(&mut self.optimizer, &mut self.average),
        )
    }

    /// Downloads parameters and state from the device, if there is one.
    fn fetch(&mut self) -> Result<(), Error> {
        let Some(device) = &mut self.device else {
            return Ok(());
        };
        device.fetch(
            &mut self.parameters,
            remembered(&mut self.optimizer, &mut self.average),
        )
    }

    pub(super) fn finish<F, S>(
        mut self,
        (encoder, sources): (F, S),
        held_out: &HeldOut,
        folder: &Folder,
        observer: &mut dyn Observer,
    ) -> Result<(), Error>
    where
        F: Encode<Record = S::Record> + Send + Sync + 'static,
        S: Source,
    {
        let length = self.config.length;
        let (epochs, starts) = Epochs::new(sources, self.place.epoch);
        let settings = Settings {
            size: length.batch,
            threads: self.config.reading.threads,
            skip: self.place.offset,
        };
        let mut batches = Batches::new(encoder, epochs, settings);
        let left = (length.steps() - self.step.min(length.steps())) * length.batch.get() as u64;
        observer.begin(left);
        while self.step < length.steps() {
            let begin = Instant::now();
            let done = self.step % length.batches;
            let loss = self.superbatch(&mut batches, &starts, folder, observer)?;
            // Extrapolated to a whole superbatch after a resume.
            let seconds = begin.elapsed().as_secs_f64() * length.batches as f64
                / (length.batches - done) as f64;
            self.place = starts.place(batches.positions());
            self.fetch()?;
            let best = self.best();
            let judged = held_out.judge(
                self.net,
                &self.network,
                &best,
                &self.config.loss.at(self.step - 1),
            );
            let verdict = judged.map_err(|error| Error::Run(error.to_string()))?;
            let row = self.metrics(loss, &verdict, &best);
            observer.metrics(&row);
            self.history.push(row);
            self.say(loss, &verdict, seconds, observer);
            folder.write(self.config, self.net, &best, held_out, &self.history)?;
            self.checkpoint(folder)?;
        }
        observer.end();
        folder.tell(observer, network_name(self.net), self.step / length.batches);
        Ok(())
    }

    /// Trains to the end of the superbatch and returns its mean loss. Writes a checkpoint whenever one is
    /// due.
    fn superbatch(
        &mut self,
        batches: &mut Batches<Failure>,
        starts: &Starts,
        folder: &Folder,
        observer: &mut dyn Observer,
    ) -> Result<f64, Error> {
        let count = self.config.length.batches;
        loop {
            let Some(batch) = batches.next_batch()? else {
                let help = self.config.input.holds_out_too_much();
                let message = format!("there are no positions to train on: {help}");
                return Err(Error::Run(message));
            };
            let rate = self.config.rate.at(self.step);
            self.learn(batch, rate)?;
            observer.advance(batch.len() as u64);
            if let Some(loss) = self.last_loss {
                observer.batch(loss, rate);
            }
            if self.step.is_multiple_of(count) {
                self.settle()?;
                return Ok(std::mem::take(&mut self.loss) / count as f64);
            }
            let stops = observer.should_stop();
            if stops || self.saved.elapsed() >= self.config.checkpoint_after {
                self.place = starts.place(batches.positions());
                self.settle()?;
                self.fetch()?;
                self.checkpoint(folder)?;
            }
            if stops {
                return Err(Error::Stopped);
            }
        }
    }

    fn learn(&mut self, batch: &Batch, rate: f64) -> Result<(), Error> {
        if self.device.is_some() {
            self.learn_there(batch, rate)?;
        } else {
            let loss = self.gradient_of(batch);
            self.count(loss, self.step + 1)?;
            self.change(rate);
        }
        self.step += 1;
        Ok(())
    }

    /// Takes one step on the device, which works on the last batch while this one is prepared.
    fn learn_there(&mut self, batch: &Batch, rate: f64) -> Result<(), Error> {
        let objective = self.config.loss.at(self.step);
        if let Some(device) = &mut self.device {
            device.prepare(batch, &objective)?;
        }
        self.settle()?;
        let Some(device) = &mut self.device else {
            return Ok(());
        };
        device.begin()?;
        self.is_begun = true;
        device.step(Rules {
            rate,
            clip_norm: self.config.optimizer.clip_norm,
            optimizer: &mut self.optimizer,
            limits: &self.limits,
            average: &mut self.average,
        })
    }

    /// Reads the loss of the batch that the device has begun last, if there is one.
    fn settle(&mut self) -> Result<(), Error> {
        let Some(device) = self.device.as_mut().filter(|_| self.is_begun) else {
            return Ok(());
        };
        self.is_begun = false;
        let loss = device.loss()?;
        if !loss.is_finite() {
            device.gradient(self.gradient.parameters_mut())?;
            self.fetch()?;
        }
        self.count(loss, self.step)
    }

    /// Adds the loss of a batch; an error if it is not finite.
    fn count(&mut self, loss: f64, batch: u64) -> Result<(), Error> {
        if !loss.is_finite() {
            return Err(self.not_finite(loss, batch));
        }
        self.loss += loss;
        self.last_loss = Some(loss);
        Ok(())
    }

    /// Updates the parameters from the gradient.
    fn change(&mut self, rate: f64) {
        let (factors, threads) = (&self.config.factors, self.config.threads);
        factors.spread(self.gradient.parameters_mut(), threads);
        if let Some(greatest) = self.config.optimizer.clip_norm {
            clip_norm(self.gradient.parameters_mut(), greatest);
        }
        self.optimizer.step(
            rate,
            &mut self.parameters,
            self.gradient.parameters(),
            threads,
        );
        factors.clip(&self.limits, &mut self.parameters, threads);
        if let Some(average) = &mut self.average {
            average.follow(&self.parameters, threads);
        }
    }

    /// Computes the gradient of a batch at the effective weights, rounded if the run asks for it. Returns the
    /// loss.
    fn gradient_of(&mut self, batch: &Batch) -> f64 {
        let (mut network, mut at) = (&self.network, &self.parameters);
        if let Some(merged) = &mut self.merged {
            self.config.factors.merge(at, merged, self.config.threads);
            at = merged;
        }
        if let Some((rounding, rounded)) = &mut self.rounded {
            fake_quantize(self.net, at, rounded);
            (network, at) = (rounding, rounded);
        }
        self.gradient
            .compute(network, at, batch, &self.config.loss.at(self.step))
    }

    /// The weights to validate and save: effective, and clipped to the range of their types.
    fn best(&self) -> Parameters<f32> {
        let (factors, threads) = (&self.config.factors, self.config.threads);
        let mean = self.average.as_ref().and_then(Average::mean);
        let mut best = mean
            .unwrap_or_else(|| self.optimizer.best(&self.parameters))
            .clone();
        factors.clip(&self.limits, &mut best, threads);
        let mut merged = self.network.zeros();
        factors.merge(&best, &mut merged, threads);
        merged
    }

    /// The error for a loss that is not finite.
    fn not_finite(&self, loss: f64, batch: u64) -> Error {
        let is_wrong = |tensor: &Tensor<f32>| tensor.iter().any(|number| !number.is_finite());
        let parameter = self
            .parameters
            .tensors
            .iter()
            .position(is_wrong)
            .map(|index| ("", index));
        let gradient = || {
            self.gradient
                .parameters()
                .tensors
                .iter()
                .position(is_wrong)
                .map(|index| ("the gradient of ", index))
        };
        let whose = match parameter.or_else(gradient) {
            Some((of, index)) => format!(
                "{of}{} has numbers that are not finite",
                self.name_of(index)
            ),
            None => "the outputs of the network are too great".to_owned(),
        };
        Error::Run(format!(
            "the loss of batch {batch} is {loss}: {whose}; try a lower `rate`, or `optimizer.clip_norm`"
        ))
    }

    fn name_of(&self, index: usize) -> String {
        match self.net.tensors.get(index) {
            Some(tensor) => format!("`{}`", tensor.name),
            None => self
                .config
                .factors
                .names()
                .nth(index - self.net.tensors.len())
                .unwrap_or_default()
                .to_owned(),
        }
    }

    /// The row of the log for a superbatch.
    fn metrics(&self, loss: f64, verdict: &Verdict, best: &Parameters<f32>) -> Vec<(String, f64)> {
        let last = self.step - 1;
        let numbers = [
            (
                "superbatch",
                (self.step / self.config.length.batches) as f64,
            ),
            (
                "positions",
                (self.step * self.config.length.batch.get() as u64) as f64,
            ),
            ("rate", self.config.rate.at(last)),
            ("share", self.config.loss.at(last).loss.share),
            ("loss", loss),
            ("held_out_loss", verdict.loss),
            ("quantized_loss", verdict.integer_loss),
            ("drift", verdict.drift[0]),
            ("worst_drift", verdict.drift[1]),
            ("correlation", verdict.correlation),
            ("dead", verdict.idle.dead as f64),
            ("saturated", verdict.idle.saturated as f64),
            (
                "may_overflow",
                f64::from(u8::from(verdict.overflow.is_some())),
            ),
        ];
        let policy = verdict.policy.iter().flat_map(|policy| {
            let numbers = [
                ("policy_loss", policy.loss[0]),
                ("quantized_policy_loss", policy.loss[1]),
                ("agreement", policy.agreement[0]),
                ("quantized_agreement", policy.agreement[1]),
            ];
            numbers.map(|(name, number)| (name.to_owned(), number))
        });
        let largest = |tensor: &Tensor<f32>| {
            tensor
                .iter()
                .fold(0.0_f32, |largest, number| largest.max(number.abs()))
        };
        let ranges = self.net.tensors.iter().zip(&best.tensors);
        let ranges = ranges
            .map(|(desc, tensor)| (format!("largest_{}", desc.name), f64::from(largest(tensor))));
        let row = numbers
            .map(|(name, number)| (name.to_owned(), number))
            .into_iter();
        row.chain(policy).chain(ranges).collect()
    }

    /// Reports the superbatch in one line.
    fn say(&self, loss: f64, verdict: &Verdict, seconds: f64, observer: &mut dyn Observer) {
        let length = self.config.length;
        let superbatch = self.step / length.batches;
        let positions = (length.batches * length.batch.get() as u64) as f64;
        let left = (length.superbatches - superbatch) as f64 * seconds;
        let mut said = String::new();
        if self.network.meaning().value.is_some() {
            said += &format!(
                "drift {:.2}, r {:.3}, ",
                verdict.drift[0], verdict.correlation
            );
        }
        if let Some(policy) = &verdict.policy {
            said += &format!(
                "policy {:.4}, agreement {:.1} %, ",
                policy.loss[1],
                100.0 * policy.agreement[1]
            );
        }
        observer.line(format_args!(
            "superbatch {superbatch} of {}: loss {loss:.5}, held out {:.5}, quantised {:.5}, {said}\
             {:.2} million positions/s, {} left",
            length.superbatches,
            verdict.loss,
            verdict.integer_loss,
            positions / seconds / 1e6,
            minutes(left)
        ));
        if let Some(overflow) = &verdict.overflow {
            observer.note(format_args!("{overflow}"));
        }
    }

    /// Writes a checkpoint: the last of all files, so that every file it refers to exists.
    fn checkpoint(&mut self, folder: &Folder) -> Result<(), Error> {
        let checkpoint = Checkpoint {
            run: self.config.source.text.clone(),
            declaration: self.config.network.declaration.text.clone(),
            data: self.data.digests(),
            step: self.step,
            loss: self.loss,
            place: self.place,
            history: std::mem::take(&mut self.history),
            parameters: std::mem::replace(
                &mut self.parameters,
                Parameters {
                    tensors: Vec::new(),
                },
            ),
        };
        let path = folder.path("checkpoint");
        let written = checkpoint::write(
            &path,
            &checkpoint,
            &remembered(&mut self.optimizer, &mut self.average),
        );
        (self.history, self.parameters) = (checkpoint.history, checkpoint.parameters);
        self.saved = Instant::now();
        written.map_err(|source| FileError::write(path, source).into())
    }
}

fn remembered<'r>(optimizer: &'r mut Chosen, average: &'r mut Option<Average>) -> Remembered<'r> {
    let mut remembered = optimizer.remembered();
    if let Some(average) = average {
        let of_average = average.remembered();
        remembered.steps.extend(of_average.steps);
        remembered.numbers.extend(of_average.numbers);
    }
    remembered
}

/// Formats a duration as hours, minutes and seconds.
fn minutes(seconds: f64) -> String {
    let seconds = seconds as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}
