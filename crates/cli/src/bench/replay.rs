//! The calibration kernels: plain loops over the real rows of weights, compiled for the measured level.
//!
//! ```text
//! replay    target[j] = source[j] - removed[j] + added[j]      per perspective and ply; nothing else
//! read      the same rows, only read
//! ```

use std::hint::black_box;

use nnue::AvailableLevel;
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::data::Line;
use super::rows::{FeatureRows, deltas};
use super::timer::{Timer, Times};
use super::weights::{Ply, RunRows, Weights};

/// Values that [`sum`] keeps in registers.
const LANES: usize = 64;

/// Accumulator values that [`change_many`] keeps in registers.
const TILE: usize = 128;

/// Replays the changes of `runs`, ply by ply.
pub(crate) fn replay(
    level: AvailableLevel,
    rows: &dyn FeatureRows,
    weights: &Weights<'_>,
    runs: &[Line],
    timer: Timer,
) -> Times {
    let longest = runs.iter().map(|run| run.steps.len()).max().unwrap_or(0);
    let mut accumulators = Aligned::new(2 * (longest + 1) * weights.width);
    let part = |run: &RunRows<'_>| {
        let task = Replay {
            width: weights.width,
            run,
            accumulators: accumulators.values(),
        };
        timer.time(|| dispatch(level, task))
    };
    Times {
        parts: rows_of(rows, weights, runs).iter().map(part).collect(),
        operations: plies(runs),
    }
}

/// Reads the rows of the changes of `runs`, ply by ply.
pub(crate) fn read(
    level: AvailableLevel,
    rows: &dyn FeatureRows,
    weights: &Weights<'_>,
    runs: &[Line],
    timer: Timer,
) -> Times {
    let part = |run: &RunRows<'_>| timer.time(|| dispatch(level, Read { run }));
    Times {
        parts: rows_of(rows, weights, runs).iter().map(part).collect(),
        operations: plies(runs),
    }
}

pub(crate) fn plies(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.steps.len()).sum()
}

/// The rows of each run, found before the first run is replayed, so that only rows pass through the caches.
fn rows_of<'a>(rows: &dyn FeatureRows, weights: &Weights<'a>, runs: &[Line]) -> Vec<RunRows<'a>> {
    runs.iter()
        .map(|run| weights.run(&deltas(rows, run)))
        .collect()
}

struct Replay<'r, 'a> {
    width: usize,
    run: &'r RunRows<'a>,
    accumulators: &'r mut [i16],
}

impl Task for Replay<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let width = self.width;
        self.run.for_each(|number, perspective, ply| {
            let (done, todo) = self.accumulators.split_at_mut(2 * width * (number + 1));
            let (source, at) = (&done[2 * width * number..], perspective * width);
            change(&ply, &source[at..at + width], &mut todo[at..at + width]);
        });
    }
}

/// `target = source - removed + added`; common numbers of rows in one pass.
#[inline(always)]
fn change(ply: &Ply<'_, '_>, source: &[i16], target: &mut [i16]) {
    match (
        ply.removed,
        ply.added,
        ply.pairs_removed.len() + ply.pairs_added.len(),
    ) {
        (&[old], &[new], 0) => {
            for (((t, s), o), n) in target.iter_mut().zip(source).zip(old).zip(new) {
                *t = s.wrapping_sub(*o).wrapping_add(*n);
            }
        }
        (&[old, taken], &[new], 0) => {
            for ((((t, s), o), c), n) in target.iter_mut().zip(source).zip(old).zip(taken).zip(new)
            {
                *t = s.wrapping_sub(*o).wrapping_sub(*c).wrapping_add(*n);
            }
        }
        _ => change_many(ply, source, target),
    }
}

/// Any number of rows. Part of the accumulator stays in registers while all rows are applied to it.
#[inline(always)]
fn change_many(ply: &Ply<'_, '_>, source: &[i16], target: &mut [i16]) {
    let (tiles, rest) = target.as_chunks_mut::<TILE>();
    for (at, target) in tiles.iter_mut().enumerate() {
        let mut tile = source.as_chunks::<TILE>().0[at];
        for row in ply.removed {
            let row = &row.as_chunks::<TILE>().0[at];
            (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_sub(row[lane]));
        }
        for row in ply.added {
            let row = &row.as_chunks::<TILE>().0[at];
            (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_add(row[lane]));
        }
        for row in ply.pairs_removed {
            let row = &row.as_chunks::<TILE>().0[at];
            (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_sub(row[lane].into()));
        }
        for row in ply.pairs_added {
            let row = &row.as_chunks::<TILE>().0[at];
            (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_add(row[lane].into()));
        }
        *target = tile;
    }
    let first = source.len() - rest.len();
    for (at, target) in (first..).zip(rest) {
        let [removed, added] = [ply.removed, ply.added]
            .map(|rows| rows.iter().fold(0, |sum, row| row[at].wrapping_add(sum)));
        let [pairs_removed, pairs_added] = [ply.pairs_removed, ply.pairs_added].map(|rows| {
            rows.iter()
                .fold(0, |sum: i16, row| sum.wrapping_add(row[at].into()))
        });
        let added = added.wrapping_add(pairs_added);
        *target = source[at]
            .wrapping_sub(removed)
            .wrapping_sub(pairs_removed)
            .wrapping_add(added);
    }
}

struct Read<'r, 'a> {
    run: &'r RunRows<'a>,
}

impl Task for Read<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let mut sums = [0; LANES];
        let mut pair_sums = [0; LANES];
        self.run.for_each(|_, _, ply| {
            match (ply.removed, ply.added) {
                (&[old], &[new]) => sum_two(&mut sums, old, new),
                (removed, added) => removed
                    .iter()
                    .chain(added)
                    .for_each(|row| sum(&mut sums, row)),
            }
            ply.pairs_removed
                .iter()
                .chain(ply.pairs_added)
                .for_each(|row| sum_bytes(&mut pair_sums, row));
        });
        black_box((sums, pair_sums));
    }
}

/// Reads `values` repeatedly while they are in the cache.
pub(crate) fn read_again(level: AvailableLevel, values: &[i16], timer: Timer) -> Times {
    const PARTS: usize = 10;
    const TIMES: usize = 100;
    let part = |_| {
        timer.time(|| {
            dispatch(
                level,
                ReadAgain {
                    values,
                    times: TIMES,
                },
            )
        })
    };
    Times {
        parts: (0..PARTS).map(part).collect(),
        operations: PARTS * TIMES,
    }
}

struct ReadAgain<'a> {
    values: &'a [i16],
    times: usize,
}

impl Task for ReadAgain<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        for _ in 0..self.times {
            let mut sums = [0; LANES];
            sum(&mut sums, black_box(self.values));
            black_box(sums);
        }
    }
}

/// Adds the values, [`LANES`] at a time; an incomplete rest is left out.
#[inline(always)]
fn sum(sums: &mut [i16; LANES], values: &[i16]) {
    let mut lanes = *sums;
    for chunk in values.chunks_exact(LANES) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.wrapping_add(*value);
        }
    }
    *sums = lanes;
}

/// As [`sum`], for bytes.
#[inline(always)]
fn sum_bytes(sums: &mut [i8; LANES], values: &[i8]) {
    let mut lanes = *sums;
    for chunk in values.chunks_exact(LANES) {
        for (lane, value) in lanes.iter_mut().zip(chunk) {
            *lane = lane.wrapping_add(*value);
        }
    }
    *sums = lanes;
}

/// As [`sum`], two rows at once, so that their cache misses overlap.
#[inline(always)]
fn sum_two(sums: &mut [i16; LANES], a: &[i16], b: &[i16]) {
    let mut lanes = *sums;
    for (a, b) in a.chunks_exact(LANES).zip(b.chunks_exact(LANES)) {
        for ((lane, a), b) in lanes.iter_mut().zip(a).zip(b) {
            *lane = lane.wrapping_add(*a).wrapping_add(*b);
        }
    }
    *sums = lanes;
}

/// Values aligned to a cache line.
struct Aligned {
    memory: Vec<i16>,
    start: usize,
}

impl Aligned {
    fn new(len: usize) -> Self {
        const LINE: usize = 64;
        let mut memory = vec![0; len + LINE / 2];
        memory.fill(1); // so that the system maps it now
        let start = (LINE - memory.as_ptr().addr() % LINE) % LINE / 2;
        Self { memory, start }
    }

    fn values(&mut self) -> &mut [i16] {
        &mut self.memory[self.start..]
    }
}
