//! How far the network in whole numbers is from the one in floats.

use nnue_format::quantize::Quantized;
use nnue_spec::NetDesc;
use nnue_spec::reference::{evaluate, evaluate_real};

use crate::input::Given;
use crate::progress::Progress;

/// Differences of values, without sign.
pub(super) struct Drift {
    /// positions
    pub(super) positions: usize,
    /// mean difference
    pub(super) mean: f64,
    /// mean value of the network in floats, without sign
    pub(super) mean_value: f64,
    /// the greatest difference: the position, the value in floats, the value
    pub(super) worst: Option<(String, f64, i32)>,
}

impl Drift {
    /// Evaluates both networks.
    pub(super) fn of(net: &NetDesc<'_>, quantized: &Quantized, positions: &[Given]) -> Self {
        let tensors = quantized.tensors.refs();
        let mut progress = Progress::new("drift: position", positions.len());
        let mut drift = Self { positions: positions.len(), mean: 0.0, mean_value: 0.0, worst: None };
        let mut greatest = -1.0;
        for given in positions {
            let board = given.position.plain();
            let exact = evaluate_real(net, &quantized.scaled, &board);
            let found = evaluate(net, &tensors, &board).value;
            let difference = (exact - f64::from(found)).abs();
            drift.mean += difference / positions.len() as f64;
            drift.mean_value += exact.abs() / positions.len() as f64;
            if difference > greatest {
                (greatest, drift.worst) = (difference, Some((given.fen.clone(), exact, found)));
            }
            progress.step();
        }
        drift
    }
}
