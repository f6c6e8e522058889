//! Time of forward passes by width of the accumulator and density of its outputs.
//!
//! Feature weights are zero, so every accumulator equals the bias, which sets the number of nonzero blocks of
//! four inputs.

use std::iter::repeat_n;

use fastrand::Rng;
use nnue_spec::{NetDesc, TensorMut, TensorRole, reference};

use super::super::timer::{Times, per_operation};
use super::super::traffic::layer_bytes;
use super::series::{Point, Series};
use super::setting::Setting;
use crate::error::Error;
use crate::input::{Placement, START};
use crate::network::Known;

/// Networks with the same layers after accumulators of 128 to 3072 neurons.
const NETWORKS: [&str; 3] = ["sfnn_small", "sfnnv5", "sfnnv9"];

/// Percent of nonzero blocks.
const DENSITIES: [usize; 4] = [5, 25, 50, 100];

/// Number of accumulators and of rounds over them in one timed part.
const POSITIONS: usize = 8;
const ROUNDS: usize = 16;

/// Value of an active neuron: about half of 1.0.
const ACTIVE: i16 = 64;

/// Measures forward passes. The machine computes `products` per nanosecond.
pub(super) fn series(setting: &Setting, products: f64) -> Result<Series, Error> {
    let rows = NETWORKS.map(|name| row(setting, Known::by_name(name)?, products));
    Ok(Series {
        title: "layers".into(),
        amounts: ["pass", "neuron", "product"],
        head: "width",
        columns: DENSITIES
            .map(|density| format!("{density} % active"))
            .into(),
        rows: rows.into_iter().collect::<Result<_, _>>()?,
    })
}

fn row(setting: &Setting, known: Known, products: f64) -> Result<(String, Vec<Point>), Error> {
    let width = known.spec.accumulator.width;
    let board = Placement::parse(START).map_err(Error::Argument)?;
    let mut points = Vec::new();
    for density in DENSITIES {
        let network = known
            .filled(&mut |spec, tensors| fill(spec, tensors, density))
            .with_level(setting.level);
        let trace = reference::evaluate(known.spec, &network.tensors(), &board.plain());
        if network.evaluate(&board).evaluation.value != trace.value {
            let level = setting.level;
            return Err(Error::Mismatch(format!(
                "{level}: {} differs from the reference interpreter",
                known.name
            )));
        }
        let accumulated = network.accumulate(&mut repeat_n(&board, POSITIONS));
        let once = |_| {
            let time = setting
                .timer
                .time(|| (0..ROUNDS).for_each(|_| accumulated.forward_all()));
            Times {
                parts: vec![time],
                operations: POSITIONS * ROUNDS,
            }
        };
        let ns = per_operation(
            &(0..=setting.repetitions)
                .map(once)
                .skip(1)
                .collect::<Vec<_>>(),
        );
        // one byte per weight
        let count = layer_bytes(known.spec, &trace) as f64;
        points.push(Point {
            terms: [1.0, (2 * width) as f64, count],
            ns,
            least: count / products,
        });
    }
    Ok((width.to_string(), points))
}

/// Writes random weights, and a bias with `density` percent active blocks.
fn fill(spec: &NetDesc<'_>, tensors: Vec<TensorMut<'_>>, density: usize) {
    let mut random = Rng::with_seed(1);
    for (desc, tensor) in spec.tensors.iter().zip(tensors) {
        match (desc.role, tensor) {
            (TensorRole::TransformerBias, TensorMut::I16(bias)) => {
                // the two factors of a product are half an accumulator apart
                let (first, second) = bias.split_at_mut(spec.accumulator.width / 2);
                for (first, second) in first.chunks_mut(4).zip(second.chunks_mut(4)) {
                    let value = if random.usize(..100) < density {
                        ACTIVE
                    } else {
                        0
                    };
                    first.fill(value);
                    second.fill(value);
                }
            }
            (TensorRole::LayerWeight(_), TensorMut::I8(weights)) => {
                weights
                    .iter_mut()
                    .for_each(|weight| *weight = random.i8(-50..50));
            }
            _ => {}
        }
    }
}
