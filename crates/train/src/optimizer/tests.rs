//! Compares every optimiser with the closed form of its recurrences in `f64`.

use std::num::NonZeroUsize;

use nnue_codegen::graph_text;

use super::*;
use crate::initial::{self, Rule};
use crate::network::Tensor;

const RATES: [f64; 12] = [
    0.1, 0.1, 0.09, 0.08, 0.07, 0.06, 0.05, 0.05, 0.05, 0.04, 0.03, 0.02,
];

fn gradients(parameter: usize) -> Vec<f64> {
    (0..RATES.len())
        .map(|t| ((t * 7 + parameter * 5) as f64).sin() + 0.2 * parameter as f64)
        .collect()
}

const COUNT: usize = 5;

const THREADS: NonZeroUsize = NonZeroUsize::MIN;

fn parameters(of: impl Fn(usize) -> f64) -> Parameters<f32> {
    let tensor = |range: std::ops::Range<usize>| range.map(|index| of(index) as f32).collect();
    Parameters {
        tensors: vec![tensor(0..2), tensor(2..COUNT)],
    }
}

fn start(parameter: usize) -> f64 {
    0.5 - 0.3 * parameter as f64
}

/// Runs all steps and compares each parameter after each step with `expected(parameter, steps)`.
fn assert_follows(mut optimizer: impl Optimizer, expected: impl Fn(usize, usize) -> f64) {
    let mut held = parameters(start);
    for (step, rate) in RATES.into_iter().enumerate() {
        optimizer.step(
            rate,
            &mut held,
            &parameters(|parameter| gradients(parameter)[step]),
            THREADS,
        );
        for (parameter, &found) in held.tensors.iter().flatten().enumerate() {
            let expected = expected(parameter, step + 1);
            assert!(
                (f64::from(found) - expected).abs() < 2e-6,
                "{parameter} after {}: {found}, {expected}",
                step + 1
            );
        }
    }
}

fn zeros() -> Parameters<f32> {
    parameters(|_| 0.0)
}

/// `(1 - beta) * sum of beta^(t - i) * x_i`: the running mean of the first t numbers.
fn mean(beta: f64, t: usize, x: impl Fn(usize) -> f64) -> f64 {
    (1.0 - beta)
        * (1..=t)
            .map(|i| beta.powi((t - i) as i32) * x(i))
            .sum::<f64>()
}

/// A parameter after `steps` steps of `rate * direction(t)` with weight decay.
fn after(parameter: usize, steps: usize, decay: f64, direction: impl Fn(usize) -> f64) -> f64 {
    (1..=steps).fold(start(parameter), |w, t| {
        w * (1.0 - RATES[t - 1] * decay) - RATES[t - 1] * direction(t)
    })
}

#[test]
fn momentum_is_the_sum_of_all_gradients_that_fade() {
    for momentum in [0.0, 0.9] {
        assert_follows(Sgd::new(momentum, zeros()), |parameter, steps| {
            let g = gradients(parameter);
            let direction = |t: usize| {
                (1..=t)
                    .map(|i| momentum.powi((t - i) as i32) * g[i - 1])
                    .sum()
            };
            after(parameter, steps, 0.0, direction)
        });
    }
}

#[test]
fn adam_divides_the_mean_by_the_size() {
    let mut with_decay = Adam::new(zeros());
    (with_decay.decay, with_decay.epsilon) = (0.3, 1e-3);
    for adam in [Adam::new(zeros()), with_decay, Adam::bullet(zeros())] {
        let Adam {
            corrected,
            decay,
            epsilon,
            ..
        } = adam;
        assert_follows(adam, |parameter, steps| {
            let g = gradients(parameter);
            let direction = |t: usize| {
                let correction = |beta: f64| {
                    if corrected {
                        1.0 - beta.powi(t as i32)
                    } else {
                        1.0
                    }
                };
                let m = mean(0.9, t, |i| g[i - 1]) / correction(0.9);
                let v = mean(0.999, t, |i| g[i - 1] * g[i - 1]) / correction(0.999);
                m / (v.sqrt() + epsilon)
            };
            after(parameter, steps, decay, direction)
        });
    }
}

#[test]
fn the_first_steps_are_those_computed_by_hand() {
    let gradient = parameters(|_| -4.0);
    let first = |mut optimizer: Box<dyn Optimizer>| {
        let mut held = zeros();
        optimizer.step(0.01, &mut held, &gradient, THREADS);
        f64::from(held.tensors[1][0])
    };
    let found = [
        first(Box::new(Sgd::new(0.9, zeros()))),
        first(Box::new(Adam::new(zeros()))),
        first(Box::new(Adam::bullet(zeros()))),
        first(Box::new(RAdam::new(zeros()))),
        first(Box::new(PositiveNegative::new(zeros()))),
    ];
    // rate * 4; the rate; rate * 0.4 / sqrt(0.016); rate * 4; rate * 2 * (1 - 0.81) * 4 / sqrt(5) / 0.1 / 4
    let expected = [
        0.04,
        0.01,
        0.01 * 0.4 / 0.016_f64.sqrt(),
        0.04,
        0.01 * 3.8 / 5.0_f64.sqrt(),
    ];
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{found}, {expected}");
    }
}

#[test]
fn rectified_adam_trusts_the_size_from_the_sixth_step_on() {
    let mut radam = RAdam::new(zeros());
    (radam.decay, radam.epsilon) = (0.1, 1e-4);
    assert_follows(radam, |parameter, steps| {
        let g = gradients(parameter);
        let direction = |t: usize| {
            let (b2, n) = (0.999_f64, 1999.0);
            let power = b2.powi(t as i32);
            let n_t = n - 2.0 * t as f64 * power / (1.0 - power);
            assert_eq!(n_t > 5.0, t >= 6);
            let m = mean(0.9, t, |i| g[i - 1]) / (1.0 - 0.9_f64.powi(t as i32));
            let v = mean(b2, t, |i| g[i - 1] * g[i - 1]);
            let r = (((n_t - 4.0) * (n_t - 2.0) * n) / ((n - 4.0) * (n - 2.0) * n_t)).sqrt();
            if t >= 6 {
                r * m * (1.0 - power).sqrt() / (v.sqrt() + 1e-4)
            } else {
                m
            }
        };
        after(parameter, steps, 0.1, direction)
    });
}

#[test]
fn two_means_take_turns() {
    assert_follows(PositiveNegative::new(zeros()), |parameter, steps| {
        let g = gradients(parameter);
        let direction = |t: usize| {
            // The gradients of odd steps if t is odd, else those of even steps.
            let of_turn = |t: usize| mean(0.81, t.div_ceil(2), |i| g[2 * i - t % 2 - 1]);
            let v = mean(0.999, t, |i| g[i - 1] * g[i - 1]) / (1.0 - 0.999_f64.powi(t as i32));
            let [new, old] = [of_turn(t), of_turn(t - 1)];
            (2.0 * new - old) / 5.0_f64.sqrt() / (1.0 - 0.9_f64.powi(t as i32)) / (v.sqrt() + 1e-7)
        };
        after(parameter, steps, 0.0, direction)
    });
}

#[test]
fn slow_weights_follow() {
    for (start_of_slow, from) in [(SlowStart::Weights, 1.0), (SlowStart::Zero, 0.0)] {
        let lookahead = Lookahead::new(Sgd::new(0.0, zeros()), 5, 0.5, start_of_slow);
        assert_follows(lookahead, |parameter, steps| {
            let g = gradients(parameter);
            let (mut w, mut slow) = (start(parameter), from * start(parameter));
            for t in 1..=steps {
                w -= RATES[t - 1] * g[t - 1];
                if t == 5 || t == 10 {
                    slow = (slow + w) / 2.0;
                    w = slow;
                }
            }
            w
        });
    }
}

#[test]
fn an_optimizer_goes_on_from_what_another_remembers() {
    let zero = || Lookahead::new(Sgd::new(0.9, zeros()), 5, 0.5, SlowStart::Zero);
    let makers: [&dyn Fn() -> Box<dyn Optimizer>; 5] = [
        &|| Box::new(Sgd::new(0.9, zeros())),
        &|| Box::new(Adam::new(zeros())),
        &|| {
            Box::new(Lookahead::new(
                RAdam::new(zeros()),
                6,
                0.5,
                SlowStart::Weights,
            ))
        },
        &|| Box::new(PositiveNegative::new(zeros())),
        &|| Box::new(zero()),
    ];
    for make in makers {
        let run = |optimizer: &mut Box<dyn Optimizer>,
                   held: &mut Parameters<f32>,
                   steps: std::ops::Range<usize>| {
            for step in steps {
                optimizer.step(
                    RATES[step],
                    held,
                    &parameters(|parameter| gradients(parameter)[step]),
                    THREADS,
                );
            }
        };
        let (mut whole, mut undisturbed) = (make(), parameters(start));
        run(&mut whole, &mut undisturbed, 0..RATES.len());
        let (mut first, mut second, mut held) = (make(), make(), parameters(start));
        run(&mut first, &mut held, 0..7);
        let (from, to) = (first.remembered(), second.remembered());
        from.steps
            .into_iter()
            .zip(to.steps)
            .for_each(|(from, to)| *to = *from);
        from.numbers
            .into_iter()
            .zip(to.numbers)
            .for_each(|(from, to)| to.clone_from(from));
        run(&mut second, &mut held, 7..RATES.len());
        assert_eq!(held, undisturbed);
    }
}

#[test]
fn slow_weights_are_kept_between() {
    let mut lookahead = Lookahead::new(Sgd::new(0.0, zeros()), 2, 0.5, SlowStart::Weights);
    assert!(lookahead.slow().is_none());
    let mut held = parameters(|_| 1.0);
    let mut slow = Vec::new();
    for _ in 0..3 {
        lookahead.step(1.0, &mut held, &parameters(|_| 0.25), THREADS);
        slow.push(lookahead.slow().expect("after a step").tensors[0][0]);
    }
    assert_eq!((slow, held.tensors[0][0]), (vec![1.0, 0.75, 0.75], 0.5));
}

#[test]
fn long_gradients_are_shortened() {
    let mut gradient = Parameters {
        tensors: vec![vec![3.0, 0.0].into(), vec![-4.0].into()],
    };
    assert_eq!(clip_norm(&mut gradient, 6.0), 5.0);
    assert_eq!(
        gradient.tensors,
        [vec![3.0, 0.0], vec![-4.0]].map(Tensor::from)
    );
    assert_eq!(clip_norm(&mut gradient, 2.5), 5.0);
    assert_eq!(
        gradient.tensors,
        [vec![1.5, 0.0], vec![-2.0]].map(Tensor::from)
    );
}

#[test]
fn limits_are_what_the_types_hold() {
    let source =
        "pub struct Net = Chess768[..] -> 32x2 @ 255 pairwise -> (16: i8 @ 64 screlu -> 1: f32)x2;";
    let graph = &graph_text(source).unwrap_or_else(|errors| panic!("{}", errors[0].message))[0];
    let limits = Limits::of(graph);
    let named = |name: &str| {
        limits.greatest[graph
            .tensors
            .iter()
            .position(|tensor| tensor.name == name)
            .expect("declared")]
    };
    assert_eq!(
        (named("ft_weight"), named("fc0_weight")),
        (Some(below_of(32_767.0 / 255.0)), Some(127.0 / 64.0))
    );
    assert_eq!((named("fc0_bias"), named("fc1_weight")), (None, None));
    let mut held = Parameters {
        tensors: limits
            .greatest
            .iter()
            .map(|_| vec![-500.0, 0.25, 500.0].into())
            .collect(),
    };
    limits.apply(&mut held);
    for (tensor, limit) in held.tensors.iter().zip(limits.greatest) {
        let limit = limit.unwrap_or(500.0);
        assert_eq!(tensor[..], [-limit, 0.25, limit]);
    }
}

/// Outputs 0 to 3 read inputs 0 to 23, outputs 4 to 7 inputs 0 to 15 and 24 to 31, in both stacks.
#[test]
fn weights_that_no_output_uses_stay_zero() {
    let source = "pub struct Net = Chess768[..] -> 32 -> (8 shards 2 of 8 -> 1)x2;";
    let graph = &graph_text(source).unwrap_or_else(|errors| panic!("{}", errors[0].message))[0];
    let (limits, mut held) = (Limits::of(graph), initial::draw(graph, Rule::Uniform, 1));
    let tensor = limits.unused[0].tensor;
    let used = |weights: &[f32]| -> Vec<Vec<usize>> {
        let of_row = |row: &[f32]| (0..32).filter(|&input| row[input] != 0.0).collect();
        weights.chunks(32).map(of_row).collect()
    };
    let first: Vec<usize> = (0..24).collect();
    let second: Vec<usize> = (0..16).chain(24..32).collect();
    let of_stack = [vec![first; 4], vec![second; 4]].concat();
    let expected = [of_stack.clone(), of_stack].concat();
    assert_eq!(used(&held.tensors[tensor]), expected);
    held.tensors[tensor].fill(0.5);
    limits.apply(&mut held);
    assert_eq!(used(&held.tensors[tensor]), expected);
}

/// Each input keeps the blocks with its greatest weights, separately for each stack, after clipping to the
/// type.
#[test]
fn inputs_keep_the_blocks_in_which_their_weights_are_greatest() {
    let source = "pub struct Net = Chess768[..] -> 32 -> (64 blocks 2 of 16 -> 1)x2;";
    let graph = &graph_text(source).unwrap_or_else(|errors| panic!("{}", errors[0].message))[0];
    let (limits, mut held) = (Limits::of(graph), initial::draw(graph, Rule::Uniform, 1));
    let (blocks, columns) = (limits.blocks[0], 32);
    assert_eq!(
        (limits.blocks.len(), blocks.columns, blocks.reached),
        (1, columns, 2)
    );
    let reached = |weights: &[f32], input: usize| -> Vec<usize> {
        let of_block =
            |block: &usize| (0..16).any(|row| weights[(16 * block + row) * columns + input] != 0.0);
        (0..4).filter(of_block).collect()
    };
    assert!((0..columns).all(|input| reached(&held.tensors[blocks.tensor], input).len() == 2));
    let weights = &mut held.tensors[blocks.tensor];
    for (output, row) in weights.chunks_mut(columns).enumerate() {
        // Input 7 in blocks 0 to 3: 0.1, 0.4, 0.3, 0.2 in the first stack; 5, 0, 0, -6 in the second, clipped
        // to 1.98.
        row[7] = [0.1, 0.4, 0.3, 0.2, 5.0, 0.0, 0.0, -6.0][output / 16];
        row[8] = [1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.5, 0.0][output / 16];
    }
    limits.apply(&mut held);
    let (first, second) = held.tensors[blocks.tensor].split_at(64 * columns);
    assert_eq!(
        (reached(first, 7), reached(second, 7)),
        (vec![1, 2], vec![0, 3])
    );
    assert_eq!(
        (reached(first, 8), reached(second, 8)),
        (vec![0, 1], vec![2])
    );
    assert_eq!(
        (first[16 * columns + 7], second[7], second[48 * columns + 7]),
        (0.4, 127.0 / 64.0, -127.0 / 64.0)
    );
    let before = held.clone();
    limits.apply(&mut held);
    assert_eq!(held.tensors, before.tensors);
}

/// A number as a 32-bit float, rounded towards zero.
fn below_of(number: f64) -> f32 {
    let nearest = number as f32;
    if f64::from(nearest) <= number {
        nearest
    } else {
        f32::from_bits(nearest.to_bits() - 1)
    }
}
