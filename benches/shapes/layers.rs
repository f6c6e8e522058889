//! Which weights of the layers a forward pass reads, in cache lines.
//!
//! ```text
//!   stack 0: | first layer: blocks of four inputs, one after the other | other layers |      stack 1: | ..
//!                     ^ lines of blocks that are not zero                ^ all
//! ```

use nnue::spec::reference::{self, StackTrace};
use nnue::spec::{LayerDesc, LayerKind};
use nnue::{Architecture, Color, Network, Parameters, PieceKind, Position};

use crate::support::{Board, Line};

/// A cache line.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct CacheLine(pub(crate) [u64; 8]);

const LINE: usize = size_of::<CacheLine>();

/// Lines of a stack.
#[derive(Clone, Copy)]
pub(crate) enum Lines<'a> {
    All(&'a [CacheLine]),
    Listed(&'a [CacheLine], &'a [u16]),
}

/// A copy of the size of the layers of all stacks, and the lines of it that each ply reads.
pub(crate) struct LayerLines {
    memory: Vec<CacheLine>,
    of_stack: usize,
    /// by run and ply
    plies: Vec<Vec<PlyLines>>,
    /// blocks of inputs of a first layer that are not zero, and all of them
    blocks: [usize; 2],
}

struct PlyLines {
    stack: usize,
    /// those that meet inputs other than zero, of the stack
    listed: Vec<u16>,
}

impl LayerLines {
    /// Finds the lines that the plies of `lines` read, with the reference interpreter.
    pub(crate) fn new<A: Architecture>(network: &Network<A>, lines: &[Line]) -> Self {
        let tensors = network.params().tensors();
        let of_stack = A::SPEC
            .layers
            .iter()
            .map(bytes)
            .sum::<usize>()
            .div_ceil(LINE);
        let mut blocks = [0; 2];
        let mut ply = |board: &Board| {
            let trace = reference::evaluate(&A::SPEC, &tensors, &plain(board));
            let StackTrace { buffers, .. } = &trace.stacks[trace.bucket];
            PlyLines {
                stack: trace.bucket,
                listed: listed(A::SPEC.layers, buffers, &mut blocks),
            }
        };
        let plies = lines
            .iter()
            .map(|line| line.steps.iter().map(|step| ply(&step.board)).collect())
            .collect();
        Self {
            memory: vec![CacheLine::default(); A::SPEC.stacks.count * of_stack],
            of_stack,
            plies,
            blocks,
        }
    }

    /// The lines that ply `ply` of run `run` reads: those in the lists, or with `whole` all of them.
    pub(crate) fn read_by(&self, run: usize, ply: usize, whole: bool) -> Lines<'_> {
        let PlyLines { stack, listed } = &self.plies[run][ply];
        let of = &self.memory[stack * self.of_stack..][..self.of_stack];
        if whole {
            Lines::All(of)
        } else {
            Lines::Listed(of, listed)
        }
    }

    /// Bytes per ply that meet inputs other than zero.
    pub(crate) fn bytes(&self) -> usize {
        let plies: Vec<usize> = self
            .plies
            .iter()
            .flatten()
            .map(|ply| ply.listed.len())
            .collect();
        plies.iter().sum::<usize>() * LINE / plies.len()
    }

    /// The share of blocks that are not zero, if a layer reads blocks.
    pub(crate) fn nonzero(&self) -> Option<f64> {
        let [nonzero, all] = self.blocks;
        (all > 0).then(|| nonzero as f64 / all as f64)
    }
}

/// The lines of a stack that meet inputs other than zero; counts `blocks` of inputs that are not zero, and all.
fn listed(layers: &[LayerDesc<'_>], buffers: &[Vec<u8>], blocks: &mut [usize; 2]) -> Vec<u16> {
    let mut lines = Vec::new();
    let mut start = 0;
    for layer in layers {
        if layer.kind == LayerKind::Sparse {
            let (buffer, each) = (
                &buffers[layer.segments[0].buffer],
                4 * layer.padded_outputs(),
            );
            let nonzero = buffer
                .chunks(4)
                .enumerate()
                .filter(|(_, block)| block.iter().any(|&value| value != 0));
            let starts: Vec<usize> = nonzero.map(|(at, _)| start + at * each).collect();
            *blocks = [blocks[0] + starts.len(), blocks[1] + buffer.len() / 4];
            lines.extend(
                starts
                    .iter()
                    .flat_map(|&block| block / LINE..(block + each).div_ceil(LINE)),
            );
        } else {
            lines.extend(start / LINE..(start + bytes(layer)).div_ceil(LINE));
        }
        start += bytes(layer);
    }
    lines.dedup();
    lines
        .into_iter()
        .map(|line| u16::try_from(line).expect("a stack has less than 4 MB"))
        .collect()
}

/// Bytes of the weights of one stack.
fn bytes(layer: &LayerDesc<'_>) -> usize {
    match layer.kind {
        LayerKind::Sparse => layer.inputs * layer.padded_outputs(),
        LayerKind::BlockSparse { reached } => 16 * layer.inputs * reached,
        LayerKind::Direct => 2 * layer.inputs,
        LayerKind::Binary => layer.file_inputs * layer.outputs,
        LayerKind::Float { .. } => 4 * layer.inputs * layer.outputs,
        LayerKind::Words => 2 * layer.inputs * layer.outputs,
        LayerKind::Integer => 4 * layer.inputs * layer.outputs,
        LayerKind::Dense | LayerKind::Row | LayerKind::Rows => layer.inputs * layer.outputs,
    }
}

/// The board for the reference interpreter.
fn plain(board: &Board) -> reference::Board {
    let pieces = board.placed().map(|placed| {
        let (piece, square) = (placed.piece, placed.square.index());
        (
            piece.color() == Color::Black,
            PieceKind::index(piece.kind()),
            square,
        )
    });
    reference::Board::new(pieces, board.side_to_move() == Color::Black)
}
