//! Time of accumulator passes by width, number of rows and their place in memory.

use fastrand::Rng;
use nnue::{AvailableLevel, Level};
use nnue_runtime::kernel::rows::{self, Side, Sums, SumsMut};
use nnue_runtime::kernel::weights::{PieceWeights, Weights};
use nnue_runtime::memory::Tensor;
use nnue_runtime::{Frame, RowChanges};

use super::super::timer::{Times, per_operation};
use super::series::{Point, Series};
use super::setting::Setting;
use super::tensors::{Pairs, Pieces, Place, WIDTHS};
use crate::error::Error;

/// Changed piece rows: a move, castling, refreshes of an endgame and of a full board.
pub(super) const PIECES: [[usize; 2]; 5] = [[2, 0], [4, 0], [8, 0], [16, 0], [32, 0]];

/// Changed pair rows, beside two piece rows.
pub(super) const PAIRS: [[usize; 2]; 4] = [[2, 4], [2, 8], [2, 16], [2, 32]];

/// Passes in one timed part, each with its own rows.
pub(super) const PASSES: usize = 64;

/// Runs with their own rows; further runs reuse these from the first one on.
const OWN: usize = 63;

/// Passes that are checked before measuring.
const CHECKED: usize = 4;

pub(super) struct Memory<'a> {
    pieces: &'a Pieces,
    /// `None`: the network has no pairs
    pairs: Option<&'a Pairs>,
    /// empty but aligned tensor for networks without pairs
    no_pairs: Tensor<[i8; 64], 0>,
    bias: Tensor<[i16; 4096], 1>,
    accumulators: [Tensor<[i16; 4096], 1>; 2],
}

impl<'a> Memory<'a> {
    pub(super) fn new(pieces: &'a Pieces, pairs: Option<&'a Pairs>) -> Self {
        let accumulators = [Tensor::zeroed(), Tensor::zeroed()];
        Self {
            pieces,
            pairs,
            no_pairs: Tensor::zeroed(),
            bias: Tensor::zeroed(),
            accumulators,
        }
    }

    /// Draws the piece and pair rows of [`PASSES`] passes.
    pub(super) fn draw(
        &self,
        width: usize,
        [pieces, pairs]: [usize; 2],
        random: &mut Rng,
    ) -> Vec<[Vec<u32>; 2]> {
        let mut list = || {
            let pairs = self
                .pairs
                .map_or_else(Vec::new, |rows| rows.draw(width, pairs, random));
            [self.pieces.draw(width, pieces, random), pairs]
        };
        (0..PASSES).map(|_| list()).collect()
    }

    /// Computes each accumulator from the one before. Half of its rows are added, half subtracted.
    pub(super) fn run(&mut self, level: AvailableLevel, width: usize, lists: &[[Vec<u32>; 2]]) {
        let weight = self.pieces.values();
        let pair_weight = self.pairs.map_or(self.no_pairs.flat(), Pairs::values);
        let weights = Weights {
            bias: &self.bias.flat()[..width],
            rows: weight.len() / width,
            pieces: PieceWeights::Words(&weight[..weight.len() / width * width]),
            psqt: &[],
            pair_rows: pair_weight.len() / width,
            pair_weight: &pair_weight[..pair_weight.len() / width * width],
            pair_psqt: &[],
        };
        let [source, target] = &mut self.accumulators;
        for [pieces, pairs] in lists {
            let (added, removed) = pieces.split_at(pieces.len() / 2);
            let (pairs_added, pairs_removed) = pairs.split_at(pairs.len() / 2);
            let frame = Frame::Step {
                source: Sums {
                    values: &source.flat()[..width],
                    psqt: &[],
                },
                target: SumsMut {
                    values: &mut target.flat_mut()[..width],
                    psqt: &mut [],
                },
            };
            let rows = RowChanges {
                added,
                removed,
                pairs_added,
                pairs_removed,
            };
            rows::pass(level, &weights, &mut [Side { frame, rows }]);
            std::mem::swap(source, target);
        }
    }

    /// Whether the first passes equal those of level `scalar`.
    fn is_right(&mut self, level: AvailableLevel, width: usize, lists: &[[Vec<u32>; 2]]) -> bool {
        let mut after = |level| {
            self.accumulators
                .iter_mut()
                .for_each(|accumulator| accumulator.flat_mut().fill(0));
            self.run(level, width, &lists[..CHECKED]);
            self.accumulators[0].flat()[..width].to_vec()
        };
        Level::Scalar
            .check()
            .is_ok_and(|scalar| after(level) == after(scalar))
    }
}

/// Measures passes for every width and each of `amounts` (piece rows, pair rows). The machine reads `speed`
/// bytes of rows and `nearest` bytes of accumulators per nanosecond.
pub(super) fn series(
    setting: &Setting,
    place: Place,
    mut memory: Memory<'_>,
    amounts: &[[usize; 2]],
    [speed, nearest]: [f64; 2],
) -> Result<Series, Error> {
    let mut random = Rng::with_seed(1);
    let mut rows = Vec::new();
    for width in WIDTHS {
        let mut points = Vec::new();
        for &[pieces, pairs] in amounts {
            let draw = |_| memory.draw(width, [pieces, pairs], &mut random);
            let lists: Vec<_> = (0..=setting.repetitions.min(OWN)).map(draw).collect();
            let ns = time(setting, &mut memory, width, &lists)?;
            // an accumulator is read and stored
            let [rows, accumulators] = [2 * pieces + pairs, 4].map(|bytes| (width * bytes) as f64);
            let terms = [1.0, (pieces + pairs) as f64, rows + accumulators];
            points.push(Point {
                terms,
                ns,
                least: rows / speed + accumulators / nearest,
            });
        }
        rows.push((width.to_string(), points));
    }
    let what = if amounts[0][1] == 0 {
        "rows of 16-bit weights"
    } else {
        "rows of 16 and of 8 bits"
    };
    let column = |&[pieces, pairs]: &[usize; 2]| match pairs {
        0 => format!("{pieces} rows"),
        _ => format!("{pieces} + {pairs} rows"),
    };
    Ok(Series {
        title: format!("{what}, from {}", place.name()),
        amounts: ["pass", "row", "byte"],
        head: "width",
        columns: amounts.iter().map(column).collect(),
        rows,
    })
}

/// Checks the first passes and returns nanoseconds per pass. Each run has its own rows, so rows of large
/// tensors are not in a cache.
fn time(
    setting: &Setting,
    memory: &mut Memory<'_>,
    width: usize,
    runs: &[Vec<[Vec<u32>; 2]>],
) -> Result<f64, Error> {
    let level = setting.level;
    if !memory.is_right(level, width, &runs[0]) {
        return Err(Error::Mismatch(format!(
            "{level}: {width} neurons differ from those of level scalar"
        )));
    }
    let run = |lists: &Vec<_>| {
        let time = setting.timer.time(|| memory.run(level, width, lists));
        Times {
            parts: vec![time],
            operations: PASSES,
        }
    };
    // the first run, not counted, loads data that later runs share into the caches
    Ok(per_operation(
        &runs
            .iter()
            .cycle()
            .take(setting.repetitions + 1)
            .map(run)
            .skip(1)
            .collect::<Vec<_>>(),
    ))
}
