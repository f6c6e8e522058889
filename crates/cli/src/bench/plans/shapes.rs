//! Measures synthetic layers: widths, outputs and shares of nonzero inputs.

use crate::progress::Progress;
use fastrand::Rng;
use nnue::AvailableLevel;
use nnue_runtime::form::{Form, Shape, choose};

use super::candidates::{Measured, Meter, Subject};
use crate::error::Error;

/// Inputs, outputs, and percent of nonzero inputs.
const WIDTHS: [usize; 8] = [32, 64, 128, 256, 512, 1024, 2048, 4096];
const OUTPUTS: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const DENSITIES: [usize; 7] = [1, 5, 10, 25, 50, 75, 100];

/// Number of different inputs, so that branch prediction cannot learn one.
const INPUTS: usize = 8;

const GREATEST: u8 = 127;

/// A shape, and the time of each form.
pub(super) struct Point {
    pub(super) shape: Shape,
    pub(super) chosen: Form,
    pub(super) measured: Measured,
    /// second measurement of the chosen form
    pub(super) again: f64,
}

impl Point {
    /// The fastest form.
    pub(super) fn best(&self) -> Form {
        let times = Form::ALL.into_iter().zip(self.measured);
        times
            .min_by(|(_, a), (_, b)| a.total_cmp(b))
            .map_or(self.chosen, |(form, _)| form)
    }

    fn time(&self, form: Form) -> f64 {
        self.measured[Form::ALL
            .iter()
            .position(|&known| known == form)
            .unwrap_or(0)]
    }

    /// Time of the chosen form relative to the fastest one.
    pub(super) fn ratio(&self) -> f64 {
        self.time(self.chosen) / self.time(self.best())
    }

    /// Ratio between two measurements of the chosen form: smaller ratios mean nothing.
    pub(super) fn noise(&self) -> f64 {
        let time = self.time(self.chosen);
        time.max(self.again) / time.min(self.again)
    }
}

/// Measures all shapes.
pub(super) fn measure(meter: Meter, level: AvailableLevel) -> Result<Vec<Point>, Error> {
    let progress = Progress::new(
        "measurement",
        (WIDTHS.len() * OUTPUTS.len() * DENSITIES.len()) as u64,
    );
    let mut points = Vec::new();
    for (width, outputs) in WIDTHS
        .into_iter()
        .flat_map(|width| OUTPUTS.map(|outputs| (width, outputs)))
    {
        for density in DENSITIES {
            let subject = subject(width, outputs, density);
            let shape = subject.shape();
            let chosen = choose(level.level(), shape);
            let (measured, again) = subject.measure_twice(meter, level, chosen)?;
            points.push(Point {
                shape,
                chosen,
                measured,
                again,
            });
            progress.step();
        }
    }
    Ok(points)
}

/// Random weights, and inputs with `density` percent nonzero values.
fn subject(width: usize, outputs: usize, density: usize) -> Subject {
    let mut random = Rng::with_seed(1);
    let weights = (0..width * outputs).map(|_| random.i8(-50..50)).collect();
    let mut input = || {
        if random.usize(..100) < density {
            random.u8(1..=GREATEST)
        } else {
            0
        }
    };
    let inputs = (0..INPUTS)
        .map(|_| (0..width).map(|_| input()).collect())
        .collect();
    Subject {
        name: format!("a layer {width} -> {outputs}"),
        weights,
        bias: vec![0; outputs],
        greatest: GREATEST,
        inputs,
    }
}
