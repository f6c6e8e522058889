//! Training of a network over a dense input.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;
use std::time::Instant;

use crate::dense::{Moments, Network};
use crate::network::Parameters;
use fastrand::Rng;
use nnue_data::files::FileError;
use nnue_format::dense;
use nnue_spec::dense::reference::evaluate;
use nnue_spec::dense::{DenseDesc, DenseOp, DenseRole, Shape};

use super::config::Config;
use super::examples::{Example, Examples};
use crate::run::checkpoint::{self, Checkpoint};
use crate::run::config::Chosen;
use crate::run::epochs::Place;
use crate::run::export::in_macro;
use crate::run::history::History;
use crate::run::identity::{DataFiles, note_changes, refusal};
use crate::run::output::Folder;
use crate::run::report::About;
use crate::run::{Error, Observer, Options};

/// Runs the training of `config`, from the start or from the last checkpoint.
pub(crate) fn run(
    config: &Config,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let net = config.graph.desc();
    let folder = Folder::open(&config.output, options.resume)?;
    let (training, held_out) = (config.training.len(), config.held_out.len());
    observer.line(format_args!(
        "{training} examples to train with, {held_out} held out"
    ));
    let mut training = Training::begin(config, &net)?;
    if options.resume {
        training.resume(&folder, options, observer)?;
    }
    training.finish(&folder, observer)
}

struct Training<'r> {
    config: &'r Config,
    net: &'r DenseDesc<'r>,
    network: Network<f32>,
    parameters: Parameters<f32>,
    optimizer: Chosen,
    /// batches so far
    step: u64,
    history: History,
    data: DataFiles,
}

/// Validation metrics, computed by the reference, which is bit-identical to the runtime.
struct Verdict {
    loss: f64,
    /// share of the examples whose class has the greatest output; `None` without classes
    right: Option<f64>,
}

impl<'r> Training<'r> {
    fn begin(config: &'r Config, net: &'r DenseDesc<'r>) -> Result<Self, Error> {
        let network = if config.exact {
            Network::new(net)
        } else {
            Network::approximate(net)
        };
        let tensors = dense::random(net, config.seed)
            .into_iter()
            .map(Into::into)
            .collect();
        let optimizer = config.optimizer.build(network.zeros());
        let parameters = Parameters { tensors };
        Ok(Self {
            config,
            net,
            network,
            parameters,
            optimizer,
            step: 0,
            history: History::default(),
            data: DataFiles::of(config.paths.iter().map(PathBuf::as_path))?,
        })
    }

    /// Restores the checkpoint of the folder.
    fn resume(
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
        let read = checkpoint::read(&bytes, &self.parameters, Some(self.optimizer.remembered()));
        let (source, declaration) = (&self.config.source, &self.config.declaration.text);
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
            history,
            parameters,
            ..
        } = found;
        (self.step, self.history, self.parameters) = (step, history, parameters);
        Ok(())
    }

    fn finish(mut self, folder: &Folder, observer: &mut dyn Observer) -> Result<(), Error> {
        let length = self.config.length;
        let left = (length.steps() - self.step.min(length.steps())) * length.batch.get() as u64;
        observer.begin(left);
        while self.step < length.steps() {
            let (begin, mut loss) = (Instant::now(), 0.0);
            for _ in 0..length.batches {
                loss += self.learn()? / length.batches as f64;
                observer.advance(length.batch.get() as u64);
                if observer.should_stop() {
                    return Err(Error::Stopped);
                }
            }
            let tensors: Vec<Vec<f32>> = self
                .parameters
                .tensors
                .iter()
                .map(|tensor| tensor.to_vec())
                .collect();
            let verdict = judge(self.net, &tensors, self.config);
            let row = self.metrics(loss, &verdict);
            observer.metrics(&row);
            self.history.push(row);
            self.say(loss, &verdict, begin.elapsed().as_secs_f64(), observer);
            self.write(folder, &tensors)?;
            self.checkpoint(folder)?;
        }
        observer.end();
        folder.tell(observer, "net.bin", self.step / length.batches);
        Ok(())
    }

    /// Takes one step and returns the loss before it.
    fn learn(&mut self) -> Result<f64, Error> {
        let config = self.config;
        let batch = self.batch();
        let (loss, gradient, moments) = self.gradient(&batch);
        if !loss.is_finite() {
            let step = self.step + 1;
            return Err(Error::Run(format!(
                "the loss of batch {step} is {loss}; try a lower `rate`"
            )));
        }
        let rate = config.rate.at(self.step);
        self.optimizer
            .step(rate, &mut self.parameters, &gradient, config.threads);
        hold(self.net, config.optimizer.limit, &mut self.parameters);
        self.network
            .follow(&moments, config.norm_share, &mut self.parameters);
        self.step += 1;
        Ok(loss)
    }

    /// The examples of the next batch: shuffled for each epoch and shifted randomly for each batch.
    fn batch(&self) -> Vec<Example> {
        let (config, size) = (self.config, self.config.length.batch.get());
        let of_epoch = config.training.len().div_ceil(size) as u64;
        let mut order: Vec<usize> = (0..config.training.len()).collect();
        random(config.seed, self.step / of_epoch, 1).shuffle(&mut order);
        let begin = (self.step % of_epoch) as usize * size;
        let mut random = random(config.seed, self.step, 2);
        let chosen = order[begin..]
            .iter()
            .take(size)
            .map(|&index| &config.training.0[index]);
        chosen
            .map(|example| example.moved(self.shape(), config.shift, &mut random))
            .collect()
    }

    fn shape(&self) -> Shape {
        self.net.input()
    }

    /// The mean loss of a batch, its gradient, and the moments of batch norms. Each thread has a part of the
    /// batch; the parts are added in order.
    fn gradient(&self, batch: &[Example]) -> (f64, Parameters<f32>, Moments) {
        let Self {
            network,
            parameters,
            config,
            ..
        } = self;
        let part = |examples: &[Example]| {
            let (mut gradient, mut moments, mut workspace) =
                (network.zeros(), network.moments(), network.workspace());
            let mut sum = 0.0;
            for Example { wanted, input } in examples {
                let outputs = network.forward(parameters, input, &mut workspace);
                let (loss, slopes) = config.loss.of(outputs, wanted);
                let share = 1.0 / batch.len() as f64;
                sum += loss * share;
                let slopes: Vec<f32> = slopes.iter().map(|slope| (slope * share) as f32).collect();
                network.backward(parameters, &mut workspace, &slopes, &mut gradient);
                network.observe(&workspace, &mut moments);
            }
            (sum, gradient, moments)
        };
        in_parts(
            batch,
            config.threads,
            part,
            |(sum, gradient, moments), (loss, more, read)| {
                gradient.add(&more);
                moments.add(&read);
                *sum += loss;
            },
        )
    }

    /// The row of the log for a superbatch.
    fn metrics(&self, loss: f64, verdict: &Verdict) -> Vec<(String, f64)> {
        let length = self.config.length;
        let numbers = [
            ("superbatch", (self.step / length.batches) as f64),
            ("rate", self.config.rate.at(self.step - 1)),
            ("loss", loss),
            ("held_out_loss", verdict.loss),
        ];
        let right = verdict.right.map(|right| ("right", right));
        let row = numbers
            .into_iter()
            .chain(right)
            .map(|(name, number)| (name.to_owned(), number));
        let largest = |numbers: &[f32]| {
            numbers
                .iter()
                .fold(0.0_f32, |largest, number| largest.max(number.abs()))
        };
        let ranges = self.net.tensors().into_iter().zip(&self.parameters.tensors);
        let ranges = ranges
            .map(|(desc, tensor)| (format!("largest_{}", desc.name), f64::from(largest(tensor))));
        row.chain(ranges).collect()
    }

    /// Reports the superbatch in one line.
    fn say(&self, loss: f64, verdict: &Verdict, seconds: f64, observer: &mut dyn Observer) {
        let length = self.config.length;
        let right = verdict.right.map_or_else(String::new, |right| {
            format!(", {:.2} % right", 100.0 * right)
        });
        let examples = (length.batches * length.batch.get() as u64) as f64;
        observer.line(format_args!(
            "superbatch {} of {}: loss {loss:.5}, held out {:.5}{right}, {:.0} examples/s",
            self.step / length.batches,
            length.superbatches,
            verdict.loss,
            examples / seconds
        ));
    }

    fn write(&self, folder: &Folder, tensors: &[Vec<f32>]) -> Result<(), Error> {
        let Self {
            config, history, ..
        } = self;
        folder.put("net.bin", &dense::to_bytes(tensors))?;
        folder.put("net.rs", in_macro(&config.declaration.text).as_bytes())?;
        let about = About {
            name: self.net.name,
            notation: config.declaration.text.trim(),
            run: &config.source.text,
        };
        folder.put_log(history, about, self.step == config.length.steps())
    }

    /// Writes a checkpoint: the last of all files, so that every file it refers to exists.
    fn checkpoint(&mut self, folder: &Folder) -> Result<(), Error> {
        let checkpoint = Checkpoint {
            run: self.config.source.text.clone(),
            declaration: self.config.declaration.text.clone(),
            data: self.data.digests(),
            step: self.step,
            loss: 0.0,
            // Derived from the step.
            place: Place {
                epoch: 0,
                offset: 0,
            },
            history: self.history.clone(),
            parameters: self.parameters.clone(),
        };
        let path = folder.path("checkpoint");
        let written = checkpoint::write(&path, &checkpoint, &self.optimizer.remembered());
        written.map_err(|source| FileError::write(path, source).into())
    }
}

/// A random generator for a purpose (`purpose`) at a time (epoch or step).
fn random(seed: u64, time: u64, purpose: u64) -> Rng {
    Rng::with_seed(seed ^ time.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ purpose.rotate_right(2))
}

/// Clips binary weights to -1..=1, outside of which signs have no gradient, and all weights to `limit`.
fn hold(net: &DenseDesc<'_>, limit: Option<f32>, parameters: &mut Parameters<f32>) {
    for (described, tensor) in net.tensors().iter().zip(&mut parameters.tensors) {
        let op = net.nodes[described.node].op;
        let is_binary = matches!(
            op,
            DenseOp::Conv2d {
                binary: Some(_),
                ..
            } | DenseOp::Affine { binary: Some(_) }
        );
        let of_signs = (is_binary && described.role == DenseRole::Weight).then_some(1.0);
        let limit = limit.filter(|_| described.role == DenseRole::Weight);
        if let Some(most) = of_signs.into_iter().chain(limit).reduce(f32::min) {
            tensor
                .iter_mut()
                .for_each(|weight| *weight = weight.clamp(-most, most));
        }
    }
}

/// Computes the metrics on the held-out examples.
fn judge(net: &DenseDesc<'_>, tensors: &[Vec<f32>], config: &Config) -> Verdict {
    let Examples(examples) = &config.held_out;
    let part = |examples: &[Example]| {
        let (mut loss, mut right) = (0.0, 0_usize);
        for Example { wanted, input } in examples {
            let values = evaluate(net, tensors, input);
            let outputs = values.last().expect("a network has an output");
            loss += config.loss.of(outputs, wanted).0;
            right += usize::from(config.loss.is_right(outputs, wanted) == Some(true));
        }
        (loss, right)
    };
    let (loss, right) = in_parts(examples, config.threads, part, |sums, (loss, right)| {
        sums.0 += loss;
        sums.1 += right;
    });
    let count = examples.len() as f64;
    let has_classes = config.loss.is_right(&[0.0], &[0.0]).is_some();
    Verdict {
        loss: loss / count,
        right: has_classes.then(|| right as f64 / count),
    }
}

/// Splits examples among threads, and adds up the results in order.
fn in_parts<R: Send>(
    examples: &[Example],
    threads: NonZeroUsize,
    part: impl Fn(&[Example]) -> R + Sync,
    add: impl Fn(&mut R, R),
) -> R {
    let each = examples.len().div_ceil(threads.get());
    let found: Vec<R> = thread::scope(|scope| {
        let part = &part;
        let threads: Vec<_> = examples
            .chunks(each)
            .map(|examples| scope.spawn(move || part(examples)))
            .collect();
        threads
            .into_iter()
            .map(|thread| {
                thread
                    .join()
                    .expect("examples have the length of the input")
            })
            .collect()
    });
    let mut found = found.into_iter();
    let mut sum = found.next().expect("there are examples");
    found.for_each(|more| add(&mut sum, more));
    sum
}
