//! Differences between the quantised network and its floats.

use crate::progress::Progress;
use nnue_format::Tensors;
use nnue_spec::NetDesc;
use nnue_spec::reference::{Clipping, Position, evaluate_parts, trace_real};

use crate::error::Error;
use crate::input::Sample;

#[derive(Clone, Debug)]
pub(super) struct Drift {
    pub(super) positions: usize,
    pub(super) mean: f64,
    /// mean absolute value of the float network
    pub(super) mean_value: f64,
    /// the greatest difference: position, float value, quantised value
    pub(super) worst: Option<(String, f64, i32)>,
}

impl Drift {
    /// Evaluates both networks in each position, as a stream. `scaled` has the floats times their factors;
    /// `clipping` says which values of the float network are clipped.
    pub(super) fn of(
        net: &NetDesc<'_>,
        scaled: &[Vec<f64>],
        tensors: &Tensors,
        clipping: Clipping,
        positions: impl Iterator<Item = Result<Sample, Error>>,
        progress: &Progress,
    ) -> Result<Self, Error> {
        let tensors = tensors.refs();
        let mut drift = Self {
            positions: 0,
            mean: 0.0,
            mean_value: 0.0,
            worst: None,
        };
        let mut greatest = -1.0;
        for given in positions {
            let given = given?;
            let features = given.features(net);
            let exact = trace_real(net, scaled, &features, clipping).value;
            let parts = evaluate_parts(net, &tensors, &features);
            let found = net.value_of(
                parts.psqt,
                parts.output.positional(net.value),
                features.black_to_move,
            );
            let difference = (exact - f64::from(found)).abs();
            drift.positions += 1;
            drift.mean += difference;
            drift.mean_value += exact.abs();
            if difference > greatest {
                (greatest, drift.worst) = (difference, Some((given.text, exact, found)));
            }
            progress.step();
        }
        let positions = drift.positions.max(1) as f64;
        drift.mean /= positions;
        drift.mean_value /= positions;
        Ok(drift)
    }

    /// The greatest difference; 0 without positions.
    pub(super) fn greatest(&self) -> f64 {
        self.worst
            .as_ref()
            .map_or(0.0, |(_, exact, found)| (exact - f64::from(*found)).abs())
    }
}
