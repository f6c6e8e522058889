//! The gradient of a batch is that of its mean loss for any number of threads.

use std::num::NonZeroUsize;

use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_testkit::random::Random;
use nnue_train::batch::{Batch, Target};
use nnue_train::gradient::Gradient;
use nnue_train::loss::{Error, Example, Loss, Weight, WinRate};
use nnue_train::network::{Network, Parameters, Position};
use nnue_train::optimizer::{Adam, Optimizer};

use crate::declared::{Rows, boards, graphs, random};

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

/// `size` positions with scores and results, repeating a few boards.
pub(crate) fn batch(graph: &Graph, size: usize) -> Batch {
    let plan = plan(graph);
    let tables = plan.tables();
    let net = tables.descriptor();
    let mut batch = Batch::new(net.accumulator.perspectives);
    for (number, board) in boards().iter().enumerate().cycle().take(size) {
        let (rows, number) = (Rows::of(&net, board), number as f32);
        let (position, score, result) =
            (rows.position(), 350.0 * number - 400.0, number % 3.0 / 2.0);
        let target = Target {
            stack: position.stack as u16,
            score,
            result,
            ply: 1,
            weight: 0.5 + number / 4.0,
        };
        batch.push(&position.rows[..net.accumulator.perspectives], target);
    }
    batch
}

/// A loss that is meaningful for all heads.
pub(crate) fn loss(error: Error) -> Loss {
    let score = WinRate::Outcomes {
        offset: 270.0,
        scale: 380.0,
    };
    Loss {
        score,
        error,
        share: 0.6,
        weight: Weight::Contested {
            gain: 3.0,
            exponent: 0.5,
        },
        ..Loss::nnue_pytorch()
    }
}

fn networks() -> impl Iterator<Item = Graph> {
    let stockfish = graphs("src/stockfish.rs")
        .into_iter()
        .filter(|graph| graph.name == "Sfnnv9");
    let more = [
        "tests/floats/heads.rs",
        "tests/perspectives/white_first.rs",
        "tests/perspectives/separate.rs",
    ];
    stockfish.chain(more.into_iter().flat_map(graphs))
}

/// `parameters + h * direction`.
fn moved(parameters: &Parameters<f64>, direction: &Parameters<f64>, h: f64) -> Parameters<f64> {
    let mut moved = parameters.clone();
    for (tensor, direction) in moved.tensors.iter_mut().zip(&direction.tensors) {
        tensor
            .iter_mut()
            .zip(direction)
            .for_each(|(number, direction)| *number += h * direction);
    }
    moved
}

#[test]
fn gradients_of_batches_are_finite_differences() {
    let errors = [
        Error::Power {
            exponent: 2.5,
            asymmetry: 0.2,
        },
        Error::CrossEntropy,
    ];
    for (graph, error) in networks().flat_map(|graph| errors.map(|error| (graph.clone(), error))) {
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let (parameters, batch, loss) =
            (random(&graph, &network, 3), batch(&graph, 11), loss(error));
        let mut gradient = Gradient::new(&network, THREADS);
        gradient.compute(&network, &parameters, &batch, &loss.into());
        let found = gradient.parameters().clone();
        // A random direction, in which all parameters count.
        let (mut random, mut direction) = (Random::new(9), network.zeros());
        direction
            .tensors
            .iter_mut()
            .flatten()
            .for_each(|number| *number = random.below(2001) as f64 / 1e3 - 1.0);
        let products = found
            .tensors
            .iter()
            .flatten()
            .zip(direction.tensors.iter().flatten());
        let slope: f64 = products.map(|(a, b)| a * b).sum();
        let [right, left] = [1e-8, -1e-8].map(|h| {
            gradient.compute(
                &network,
                &moved(&parameters, &direction, h),
                &batch,
                &loss.into(),
            )
        });
        let quotient = (right - left) / 2e-8;
        assert!(
            (slope - quotient).abs() < 1e-5 * slope.abs().max(0.1),
            "{}: {slope}, not {quotient}",
            graph.name
        );
    }
}

/// Uses enough positions for several rounds of the threads, which sort them by stack.
#[test]
fn the_gradient_of_a_batch_is_the_sum_of_those_of_its_positions() {
    for graph in networks() {
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let (parameters, batch, loss) = (
            random(&graph, &network, 3),
            batch(&graph, 1800),
            loss(Error::SQUARED),
        );
        let (mut workspace, mut sum) = (network.workspace(), network.zeros());
        let examples: Vec<Example> = (0..batch.len())
            .map(|index| example(&batch, index))
            .collect();
        let weight_at =
            |index: usize| loss.weight_of(examples[index]) * f64::from(batch.weights()[index]);
        let weight: f64 = (0..batch.len()).map(weight_at).sum();
        for (index, &example) in examples.iter().enumerate() {
            let rows = [0, 1].map(|side| {
                if side < batch.perspectives() {
                    batch.rows(index, side)
                } else {
                    &[]
                }
            });
            let position = Position {
                rows,
                stack: batch.stacks()[index].into(),
                listed: &[],
            };
            let outputs = network.forward(&parameters, position, &mut workspace);
            let share = weight_at(index) / weight;
            let of_outputs = loss
                .of(network.head(), outputs, example)
                .1
                .map(|slope| slope * share);
            network.backward(&parameters, position, &mut workspace, of_outputs, &mut sum);
        }
        let mut gradient = Gradient::new(&network, 3.try_into().expect("not 0"));
        gradient.compute(&network, &parameters, &batch, &loss.into());
        for (found, expected) in gradient.parameters().tensors.iter().zip(&sum.tensors) {
            let greatest = expected
                .iter()
                .fold(0.0_f64, |most, number| most.max(number.abs()));
            let mut both = found.iter().zip(expected);
            assert!(
                both.all(|(a, b)| (a - b).abs() <= 1e-10 * greatest),
                "{}",
                graph.name
            );
        }
    }
}

fn example(batch: &Batch, index: usize) -> Example {
    Example {
        score: batch.scores()[index].into(),
        result: batch.results()[index].into(),
    }
}

#[test]
fn threads_share_a_batch() {
    for graph in networks() {
        let network = Network::<f64>::new(&graph).expect("all activations are known");
        let (parameters, batch, loss) = (
            random(&graph, &network, 3),
            batch(&graph, 11),
            loss(Error::SQUARED),
        );
        let compute = |threads: usize| {
            let mut gradient = Gradient::new(&network, threads.try_into().expect("one or more"));
            let first = gradient.compute(&network, &parameters, &batch, &loss.into());
            let held = gradient.parameters().clone();
            assert_eq!(
                (
                    gradient.compute(&network, &parameters, &batch, &loss.into()),
                    gradient.parameters()
                ),
                (first, &held)
            );
            (first, held)
        };
        let (alone, of_one) = compute(1);
        // With more threads than positions, some have no work.
        for threads in [2, 3, 16] {
            let (loss, of_many) = compute(threads);
            assert!((alone - loss).abs() < 1e-12, "{}", graph.name);
            let mut both = of_one
                .tensors
                .iter()
                .flatten()
                .zip(of_many.tensors.iter().flatten());
            assert!(
                both.all(|(a, b)| (a - b).abs() <= 1e-9 * a.abs().max(1e-6)),
                "{}",
                graph.name
            );
        }
    }
}

#[test]
fn steps_against_the_gradient_make_the_loss_smaller() {
    for graph in networks() {
        let network = Network::<f32>::new(&graph).expect("all activations are known");
        let double = Network::<f64>::new(&graph).expect("all activations are known");
        let mut parameters = random(&graph, &double, 3).convert::<f32>();
        let (batch, loss) = (batch(&graph, 11), loss(Error::SQUARED));
        let (mut gradient, mut adam) =
            (Gradient::new(&network, THREADS), Adam::new(network.zeros()));
        let losses: Vec<f64> = (0..100)
            .map(|_| {
                let mean = gradient.compute(&network, &parameters, &batch, &loss.into());
                adam.step(
                    5e-3,
                    &mut parameters,
                    gradient.parameters(),
                    NonZeroUsize::MIN,
                );
                mean
            })
            .collect();
        assert!(
            losses[99] < 0.8 * losses[0],
            "{}: {} became {}",
            graph.name,
            losses[0],
            losses[99]
        );
    }
}
