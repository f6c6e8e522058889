//! `taskset -c 1 cargo bench --bench mcts`: the shapes of networks of MCTS engines, against a plain loop and against what memory allows.
//!
//! ```text
//!   policy   3,072 x i8 -> 16,384   pairwise >> 2 as i16 -> 7,840 rows of i8, of which 30 are listed         32 rows are active
//!   subnets    768 x f32 -> 8, one for each square that a move leaves and one for each that it goes to     32 rows are active, 30 moves
//!   value   80,624 x i8 ->  8,192   pairwise as i16 -> 16 of i16 -> 128 -> 3 in floats                       102 rows are active
//! ```
//!
//! *Plain* is the loop that such engines have: row after row is added to the accumulator, everything is an iterator over arrays, and the
//! compiler makes vectors of it. Build it for this processor: `RUSTFLAGS="-C target-cpu=native"`; our kernels choose their level when they run.
//! *Replay* only reads a word of every cache line of the rows that a position needs. Before anything is timed, all sides agree in every bit.
//!
//! Positions are lists of rows drawn at random. *Apart*: a position has nothing in common with the one before it but by chance, and nearly
//! every row comes from far away. *Neighbours*: an eighth of the rows and of the moves is new, as from a node of a tree to the next.

mod networks;
mod plain;
mod positions;
mod replay;

use std::hint::black_box;
use std::time::Instant;

use nnue::subnets::{Numbers, Parameters, Workspace};
use nnue::{AccumulatorStack, Batch, Level, Network};

use networks::{FromToNetwork, Policy, Value};
use positions::Sample;

/// How much is measured.
#[derive(Clone, Copy)]
struct Effort {
    /// how often every side runs
    repetitions: usize,
    /// positions of a pass
    positions: usize,
}

/// Enough to measure.
const MEASURED: Effort = Effort {
    repetitions: 15,
    positions: 192,
};

/// Enough to test that everything works: without the argument `--bench`, which `cargo bench` passes.
const TESTED: Effort = Effort {
    repetitions: 1,
    positions: 12,
};

/// Positions that are evaluated on every level before anything is timed.
const CHECKED: usize = 16;

/// How many times longer the plain loop is to take, and how many times longer than the replay we may.
const AIMS: [f64; 2] = [2.0, 1.3];

fn main() {
    let (options, wanted): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|it| it.starts_with("--"));
    let effort = if options.iter().any(|option| option == "--bench") {
        MEASURED
    } else {
        TESTED
    };
    let [least, most] = AIMS;
    println!(
        "{} repetitions of {} positions; microseconds a position: medians",
        effort.repetitions, effort.positions
    );
    println!("aims: plain / best at least {least}, best / replay at most {most}\n");
    let is_wanted =
        |name: &str| wanted.is_empty() || wanted.iter().any(|text| name.contains(text.as_str()));
    if is_wanted("policy") {
        policy(effort);
    }
    if is_wanted("value") {
        value(effort);
    }
    if is_wanted("subnets") {
        subnets(effort);
    }
}

/// The sides of a comparison, in turn, and their medians in microseconds a position.
fn measure(effort: Effort, sides: &mut [(&str, &mut dyn FnMut())]) -> Vec<f64> {
    let mut times = vec![Vec::new(); sides.len()];
    for _ in 0..effort.repetitions {
        for ((_, side), times) in sides.iter_mut().zip(&mut times) {
            let start = Instant::now();
            side();
            times.push(start.elapsed().as_secs_f64() * 1e6 / effort.positions as f64);
        }
    }
    let median = |mut times: Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    times.into_iter().map(median).collect()
}

/// Prints the times of all sides: the plain loop, the replay, then ours.
fn report(what: &str, bytes: usize, sides: &[&str], times: &[f64]) {
    let best = times[2..].iter().copied().fold(f64::INFINITY, f64::min);
    println!("### {what}: {} KB of rows a position\n", bytes / 1024);
    println!("| {} | plain / best | best / replay |", sides.join(" | "));
    println!("|{}", "---|".repeat(sides.len() + 2));
    let times_text: Vec<String> = times.iter().map(|time| format!("{time:.1}")).collect();
    println!(
        "| {} | {:.2} | {:.2} |\n",
        times_text.join(" | "),
        times[0] / best,
        best / times[1]
    );
}

fn policy(effort: Effort) {
    let network: Network<Policy> = networks::random(1);
    let level = network.level();
    for (what, new) in [("apart", 1.0), ("neighbours", 0.125)] {
        let samples = positions::draw([3072, 32], [7840, 30], new, effort.positions);
        let rows: Vec<Vec<usize>> = samples.iter().map(|sample| sample.moves.clone()).collect();
        let expected: Vec<Vec<f32>> = samples
            .iter()
            .map(|sample| plain::policy(network.params(), sample))
            .collect();
        check_policy(&network, &samples, &expected);
        let (mut stack, mut batch) = (AccumulatorStack::new(), Batch::new());
        let (mut outputs, mut logits, mut own) = (Vec::new(), Vec::new(), [0.0; 30]);
        network.policy_batch::<(), _, _>(&samples, &rows, &mut outputs, &mut logits, &mut batch);
        assert_eq!(logits, expected.concat(), "a batch, {level}");
        let (params, bytes) = (network.params(), replay::policy_bytes(&samples[0]));
        let mut plain = || {
            for sample in &samples {
                black_box(plain::policy(params, sample));
            }
        };
        let mut read = || {
            samples
                .iter()
                .for_each(|sample| replay::policy(params, sample))
        };
        let mut single = || {
            for sample in &samples {
                stack.reset();
                black_box(network.policy::<(), _>(sample, &sample.moves, &mut stack, &mut own));
            }
        };
        let mut together = || {
            network.policy_batch::<(), _, _>(
                &samples,
                &rows,
                &mut outputs,
                &mut logits,
                &mut batch,
            );
            black_box(&logits);
        };
        let mut sides: [(&str, &mut dyn FnMut()); 4] = [
            ("plain", &mut plain),
            ("replay", &mut read),
            ("one by one", &mut single),
            ("batch", &mut together),
        ];
        let times = measure(effort, &mut sides);
        report(
            &format!("policy, {what}, {level}"),
            bytes,
            &sides.each_ref().map(|(name, _)| *name),
            &times,
        );
    }
}

/// One position after the other, on every level.
fn check_policy(network: &Network<Policy>, samples: &[Sample], expected: &[Vec<f32>]) {
    let mut network = Network::<Policy>::from_params(network.params().clone());
    for level in Level::available() {
        network = network.with_level(level);
        let mut stack = AccumulatorStack::new();
        for (sample, expected) in samples.iter().zip(expected).take(CHECKED) {
            stack.reset();
            let mut logits = vec![0.0; sample.moves.len()];
            let (_, ()) = network.policy(sample, &sample.moves, &mut stack, &mut logits);
            assert_eq!(logits, *expected, "{level}");
        }
    }
}

fn value(effort: Effort) {
    let network: Network<Value> = networks::random(2);
    let (level, layers) = (network.level(), plain::Layers::new(network.params()));
    for (what, new) in [("apart", 1.0), ("neighbours", 0.125)] {
        let samples = positions::draw([80_624, 102], [1, 0], new, effort.positions);
        let expected: Vec<[f32; 3]> = samples
            .iter()
            .map(|sample| plain::value(network.params(), &layers, sample))
            .collect();
        let (mut stack, mut batch) = (AccumulatorStack::new(), Batch::new());
        let mut values = vec![network.evaluate_fresh(&samples[0]); effort.positions];
        network.evaluate_batch(&samples, &mut values, &mut batch);
        for ((sample, expected), value) in samples.iter().zip(&expected).zip(&values) {
            stack.reset();
            assert_eq!(
                network.output(sample, &mut stack).logits(),
                *expected,
                "{level}"
            );
            stack.reset();
            assert_eq!(
                network.evaluate(sample, &mut stack),
                *value,
                "a batch, {level}"
            );
        }
        let (params, bytes) = (network.params(), replay::value_bytes(&samples[0]));
        let mut plain = || {
            for sample in &samples {
                black_box(plain::value(params, &layers, sample));
            }
        };
        let mut read = || {
            samples
                .iter()
                .for_each(|sample| replay::value(params, sample))
        };
        let mut single = || {
            for sample in &samples {
                stack.reset();
                black_box(network.evaluate(sample, &mut stack));
            }
        };
        let mut together = || network.evaluate_batch(&samples, &mut values, &mut batch);
        let mut sides: [(&str, &mut dyn FnMut()); 4] = [
            ("plain", &mut plain),
            ("replay", &mut read),
            ("one by one", &mut single),
            ("batch", &mut together),
        ];
        let times = measure(effort, &mut sides);
        report(
            &format!("value, {what}, {level}"),
            bytes,
            &sides.each_ref().map(|(name, _)| *name),
            &times,
        );
    }
}

fn subnets(effort: Effort) {
    type Move = nnue::subnets::Move<1>;
    let network = FromToNetwork::random(3);
    let Parameters { numbers, terms } = network.parameters();
    let Numbers::Floats(numbers) = numbers else {
        unreachable!("subnets of floats");
    };
    let mut samples = positions::draw([768, 32], [64 * 64, 30], 0.125, effort.positions);
    // Both sides add rows in this order.
    samples
        .iter_mut()
        .for_each(|sample| sample.rows.sort_unstable());
    let of = |mv: &usize| Move::of([[(mv / 64) as u16, (mv % 64) as u16]]).plus(0);
    let moves: Vec<Vec<Move>> = samples
        .iter()
        .map(|sample| sample.moves.iter().map(of).collect())
        .collect();
    let (mut logits, mut workspace) = (vec![0.0; 30], Workspace::new());
    for (sample, moves) in samples.iter().zip(&moves) {
        network.policy_with(sample, moves, &mut logits, &mut workspace);
        assert_eq!(logits, plain::subnets(numbers, terms, sample), "subnets");
    }
    let mut plain = || {
        for sample in &samples {
            black_box(plain::subnets(numbers, terms, sample));
        }
    };
    let mut ours = || {
        for (sample, moves) in samples.iter().zip(&moves) {
            network.policy_with(sample, moves, &mut logits, &mut workspace);
            black_box(&logits);
        }
    };
    let mut sides: [(&str, &mut dyn FnMut()); 2] = [("plain", &mut plain), ("ours", &mut ours)];
    let times = measure(effort, &mut sides);
    let [plain, ours] = times[..] else {
        unreachable!("two sides");
    };
    println!("### subnets, neighbours, {}\n", network.level());
    println!("| plain | one by one | plain / one by one |\n|---|---|---|");
    println!("| {plain:.2} | {ours:.2} | {:.2} |\n", plain / ours);
}
