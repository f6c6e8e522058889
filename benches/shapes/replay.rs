//! What memory allows: the rows of the changes and nothing else, and as many bytes as the layers read.

use std::hint::black_box;

use nnue::spec::{LayerKind, TensorRef, TensorRole, reference};
use nnue::{Architecture, AvailableLevel, Color, FeatureSet, Network, Parameters, PieceKind, Position, Square};
use nnue_runtime::simd::{Simd, Task, dispatch};

use crate::support::{Board, Line, Play, Record, Workload};

/// Values that stay in registers while all rows of a change are added.
const TILE: usize = 128;

/// The rows that leave and enter the accumulator of one perspective.
type Change<'a> = [Vec<&'a [i16]>; 2];

/// Per ply: `target = source - removed + added` of both perspectives.
pub(crate) struct Replay<'a> {
    level: AvailableLevel,
    width: usize,
    runs: Vec<Vec<[Change<'a>; 2]>>,
    accumulators: Vec<[i16; TILE]>,
}

impl<'a> Replay<'a> {
    /// The rows of all changes are found now.
    pub(crate) fn new<A: Architecture>(network: &'a Network<A>, lines: &[Line]) -> Self {
        let (weights, width) = (weights(network), A::SPEC.accumulator.width);
        let row = |row: u32| &weights[row as usize * width..][..width];
        let change = |change: &nnue::Change, side: Color, king: Square| {
            let view = A::Features::view(side, king);
            let rows = |placed: &[nnue::Placed]| {
                placed.iter().filter_map(|p| A::Features::row(view, p.piece, p.square)).map(row).collect()
            };
            [rows(change.removed()), rows(change.added())]
        };
        let run = |line: &Line| {
            let steps = line.steps.iter();
            steps.map(|step| Color::ALL.map(|side| change(&step.change, side, step.board.king(side)))).collect()
        };
        let longest = lines.iter().map(|line| line.steps.len()).max().unwrap_or(0);
        let accumulators = vec![[1; TILE]; 2 * (longest + 1) * width / TILE];
        Self { level: network.level(), width, runs: lines.iter().map(run).collect(), accumulators }
    }
}

impl Workload for Replay<'_> {
    fn pass(&mut self, record: &mut Record) {
        record.clear();
        for run in &self.runs {
            record.time(|values| {
                let tiles = self.width / TILE;
                dispatch(self.level, Changes { run, tiles, accumulators: &mut self.accumulators });
                values.extend(run.iter().map(|_| 0));
            });
        }
    }
}

struct Changes<'r, 'a> {
    run: &'r [[Change<'a>; 2]],
    tiles: usize,
    accumulators: &'r mut [[i16; TILE]],
}

impl Task for Changes<'_, '_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        for (ply, sides) in self.run.iter().enumerate() {
            let (done, todo) = self.accumulators.split_at_mut(2 * self.tiles * (ply + 1));
            for (side, change) in sides.iter().enumerate() {
                let (source, target) =
                    (&done[2 * self.tiles * ply + side * self.tiles..], &mut todo[side * self.tiles..]);
                apply(change, &source[..self.tiles], &mut target[..self.tiles]);
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
            for ((((t, s), o), c), n) in target.iter_mut().zip(source).zip(old).zip(taken).zip(new) {
                *t = s.wrapping_sub(*o).wrapping_sub(*c).wrapping_add(*n);
            }
        }
        _ => {
            for (at, (target, source)) in
                target.as_chunks_mut::<TILE>().0.iter_mut().zip(source.as_chunks::<TILE>().0).enumerate()
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

/// Per operation: as many bytes of weights as the layers read for a position, on average, from the cache that holds them.
pub(crate) struct ReadLayers<'a> {
    level: AvailableLevel,
    values: &'a [i16],
}

impl<'a> ReadLayers<'a> {
    /// Weights of the feature transformer stand in for those of the layers: what counts is how many there are.
    pub(crate) fn new<A: Architecture>(network: &'a Network<A>, play: &Play) -> Self {
        let values = &weights(network)[..layer_bytes(network, play) / 2];
        Self { level: network.level(), values }
    }
}

impl Workload for ReadLayers<'_> {
    fn pass(&mut self, record: &mut Record) {
        const PARTS: usize = 20;
        const TIMES: usize = 50;
        record.clear();
        for _ in 0..PARTS {
            record.time(|values| {
                for _ in 0..TIMES {
                    dispatch(self.level, Read { values: black_box(self.values) });
                }
                values.extend([0; TIMES]);
            });
        }
    }
}

struct Read<'a> {
    values: &'a [i16],
}

impl Task for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, _: S) {
        let mut sums = [0_i16; TILE];
        for chunk in self.values.as_chunks::<TILE>().0 {
            sums.iter_mut().zip(chunk).for_each(|(sum, value)| *sum = sum.wrapping_add(*value));
        }
        black_box(sums);
    }
}

/// The rows of the feature transformer, one after the other.
fn weights<A: Architecture>(network: &Network<A>) -> &[i16] {
    let at = A::SPEC.tensors.iter().position(|tensor| tensor.role == TensorRole::TransformerWeight);
    match at.map(|at| network.params().tensors().swap_remove(at)) {
        Some(TensorRef::I16(values)) => values,
        _ => panic!("a feature transformer has 16-bit weights"),
    }
}

/// Bytes of layer weights that a forward pass reads, on average over positions of the suite: of a first layer, those whose
/// inputs are not zero.
fn layer_bytes<A: Architecture>(network: &Network<A>, play: &Play) -> usize {
    let tensors = network.params().tensors();
    let some: Vec<&Board> = play.suite.iter().step_by(16).collect();
    let of = |board: &&Board| {
        let trace = reference::evaluate(&A::SPEC, &tensors, &plain(board));
        let layers = A::SPEC.layers.iter().map(|layer| match layer.kind {
            LayerKind::Sparse => {
                let buffer = &trace.stacks[trace.bucket].buffers[layer.segments[0].buffer];
                let blocks = buffer.chunks(4).filter(|block| block.iter().any(|&value| value != 0)).count();
                4 * blocks * layer.padded_outputs()
            }
            LayerKind::Direct => 2 * layer.inputs,
            LayerKind::Float { .. } => 4 * layer.inputs * layer.outputs,
            LayerKind::Dense | LayerKind::Row => layer.inputs * layer.outputs,
        });
        layers.sum::<usize>()
    };
    some.iter().map(of).sum::<usize>() / some.len()
}

/// The board as the reference takes it.
fn plain(board: &Board) -> reference::Board {
    let pieces = board.placed().map(|placed| {
        let (piece, square) = (placed.piece, placed.square.index());
        (piece.color() == Color::Black, PieceKind::index(piece.kind()), square)
    });
    reference::Board::new(pieces, board.side_to_move() == Color::Black)
}
