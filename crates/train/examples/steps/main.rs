//! How fast a network is trained: `cargo run --release -p nnue-train --example steps -- FILE [THREADS] [DECLARATION] [FACTORS]`; with
//! `--features cuda`, and `cuda` instead of a number of threads, on a GPU.
//!
//! `FACTORS` are virtual features: `piece_square,king,relative`. A step is the gradient of a batch of 16,384 positions of a binpack, AdamW and limits, with the batch at hand: how fast batches are made is what
//! `batches` measures. The gradient is compared with that of one position after the other before anything is timed.

#[cfg(feature = "cuda")]
mod gpu;

use std::error::Error;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use nnue_codegen::graph_text;
use nnue_data::binpack::Reader;
use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_testkit::random::Random;
use nnue_train::batch::{Batch, Target};
use nnue_train::batches::{Batches, Settings};
use nnue_train::factors::{Factors, VirtualFeature, Wanted};
use nnue_train::features::Features;
use nnue_train::gradient::Gradient;
use nnue_train::loss::{Example, Loss, Objective};
use nnue_train::network::{Network, Parameters, Position};
use nnue_train::optimizer::{Adam, Limits, Optimizer};

const SIZE: NonZeroUsize = NonZeroUsize::new(16384).expect("not 0");
const LEAST: Duration = Duration::from_secs(4);

/// What is trained.
struct Training {
    network: Network<f32>,
    factors: Factors,
    limits: Limits,
    objective: Objective,
    batches: Vec<Batch>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("which binpack?")?;
    let place = arguments.next().unwrap_or_else(|| "1".into());
    let declaration = arguments.next().unwrap_or_else(|| {
        "struct Measured = (768 -> 256)x2 @ 255 screlu -> 1x8: i16 @ 64 { format raw };".into()
    });
    let graph = graph_text(&declaration)
        .map_err(|errors| errors[0].shown_in("DECLARATION", &declaration))?
        .remove(0);
    let training = Training {
        network: Network::new(&graph)?,
        factors: factors(&graph, arguments.next().unwrap_or_default())?,
        limits: Limits::of(&graph),
        objective: Loss::bullet(400.0).into(),
        batches: read(&graph, &path)?,
    };
    let parameters = random(&training.network);
    #[cfg(feature = "cuda")]
    if place == "cuda" {
        return gpu::measure(&training, parameters);
    }
    let threads = place
        .parse()
        .map_err(|_| format!("{place}: a number of threads, or with `--features cuda`, `cuda`"))?;
    check(
        &training.network,
        &parameters,
        &training.batches[0],
        threads,
    );
    measure(&training, parameters, threads);
    Ok(())
}

/// Takes steps on the CPU.
fn measure(training: &Training, mut parameters: Parameters<f32>, threads: NonZeroUsize) {
    let Training {
        network,
        factors,
        limits,
        objective,
        batches,
    } = training;
    factors.extend(&mut parameters);
    let (mut merged, mut gradient, mut adam) = (
        network.zeros(),
        Gradient::new(network, threads),
        training.optimizer(),
    );
    factors.extend(gradient.parameters_mut());
    let [mut of_gradient, mut of_step, mut of_factors] = [Duration::ZERO; 3];
    let mut positions = 0;
    for batch in batches.iter().cycle() {
        let start = Instant::now();
        if !factors.is_empty() {
            factors.merge(&parameters, &mut merged, threads);
        }
        of_factors += start.elapsed();
        let start = Instant::now();
        let at = if factors.is_empty() {
            &parameters
        } else {
            &merged
        };
        gradient.compute(network, at, batch, objective);
        of_gradient += start.elapsed();
        let start = Instant::now();
        factors.spread(gradient.parameters_mut(), threads);
        of_factors += start.elapsed();
        let start = Instant::now();
        adam.step(1e-4, &mut parameters, gradient.parameters(), threads);
        of_step += start.elapsed();
        let start = Instant::now();
        factors.clip(limits, &mut parameters, threads);
        of_factors += start.elapsed();
        positions += batch.len();
        if of_gradient + of_step + of_factors > LEAST {
            break;
        }
    }
    let steps = positions as f64 / SIZE.get() as f64;
    let rate = |time: Duration| positions as f64 / time.as_secs_f64() / 1e6;
    println!(
        "{:.3} million positions/s, {threads} threads",
        rate(of_gradient + of_step + of_factors)
    );
    let [gradient, step, factors] =
        [of_gradient, of_step, of_factors].map(|time| time.as_secs_f64() * 1e3 / steps);
    println!(
        "gradient {gradient:.2} ms, optimiser {step:.2} ms, factors and limits {factors:.2} ms a step"
    );
}

impl Training {
    fn optimizer(&self) -> Adam {
        let mut zeros = self.network.zeros();
        self.factors.extend(&mut zeros);
        Adam::bullet(zeros)
    }
}

/// The virtual features of a list.
fn factors(graph: &Graph, names: String) -> Result<Factors, Box<dyn Error>> {
    let feature = |name: &str| {
        VirtualFeature::ALL
            .into_iter()
            .find(|feature| feature.name() == name)
    };
    let names = names.split(',').filter(|name| !name.is_empty());
    let features = names
        .map(|name| feature(name).ok_or("which virtual features?"))
        .collect::<Result<_, _>>()?;
    Ok(Factors::new(
        graph,
        &Wanted {
            features,
            layers: Vec::new(),
        },
    )?)
}

/// Batches of the whole file, shuffled, the last and shorter one left out.
fn read(graph: &Graph, path: &str) -> Result<Vec<Batch>, Box<dyn Error>> {
    let bytes: &'static [u8] = std::fs::read(path)?.leak();
    let mut records = Reader::new(bytes).collect::<Result<Vec<_>, _>>()?;
    let mut random = Random::new(1);
    for index in (1..records.len()).rev() {
        records.swap(index, random.below(index + 1));
    }
    let plan = plan(graph);
    let tables = plan.tables();
    let settings = Settings {
        size: SIZE,
        threads: NonZeroUsize::MIN,
        skip: 0,
    };
    let records = records.into_iter().map(Ok::<_, std::convert::Infallible>);
    let mut made = Batches::new(Features::new(&tables.descriptor())?, records, settings);
    let mut batches = Vec::new();
    while let Some(batch) = made.next_batch()? {
        batches.push(batch.clone());
    }
    batches.pop();
    Ok(batches)
}

fn random(network: &Network<f32>) -> Parameters<f32> {
    let (mut random, mut parameters) = (Random::new(2), network.zeros());
    for number in parameters.tensors.iter_mut().flatten() {
        *number = (random.below(2001) as f32 / 1e3 - 0.9) * 0.1;
    }
    parameters
}

/// Compares the gradient of a small batch with that of its positions one by one, in 64-bit floats.
fn check(
    network: &Network<f32>,
    parameters: &Parameters<f32>,
    batch: &Batch,
    threads: NonZeroUsize,
) {
    let loss = Loss::bullet(400.0);
    let mut part = Batch::new(batch.perspectives());
    let (mut workspace, mut sums) = (network.workspace(), network.zeros());
    let count = 300;
    for index in 0..count {
        let rows = [0, 1].map(|side| {
            if side < batch.perspectives() {
                batch.rows(index, side)
            } else {
                &[]
            }
        });
        let (score, result) = (batch.scores()[index], batch.results()[index]);
        let target = Target {
            stack: batch.stacks()[index],
            score,
            result,
            ply: 0,
            weight: 1.0,
        };
        part.push(&rows[..batch.perspectives()], target);
        let position = Position {
            rows,
            stack: target.stack.into(),
            listed: &[],
        };
        let outputs = network.forward(parameters, position, &mut workspace);
        let example = Example {
            score: score.into(),
            result: result.into(),
        };
        let (_, of_outputs) = loss.of(network.head(), outputs.map(f64::from), example);
        let of_outputs = of_outputs.map(|slope| (slope / count as f64) as f32);
        network.backward(parameters, position, &mut workspace, of_outputs, &mut sums);
    }
    let mut gradient = Gradient::new(network, threads);
    gradient.compute(network, parameters, &part, &loss.into());
    assert_near(gradient.parameters(), &sums);
}

fn assert_near(found: &Parameters<f32>, expected: &Parameters<f32>) {
    for (found, expected) in found.tensors.iter().zip(&expected.tensors) {
        let greatest = expected
            .iter()
            .fold(0.0_f32, |most, number| most.max(number.abs()));
        let worst = found
            .iter()
            .zip(expected)
            .fold(0.0_f32, |most, (a, b)| most.max((a - b).abs()));
        assert!(
            worst <= 1e-4 * greatest,
            "gradients differ by {worst} of {greatest}"
        );
    }
}
