//! How many bytes of weights the workloads have to read: what bounds their speed.
//!
//! Counted are the rows that a move changes (all active rows where a king goes to another bucket), and the weights of the blocks
//! of inputs that are not zero. A cache that needs fewer rows can beat the bound.

use nnue::{Architecture, Color, Network, Parameters};
use nnue_spec::reference::{self, Trace};
use nnue_spec::{LayerKind, TensorRole};

use super::data::{Data, Line};
use super::rows::{active, delta};
use super::workload::Workload;
use crate::input::Placement;

/// One position in this many of the suite shows how many inputs are zero.
const EVERY: usize = 16;

/// Bytes of weights per operation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traffic {
    /// rows of the feature transformer, per ply of a run
    pub(crate) run: f64,
    line: f64,
    tree: f64,
    refresh: f64,
    /// layers, per forward pass
    pub(crate) layers: f64,
}

impl Traffic {
    /// Counts what `network` reads.
    pub(crate) fn new<A: Architecture>(network: &Network<A>, data: &Data) -> Self {
        let row = A::SPEC
            .tensors
            .iter()
            .filter(|tensor| matches!(tensor.role, TensorRole::TransformerWeight | TensorRole::TransformerPsqt));
        let row: usize = row.map(|tensor| tensor.cols * tensor.element.bytes()).sum();
        let bytes = |(rows, operations): (usize, usize)| (rows * row) as f64 / operations as f64;
        Self {
            run: bytes(along::<A>(&data.runs)),
            line: bytes(along::<A>(&data.games)),
            tree: bytes(in_trees::<A>(data)),
            refresh: bytes(from_scratch::<A>(&data.suite)),
            layers: layers(network, &data.suite),
        }
    }

    /// Bytes of rows and of layers per operation of a workload.
    pub(crate) const fn of(&self, workload: Workload) -> (f64, f64) {
        match workload {
            Workload::Read | Workload::Replay | Workload::Update => (self.run, 0.0),
            Workload::Nk => (self.run, self.layers),
            Workload::Line => (self.line, self.layers),
            Workload::Tree => (self.tree, self.layers),
            Workload::RefreshCleared | Workload::RefreshWarm => (self.refresh, self.layers),
            Workload::RefreshSame | Workload::ForwardContext | Workload::ForwardRotating | Workload::ReadLayers => {
                (0.0, self.layers)
            }
        }
    }
}

/// Rows and plies.
fn along<A: Architecture>(lines: &[Line]) -> (usize, usize) {
    let steps = || lines.iter().flat_map(|line| &line.steps);
    let rows = steps().flat_map(|step| Color::ALL.map(|side| delta::<A>(side, &step.change, &step.board).len()));
    (rows.sum(), steps().count())
}

/// Rows and leaves. What a first move changes is counted once for all its replies.
fn in_trees<A: Architecture>(data: &Data) -> (usize, usize) {
    let (mut rows, mut leaves) = (0, 0);
    for (change, replies) in data.trees.iter().flat_map(|tree| &tree.branches) {
        let of = |change, board| Color::ALL.map(|side| delta::<A>(side, change, board).len()).iter().sum::<usize>();
        rows += replies.first().map_or(0, |reply| of(change, &reply.board));
        rows += replies.iter().map(|reply| of(&reply.change, &reply.board)).sum::<usize>();
        leaves += replies.len();
    }
    (rows, leaves)
}

fn from_scratch<A: Architecture>(positions: &[Placement]) -> (usize, usize) {
    let rows = positions.iter().flat_map(|board| Color::ALL.map(|side| active::<A>(side, board).len()));
    (rows.sum(), positions.len())
}

/// Bytes of layer weights per forward pass, on average over some positions.
fn layers<A: Architecture>(network: &Network<A>, positions: &[Placement]) -> f64 {
    let tensors = network.params().tensors();
    let some: Vec<&Placement> = positions.iter().step_by(EVERY).collect();
    let bytes = some.iter().map(|board| layer_bytes::<A>(&reference::evaluate(&A::SPEC, &tensors, &board.plain())));
    bytes.sum::<usize>() as f64 / some.len() as f64
}

fn layer_bytes<A: Architecture>(trace: &Trace) -> usize {
    let spec = &A::SPEC;
    let bytes = spec.layers.iter().enumerate().map(|(index, layer)| match layer.kind {
        LayerKind::Sparse => {
            let buffer = &trace.stacks[trace.bucket].buffers[layer.segments[0].buffer];
            let blocks = buffer.chunks(4).filter(|block| block.iter().any(|&value| value != 0)).count();
            4 * blocks * layer.padded_outputs()
        }
        LayerKind::Dense => 4 * spec.prepared_blocks(index) * layer.padded_outputs(),
        LayerKind::Row => spec.prepared_row_bytes(index),
        LayerKind::Direct => 2 * layer.inputs,
    });
    bytes.sum()
}
