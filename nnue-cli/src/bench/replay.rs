//! The calibration kernels: plain loops over the real rows of weights, compiled for the level that is measured.
//!
//! ```text
//! replay    target[j] = source[j] - removed[j] + added[j]      per perspective and ply; nothing else
//! read      the same rows, only read
//! ```

use std::hint::black_box;

use nnue::{Architecture, AvailableLevel};
use nnue_runtime::simd::{Simd, Task, dispatch};

use super::data::Line;
use super::rows::{Delta, deltas};
use super::timer::{Timer, Times};

/// Values that [`sum`] keeps in registers.
const LANES: usize = 64;

/// The rows of the feature transformer, and where they are needed.
pub(crate) struct Rows<'a> {
    /// all rows, one after the other
    pub(crate) weights: &'a [i16],
    /// values in a row
    pub(crate) width: usize,
}

impl<'a> Rows<'a> {
    #[inline(always)]
    fn row(&self, index: usize) -> &'a [i16] {
        &self.weights[index * self.width..][..self.width]
    }
}

/// Replays the changes of `runs`, ply by ply.
pub(crate) fn replay<A: Architecture>(level: AvailableLevel, rows: &Rows<'_>, runs: &[Line], timer: Timer) -> Times {
    let longest = runs.iter().map(|run| run.steps.len()).max().unwrap_or(0);
    let mut accumulators = Aligned::new(2 * (longest + 1) * rows.width);
    let part = |run| {
        let task = Replay { rows, deltas: &deltas::<A>(run), accumulators: accumulators.values() };
        timer.time(|| dispatch(level, task))
    };
    Times { parts: runs.iter().map(part).collect(), operations: plies(runs) }
}

/// Reads the rows of the changes of `runs`, ply by ply.
pub(crate) fn read<A: Architecture>(level: AvailableLevel, rows: &Rows<'_>, runs: &[Line], timer: Timer) -> Times {
    let part = |run| {
        let task = Read { rows, deltas: &deltas::<A>(run) };
        timer.time(|| dispatch(level, task))
    };
    Times { parts: runs.iter().map(part).collect(), operations: plies(runs) }
}

/// Moves of all lines.
pub(crate) fn plies(lines: &[Line]) -> usize {
    lines.iter().map(|line| line.steps.len()).sum()
}

struct Replay<'a> {
    rows: &'a Rows<'a>,
    deltas: &'a [[Delta; 2]],
    accumulators: &'a mut [i16],
}

impl Task for Replay<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let width = self.rows.width;
        for (ply, pair) in self.deltas.iter().enumerate() {
            let (done, todo) = self.accumulators.split_at_mut(2 * width * (ply + 1));
            let source = &done[2 * width * ply..];
            for (perspective, delta) in pair.iter().enumerate() {
                let at = perspective * width;
                change(self.rows, delta, &source[at..at + width], &mut todo[at..at + width]);
            }
        }
    }
}

/// `target = source - removed + added`, the usual numbers of rows in one pass.
#[inline(always)]
fn change(rows: &Rows<'_>, delta: &Delta, source: &[i16], target: &mut [i16]) {
    match (delta.removed.as_slice(), delta.added.as_slice()) {
        (&[old], &[new]) => {
            let (old, new) = (rows.row(old), rows.row(new));
            for (((t, s), o), n) in target.iter_mut().zip(source).zip(old).zip(new) {
                *t = s.wrapping_sub(*o).wrapping_add(*n);
            }
        }
        (&[old, taken], &[new]) => {
            let (old, taken, new) = (rows.row(old), rows.row(taken), rows.row(new));
            for ((((t, s), o), c), n) in target.iter_mut().zip(source).zip(old).zip(taken).zip(new) {
                *t = s.wrapping_sub(*o).wrapping_sub(*c).wrapping_add(*n);
            }
        }
        (removed, added) => {
            target.copy_from_slice(source);
            for &row in removed {
                target.iter_mut().zip(rows.row(row)).for_each(|(t, w)| *t = t.wrapping_sub(*w));
            }
            for &row in added {
                target.iter_mut().zip(rows.row(row)).for_each(|(t, w)| *t = t.wrapping_add(*w));
            }
        }
    }
}

struct Read<'a> {
    rows: &'a Rows<'a>,
    deltas: &'a [[Delta; 2]],
}

impl Task for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _simd: S) {
        let mut sums = [0; LANES];
        for delta in self.deltas.iter().flatten() {
            match (delta.removed.as_slice(), delta.added.as_slice()) {
                (&[old], &[new]) => sum_two(&mut sums, self.rows.row(old), self.rows.row(new)),
                (removed, added) => {
                    removed.iter().chain(added).for_each(|&row| sum(&mut sums, self.rows.row(row)));
                }
            }
        }
        black_box(sums);
    }
}

/// Reads `values` again and again, when they have been read just before.
pub(crate) fn read_again(level: AvailableLevel, values: &[i16], timer: Timer) -> Times {
    const PARTS: usize = 10;
    const TIMES: usize = 100;
    let part = |_| timer.time(|| dispatch(level, ReadAgain { values, times: TIMES }));
    Times { parts: (0..PARTS).map(part).collect(), operations: PARTS * TIMES }
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

/// Adds the values, [`LANES`] at a time; a rest that does not fill the lanes is left out.
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

/// As [`sum`], two rows at once: misses of both are under way together.
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

/// Values that start on a cache line.
struct Aligned {
    memory: Vec<i16>,
    start: usize,
}

impl Aligned {
    /// `len` zeros.
    fn new(len: usize) -> Self {
        const LINE: usize = 64;
        let memory = vec![0; len + LINE / 2];
        let start = (LINE - memory.as_ptr().addr() % LINE) % LINE / 2;
        Self { memory, start }
    }

    fn values(&mut self) -> &mut [i16] {
        &mut self.memory[self.start..]
    }
}
