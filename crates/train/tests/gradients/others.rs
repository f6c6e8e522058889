//! Outputs besides the value (named outputs and listed rows): their gradients and losses.

use std::num::NonZeroUsize;

use nnue_spec::graph::Graph;
use nnue_spec::plan::plan;
use nnue_spec::reference::evaluate_real_heads;
use nnue_spec::{HeadKind, NetDesc};
use nnue_testkit::random::Random;
use nnue_tools::quantize::factors;
use nnue_train::batch::{Batch, Target};
use nnue_train::gradient::Gradient;
use nnue_train::loss::{Example, Loss, NamedLoss, Objective, Target as Shall, Wanted};
use nnue_train::network::{Network, Others, Outputs, Parameters, Position, Tensor};
use nnue_train::optimizer::{Adam, Limits, Optimizer};
use nnue_train::quantized::Quantized;

use crate::declared::{Rows, boards, graphs, random};

/// The networks with several outputs, except the one of golden numbers, whose policy has too few rows.
fn networks() -> Vec<Graph> {
    let files = ["tests/behaviour/outputs.rs", "tests/behaviour/words.rs"];
    let all = files.into_iter().flat_map(graphs);
    let networks: Vec<Graph> = all
        .filter(|graph| !graph.heads.is_empty() && graph.name != "Told")
        .collect();
    assert_eq!(networks.len(), 9);
    networks
}

/// Calls `check` with the descriptor of a network and its floating-point form.
fn with(graph: &Graph, check: impl FnOnce(&NetDesc<'_>, &Network<f64>)) {
    let plan = plan(graph);
    check(
        &plan.tables().descriptor(),
        &Network::new(graph).expect("all activations are known"),
    );
}

/// Those whose policies have enough rows for the moves of [`batch`].
pub(crate) fn networks_of_batches() -> impl Iterator<Item = Graph> {
    let has_rows = |graph: &Graph| {
        graph
            .heads
            .iter()
            .all(|head| head.kind != HeadKind::Rows || head.run.len >= 60)
    };
    networks().into_iter().filter(has_rows)
}

/// Some rows, one of them twice.
fn listed(network: &Network<f64>) -> Vec<u32> {
    let rows = network.rows() as u32;
    (0..if rows > 0 { 9 } else { 0 })
        .map(|at| (at % 8 * 9 + 2) % rows)
        .collect()
}

#[test]
fn numbers_and_rows_are_those_of_the_reference() {
    for graph in networks() {
        with(&graph, |net, network| {
            let parameters = random(&graph, network, 7);
            let times = |(numbers, factor): (&Tensor<f64>, f64)| {
                numbers.iter().map(|number| number * factor).collect()
            };
            let scaled: Vec<Vec<f64>> = parameters
                .tensors
                .iter()
                .zip(factors(net))
                .map(times)
                .collect();
            let (listed, mut others) = (listed(network), Others::default());
            for board in boards() {
                let (rows, expected) = (
                    Rows::of(net, &board),
                    evaluate_real_heads(net, &scaled, &board),
                );
                let position = Position {
                    listed: &listed,
                    ..rows.position()
                };
                network.forward_others(
                    &parameters,
                    position,
                    &mut network.workspace(),
                    &mut others,
                );
                let (mut numbers, mut logits) = (Vec::new(), Vec::new());
                for (head, of_head) in net.heads.iter().zip(&expected) {
                    match head.kind {
                        HeadKind::Rows => {
                            logits.extend(listed.iter().map(|&row| of_head[row as usize]))
                        }
                        HeadKind::Numbers | HeadKind::Wdl => numbers.extend(of_head),
                    }
                }
                assert!(!numbers.is_empty() || !logits.is_empty());
                for (found, expected) in [(&others.numbers, &numbers), (&others.logits, &logits)] {
                    assert_eq!(found.len(), expected.len(), "{}", graph.name);
                    let mut both = found.iter().zip(expected);
                    assert!(
                        both.all(|(a, b)| (a - b).abs() < 1e-9 * b.abs().max(1.0)),
                        "{}: {found:?}",
                        graph.name
                    );
                }
            }
        });
    }
}

/// A function in which all outputs count; overwrites `others` with their gradient.
fn objective(outputs: Outputs<f64>, others: &mut Others<f64>) -> (f64, Outputs<f64>) {
    let mut sum = outputs[0] * 1e-2 - outputs[1] + 0.4 * outputs[2];
    for (place, number) in others
        .numbers
        .iter_mut()
        .chain(&mut others.logits)
        .enumerate()
    {
        let factor = 0.3 + place as f64 * 0.1;
        sum += factor * *number + 0.05 * *number * *number;
        *number = factor + 0.1 * *number;
    }
    (sum, [1e-2, -1.0, 0.4])
}

/// The objective summed over all positions, and its gradient.
fn sum(
    network: &Network<f64>,
    net: &NetDesc<'_>,
    parameters: &Parameters<f64>,
) -> (f64, Parameters<f64>) {
    let (mut workspace, mut gradient, mut others) =
        (network.workspace(), network.zeros(), Others::default());
    let (mut all, listed) = (0.0, listed(network));
    for board in boards() {
        let rows = Rows::of(net, &board);
        let position = Position {
            listed: &listed,
            ..rows.position()
        };
        let outputs = network.forward_others(parameters, position, &mut workspace, &mut others);
        let (value, of_outputs) = objective(outputs, &mut others);
        all += value;
        network.backward_others(
            parameters,
            position,
            &mut workspace,
            (of_outputs, &others),
            &mut gradient,
        );
    }
    (all, gradient)
}

#[test]
fn gradients_of_other_outputs_are_finite_differences() {
    for graph in networks() {
        with(&graph, |net, network| {
            let parameters = random(&graph, network, 5);
            let (_, gradient) = sum(network, net, &parameters);
            for (tensor, numbers) in gradient.tensors.iter().enumerate() {
                let (mut random, mut compared, mut kinks) = (Random::new(9), 0, 0);
                let used: Vec<usize> = (0..numbers.len())
                    .filter(|&index| numbers[index] != 0.0)
                    .collect();
                let name = (&graph.name, &graph.tensors[tensor].name);
                assert!(!used.is_empty(), "{name:?} has no gradient");
                let largest = numbers
                    .iter()
                    .fold(0.0_f64, |most, number| most.max(number.abs()));
                let center = sum(network, net, &parameters).0;
                for _ in 0..12 {
                    let index = used[random.below(used.len())];
                    let [right, left] = [1e-6, -1e-6].map(|h| {
                        let mut moved = parameters.clone();
                        moved.tensors[tensor][index] += h;
                        (sum(network, net, &moved).0 - center) / h
                    });
                    if (right - left).abs() > 1e-3 * largest {
                        kinks += 1;
                        continue;
                    }
                    let quotient = (right + left) / 2.0;
                    assert!(
                        (numbers[index] - quotient).abs() < 1e-5 * largest,
                        "{name:?}: {} {quotient}",
                        numbers[index]
                    );
                    compared += 1;
                }
                assert!(
                    compared > kinks,
                    "{name:?}: {compared} compared, {kinks} are at a kink"
                );
            }
        });
    }
}

#[test]
fn only_listed_rows_have_a_gradient() {
    for graph in networks() {
        with(&graph, |net, network| {
            let Some(head) = net.heads.iter().find(|head| head.kind == HeadKind::Rows) else {
                return;
            };
            let nnue_spec::HeadSource::Layer(layer) = head.source else {
                panic!("rows are of a layer")
            };
            let weight = net
                .tensors
                .iter()
                .position(|tensor| tensor.role == nnue_spec::TensorRole::LayerWeight(layer));
            let (_, gradient) = sum(network, net, &random(&graph, network, 5));
            let (weight, listed) = (weight.expect("it has weights"), listed(network));
            for (row, numbers) in gradient.tensors[weight]
                .chunks(net.tensors[weight].cols)
                .enumerate()
            {
                let has_gradient = numbers.iter().any(|number| *number != 0.0);
                assert!(
                    !has_gradient || listed.contains(&((row % head.len) as u32)),
                    "{}: row {row}",
                    graph.name
                );
            }
        });
    }
}

/// `size` positions, with and without policy targets.
pub(crate) fn batch(net: &NetDesc<'_>, network: &Network<f64>, size: usize) -> Batch {
    let mut batch = Batch::new(net.accumulator.perspectives);
    for (number, board) in boards().iter().enumerate().cycle().take(size) {
        let rows = Rows::of(net, board);
        let position = rows.position();
        let number = number as f32;
        let target = Target {
            stack: position.stack as u16,
            score: 100.0 * number,
            result: number % 3.0 / 2.0,
            ply: 1,
            weight: 1.0,
        };
        batch.push(&position.rows[..net.accumulator.perspectives], target);
        if number < 9.0 {
            batch.push_left(7 * number as u32);
        }
        if network.rows() > 0 && number < 3.0 {
            let moves: Vec<u32> = (0..20).map(|at| at * 3 + number as u32).collect();
            let shares: Vec<f32> = (0..20)
                .map(|at| [0.0, 0.75, 0.25][(at == 4) as usize + 2 * (at == 9) as usize])
                .collect();
            batch.push_moves(&moves, &shares);
        }
    }
    batch
}

pub(crate) fn everything(network: &Network<f64>) -> Objective {
    let shall = |is_wdl| {
        if is_wdl {
            Shall::Outcomes
        } else {
            Shall::MovesLeft { scale: 3.0 }
        }
    };
    let named = network.meaning().named.iter().map(|output| NamedLoss {
        weight: 0.3,
        target: shall(output.is_wdl),
    });
    Objective {
        named: named.collect(),
        policy: 0.7,
        ..Loss::bullet(400.0).into()
    }
}

#[test]
fn gradients_of_batches_with_all_outputs_are_finite_differences() {
    for graph in networks_of_batches() {
        with(&graph, |net, network| {
            let (parameters, batch, objective) = (
                random(&graph, network, 3),
                batch(net, network, 13),
                everything(network),
            );
            let mut gradient = Gradient::new(network, NonZeroUsize::new(2).expect("not 0"));
            gradient.compute(network, &parameters, &batch, &objective);
            let found = gradient.parameters().clone();
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
                let mut moved = parameters.clone();
                for (tensor, direction) in moved.tensors.iter_mut().zip(&direction.tensors) {
                    tensor
                        .iter_mut()
                        .zip(direction)
                        .for_each(|(number, direction)| *number += h * direction);
                }
                gradient.compute(network, &moved, &batch, &objective)
            });
            let quotient = (right - left) / 2e-8;
            assert!(
                (slope - quotient).abs() < 1e-4 * slope.abs().max(0.1),
                "{}: {slope}, not {quotient}",
                graph.name
            );
        });
    }
}

#[test]
fn policies_learn_the_moves_that_are_played_and_keep_them_in_whole_numbers() {
    for graph in networks_of_batches()
        .filter(|graph| graph.heads.iter().any(|head| head.kind == HeadKind::Rows))
    {
        with(&graph, |net, double| {
            let network = Network::<f32>::new(&graph).expect("all activations are known");
            let (batch, objective, limits) = (
                batch(net, double, 13),
                everything(double),
                Limits::of(&graph),
            );
            let mut parameters = random(&graph, double, 3).convert::<f32>();
            let mut gradient = Gradient::new(&network, NonZeroUsize::MIN);
            let mut adam = Adam::new(network.zeros());
            for _ in 0..200 {
                gradient.compute(&network, &parameters, &batch, &objective);
                adam.step(
                    1e-2,
                    &mut parameters,
                    gradient.parameters(),
                    NonZeroUsize::MIN,
                );
                limits.apply(&mut parameters);
            }
            let quantized = Quantized::new(net, &parameters)
                .unwrap_or_else(|error| panic!("{}: {error}", graph.name));
            for index in 0..3 {
                let rows = [0, 1].map(|side| {
                    if side < batch.perspectives() {
                        batch.rows(index, side)
                    } else {
                        &[]
                    }
                });
                let (listed, _) = batch.moves(index);
                let position = Position {
                    rows,
                    stack: batch.stacks()[index].into(),
                    listed,
                };
                let logits = quantized.evaluate(position).others.logits;
                let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
                assert_eq!(best, Some(4), "{}: {logits:?}", graph.name);
            }
        });
    }
}

/// The loss and slope of an output with the remaining moves as target; both are zero if these are unknown.
#[test]
fn moves_that_are_left_are_half_the_plies() {
    let text = "struct Left { acc = accumulate(Chess768[mirrored], 64) x 2; let x = crelu(acc); output value = affine(x, 1); \
        output moves_left = affine(x, 1); format raw }";
    let graph = nnue_codegen::graph_text(text)
        .expect("it compiles")
        .remove(0);
    with(&graph, |_, network| {
        let named = vec![NamedLoss {
            weight: 0.5,
            target: Shall::MovesLeft { scale: 10.0 },
        }];
        let objective = Objective {
            named,
            value: 0.0,
            ..Loss::bullet(400.0).into()
        };
        let example = Example {
            score: 0.0,
            result: 0.5,
        };
        for (left, loss, slope) in [(Some(80), 0.5 * 9.0, 0.5 * -6.0), (None, 0.0, 0.0)] {
            let mut others = Others {
                numbers: vec![1.0],
                ..Others::default()
            };
            let wanted = Wanted {
                example,
                shares: &[],
                left,
            };
            let found = objective.of(network.meaning(), ([0.0; 3], &mut others), wanted, 1.0);
            assert_eq!((found.0, others.numbers[0]), (loss, slope), "{left:?}");
        }
    });
}
