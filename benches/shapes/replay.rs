//! What memory allows: reads the rows of the changes, with or without the weights of the layers, and nothing else.

use std::hint::black_box;

use nnue::spec::{TensorRef, TensorRole};
use nnue::{
    Architecture, AvailableLevel, Color, FeatureSet, Network, Parameters, Position, Square,
};
use nnue_runtime::simd::{Simd, Task, dispatch};

use crate::layers::{CacheLine, Lines};
use crate::support::{Line, Record, Workload};

/// How many values stay in registers while all rows of a change are added.
const TILE: usize = 128;

/// The rows that are removed from and added to the accumulator of one perspective.
type Change<'a> = [Vec<&'a [i16]>; 2];

/// The rows and weights that a ply reads.
struct Ply<'a> {
    sides: [Change<'a>; 2],
    layers: Option<Lines<'a>>,
}

/// Per ply: `target = source - removed + added` of both perspectives; then the weights of the layers are read.
pub(crate) struct Replay<'a> {
    level: AvailableLevel,
    width: usize,
    runs: Vec<Vec<Ply<'a>>>,
    accumulators: Vec<[i16; TILE]>,
}

impl<'a> Replay<'a> {
    /// Finds the rows of all changes. `layers` has what is read besides them, by run and ply.
    pub(crate) fn new<A: Architecture>(
        network: &'a Network<A>,
        lines: &[Line],
        layers: impl Fn(usize, usize) -> Option<Lines<'a>>,
    ) -> Self {
        let (weights, width) = (weights(network), A::SPEC.accumulator.width);
        let row = |row: u32| &weights[row as usize * width..][..width];
        let change = |change: &nnue::Change, side: Color, king: Square| {
            let view = A::Features::view(side, king);
            let rows = |placed: &[nnue::Placed]| {
                placed
                    .iter()
                    .filter_map(|p| A::Features::row(view, p.piece, p.square))
                    .map(row)
                    .collect()
            };
            [rows(change.removed()), rows(change.added())]
        };
        let run = |(at, line): (usize, &Line)| {
            let plies = line.steps.iter().enumerate().map(|(ply, step)| Ply {
                sides: Color::ALL.map(|side| change(&step.change, side, step.board.king(side))),
                layers: layers(at, ply),
            });
            plies.collect()
        };
        let longest = lines.iter().map(|line| line.steps.len()).max().unwrap_or(0);
        let accumulators = vec![[1; TILE]; 2 * (longest + 1) * width / TILE];
        Self {
            level: network.level(),
            width,
            runs: lines.iter().enumerate().map(run).collect(),
            accumulators,
        }
    }
}

impl Workload for Replay<'_> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for run in &self.runs {
            record.time(|values| {
                let tiles = self.width / TILE;
                dispatch(
                    self.level,
                    Plies {
                        run,
                        tiles,
                        accumulators: &mut self.accumulators,
                    },
                );
                values.extend(run.iter().map(|_| 0));
            });
        }
    }
}

struct Plies<'r, 'a> {
    run: &'r [Ply<'a>],
    tiles: usize,
    accumulators: &'r mut [[i16; TILE]],
}

impl Task for Plies<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (ply, Ply { sides, layers }) in self.run.iter().enumerate() {
            let (done, todo) = self.accumulators.split_at_mut(2 * self.tiles * (ply + 1));
            for (side, change) in sides.iter().enumerate() {
                let (source, target) = (
                    &done[2 * self.tiles * ply + side * self.tiles..],
                    &mut todo[side * self.tiles..],
                );
                apply(change, &source[..self.tiles], &mut target[..self.tiles]);
            }
            if let Some(lines) = layers {
                read(*lines);
            }
        }
        black_box(&mut *self.accumulators);
    }
}

/// The usual numbers of rows in one pass; others row by row, in tiles.
#[inline(always)]
fn apply([removed, added]: &Change<'_>, source: &[[i16; TILE]], target: &mut [[i16; TILE]]) {
    let (source, target) = (source.as_flattened(), target.as_flattened_mut());
    match (&removed[..], &added[..]) {
        (&[old], &[new]) => {
            for (((t, s), o), n) in target.iter_mut().zip(source).zip(old).zip(new) {
                *t = s.wrapping_sub(*o).wrapping_add(*n);
            }
        }
        (&[old, taken], &[new]) => {
            for ((((t, s), o), c), n) in target.iter_mut().zip(source).zip(old).zip(taken).zip(new)
            {
                *t = s.wrapping_sub(*o).wrapping_sub(*c).wrapping_add(*n);
            }
        }
        _ => {
            for (at, (target, source)) in target
                .as_chunks_mut::<TILE>()
                .0
                .iter_mut()
                .zip(source.as_chunks::<TILE>().0)
                .enumerate()
            {
                let mut tile = *source;
                for row in removed {
                    let row = &row.as_chunks::<TILE>().0[at];
                    (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_sub(row[lane]));
                }
                for row in added {
                    let row = &row.as_chunks::<TILE>().0[at];
                    (0..TILE).for_each(|lane| tile[lane] = tile[lane].wrapping_add(row[lane]));
                }
                *target = tile;
            }
        }
    }
}

/// Reads a word of every line, which brings the whole line into the nearest cache.
#[inline(always)]
fn read(lines: Lines<'_>) {
    let sum = |sum: u64, line: &CacheLine| sum.wrapping_add(line.0[0]);
    black_box(match lines {
        Lines::All(lines) => lines.iter().fold(0, sum),
        Lines::Listed(of, lines) => lines
            .iter()
            .map(|&line| &of[usize::from(line)])
            .fold(0, sum),
    });
}

/// The rows of the feature transformer, one after the other.
fn weights<A: Architecture>(network: &Network<A>) -> &[i16] {
    let at = A::SPEC
        .tensors
        .iter()
        .position(|tensor| tensor.role == TensorRole::TransformerWeight);
    match at.map(|at| network.params().tensors().swap_remove(at)) {
        Some(TensorRef::I16(values)) => values,
        _ => panic!("a feature transformer has 16-bit weights"),
    }
}
