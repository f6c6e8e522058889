//! Bytes of weights that the workloads read, which bounds their speed.
//!
//! Counts the rows that a move changes and the weights of nonzero input blocks. If the king enters another
//! bucket, all piece rows count; if it crosses to the other half of the board, all pair rows do. A cache that
//! needs fewer rows can beat the bound.

use std::iter::Sum;

use nnue::Color;
use nnue_spec::layout::{OUTPUT_BLOCK, sign_words};
use nnue_spec::reference::{self, Trace};
use nnue_spec::{LayerKind, NetDesc, Source};

use super::data::{Data, Line, Step};
use super::replay::plies;
use super::rows::{Delta, FeatureRows, deltas};
use super::workload::Workload;
use crate::input::Placement;
use crate::network::{AnyNetwork, Evaluator};

/// Every 16th position of the suite is used to count nonzero inputs.
const EVERY: usize = 16;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Traffic {
    /// transformer rows, per ply of a run
    pub(crate) run: f64,
    line: f64,
    tree: f64,
    refresh: f64,
    /// layers, per forward pass
    pub(crate) layers: f64,
}

impl Traffic {
    pub(crate) fn new(network: &dyn AnyNetwork, data: &Data) -> Self {
        let (spec, rows) = (network.spec(), network.rows());
        let bytes = |(count, operations): (Count, usize)| {
            let row = |set: usize| {
                spec.features
                    .get(set)
                    .map_or(0, |feature| feature.element.bytes())
            };
            let row = |set| spec.accumulator.width * row(set) + spec.accumulator.psqt * 4;
            (count.pieces * row(0) + count.pairs * row(1)) as f64 / operations as f64
        };
        Self {
            run: bytes(along(rows, &data.runs)),
            line: bytes(along(rows, &data.games)),
            tree: bytes(in_trees(rows, data)),
            refresh: bytes(from_scratch(rows, &data.suite)),
            layers: layers(network, &data.suite),
        }
    }

    /// Bytes of rows and of layers per operation of a workload.
    pub(crate) const fn of(&self, workload: Workload) -> (f64, f64) {
        match workload {
            Workload::Changes => (0.0, 0.0),
            Workload::Read | Workload::Replay | Workload::Update => (self.run, 0.0),
            Workload::Nk => (self.run, self.layers),
            Workload::Line => (self.line, self.layers),
            Workload::Tree | Workload::Children => (self.tree, self.layers),
            Workload::RefreshCleared | Workload::RefreshWarm => (self.refresh, self.layers),
            Workload::RefreshSame
            | Workload::ForwardContext
            | Workload::ForwardRotating
            | Workload::ReadLayers => (0.0, self.layers),
        }
    }
}

#[derive(Clone, Copy, Default)]
struct Count {
    pieces: usize,
    pairs: usize,
}

impl Count {
    fn of(sides: &[Delta; 2]) -> Self {
        let [pieces, pairs]: [fn(&Delta) -> usize; 2] =
            [|side| side.pieces.len(), |side| side.pairs.len()];
        Self {
            pieces: sides.iter().map(pieces).sum(),
            pairs: sides.iter().map(pairs).sum(),
        }
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::default(), |a, b| Self {
            pieces: a.pieces + b.pieces,
            pairs: a.pairs + b.pairs,
        })
    }
}

/// The number of rows and of plies.
fn along(rows: &dyn FeatureRows, lines: &[Line]) -> (Count, usize) {
    (
        lines
            .iter()
            .flat_map(|line| deltas(rows, line))
            .map(|sides| Count::of(&sides))
            .sum(),
        plies(lines),
    )
}

/// The number of rows and of leaves. Rows of a first move count once for all its replies.
fn in_trees(rows: &dyn FeatureRows, data: &Data) -> (Count, usize) {
    let of = |before: &Placement, step: &Step| {
        Count::of(&Color::ALL.map(|side| rows.delta(side, before, &step.change, &step.board)))
    };
    let branches = || {
        data.trees
            .iter()
            .flat_map(|tree| tree.branches.iter().map(|branch| (&tree.root, branch)))
    };
    let first = branches()
        .filter(|(_, (_, replies))| !replies.is_empty())
        .map(|(root, (first, _))| of(root, first));
    let second = branches()
        .flat_map(|(_, (first, replies))| replies.iter().map(|reply| of(&first.board, reply)));
    (
        first.chain(second).sum(),
        branches().map(|(_, (_, replies))| replies.len()).sum(),
    )
}

fn from_scratch(rows: &dyn FeatureRows, positions: &[Placement]) -> (Count, usize) {
    let counts = positions
        .iter()
        .map(|board| Count::of(&Color::ALL.map(|side| rows.active(side, board))));
    (counts.sum(), positions.len())
}

/// Bytes of layer weights per forward pass, averaged over some positions.
fn layers(network: &dyn Evaluator, positions: &[Placement]) -> f64 {
    let (spec, tensors) = (network.spec(), network.tensors());
    let some: Vec<&Placement> = positions.iter().step_by(EVERY).collect();
    let bytes = some
        .iter()
        .map(|board| layer_bytes(spec, &reference::evaluate(spec, &tensors, &board.plain())));
    bytes.sum::<usize>() as f64 / some.len() as f64
}

/// Bytes of layer weights that a forward pass reads.
pub(super) fn layer_bytes(spec: &NetDesc<'_>, trace: &Trace) -> usize {
    let bytes = spec
        .layers
        .iter()
        .enumerate()
        .map(|(index, layer)| match layer.kind {
            LayerKind::Sparse => {
                let blocks = layer.segments.iter().enumerate().map(|(at, segment)| {
                    let buffer = &trace.stacks[trace.bucket].buffers[segment.buffer];
                    match spec.buffers[segment.buffer].source {
                        Source::Accumulator => buffer
                            .chunks(4)
                            .filter(|block| block.iter().any(|&value| value != 0))
                            .count(),
                        _ => spec.segment_blocks(index, at).len(),
                    }
                });
                4 * blocks.sum::<usize>() * layer.padded_outputs()
            }
            LayerKind::BlockSparse { reached } => {
                let values = layer.segments.iter().flat_map(|segment| {
                    &trace.stacks[trace.bucket].buffers[segment.buffer][segment.start..]
                        [..segment.len]
                });
                OUTPUT_BLOCK * reached * values.filter(|&&value| value != 0).count()
            }
            LayerKind::Dense => 4 * spec.prepared_blocks(index) * layer.padded_outputs(),
            // Rows on demand: the value reads none of them.
            LayerKind::Rows => 0,
            LayerKind::Words | LayerKind::Integer => {
                layer.inputs * layer.outputs * spec.weights_of(index).bytes()
            }
            LayerKind::Row => spec.prepared_row_bytes(index),
            LayerKind::Direct => 2 * layer.inputs,
            LayerKind::Binary => 4 * sign_words(layer.inputs) * layer.padded_outputs(),
            LayerKind::Float { .. } => 4 * layer.inputs * layer.outputs,
        });
    bytes.sum()
}
