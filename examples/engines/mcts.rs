//! An engine with a tree search: the network gives a value and, for the legal moves, what a policy expects of them.

use std::ops::Range;

use nnue::policy::{MoveSquares, PolicyMove};
use nnue::prelude::*;
use nnue::softmax;

use crate::network::{change, color, kind, square};
use crate::rules::{A1, Board, Move, Special};

nnue! {
    /// The network of example 19.
    pub(crate) struct Tree {
        acc = accumulate(Chess768[mirrored], 128 @ 255) x 2;
        let x = pairwise(acc);
        let h = affine(x, 16);
        output value = affine(screlu(h), 1: f32);
        output policy = rows(x, 1880);
        format raw;
        weights "examples/nets/tree.bin";
    }
}

/// The row of the policy for a legal move. The network has the own king on files a to d, and so have its moves.
fn row(board: &Board<A1>, mv: Move) -> usize {
    let (from, to) = (square(mv.from), square(mv.to));
    let (_, piece) = board.piece_on(mv.from).expect("a piece moves");
    let mover = color(board.mover);
    let mv = match mv.special {
        Special::Castling { from: rook, .. } => PolicyMove::castling(from, square(rook)),
        Special::Promotion(promoted) => PolicyMove::new(
            kind(piece),
            MoveSquares::new(from, to, Some(kind(promoted))),
        ),
        _ => PolicyMove::new(kind(piece), MoveSquares::new(from, to, None)),
    };
    let seen = mv.seen_by(mover);
    let is_right = nnue::Position::king(board, mover).file() >= 4;
    let seen = if is_right { seen.mirrored() } else { seen };
    seen.squares.index_1880().expect("a legal move")
}

struct Node {
    mv: Option<Move>,
    prior: f32,
    visits: u32,
    /// the sum for the player who moved here
    value: f32,
    children: Range<usize>,
}

impl Node {
    fn new(mv: Option<Move>, prior: f32) -> Self {
        Self {
            mv,
            prior,
            visits: 0,
            value: 0.0,
            children: 0..0,
        }
    }
}

struct Engine<'n> {
    network: &'n Network<Tree>,
    /// from the root of the tree to the node at hand
    stack: AccumulatorStack<Tree>,
    root: Board<A1>,
    nodes: Vec<Node>,
}

impl Engine<'_> {
    /// Down the tree to a node that has no children, which gets them, and back up with its value.
    fn playout(&mut self) {
        let (mut board, mut path) = (self.root, vec![0]);
        self.stack.truncate(0);
        while let Some(child) = self.choose(path[path.len() - 1]) {
            let mv = self.nodes[child].mv.expect("the move to a child");
            self.stack.push(change(&board, mv));
            board.make(mv);
            path.push(child);
        }
        let mut value = self.expand(path[path.len() - 1], &board);
        for node in path.into_iter().rev() {
            value = -value;
            self.nodes[node].visits += 1;
            self.nodes[node].value += value;
        }
    }

    /// The child with the greatest sum of value and prior (PUCT).
    fn choose(&self, node: usize) -> Option<usize> {
        let root = (self.nodes[node].visits as f32).sqrt();
        let score = |child: usize| {
            let Node {
                prior,
                visits,
                value,
                ..
            } = self.nodes[child];
            value / visits.max(1) as f32 + 1.8 * prior * root / (1 + visits) as f32
        };
        let children = self.nodes[node].children.clone();
        children.max_by(|&a, &b| score(a).total_cmp(&score(b)))
    }

    /// The value of a position for its mover, from -1 to 1. Its moves become children of the node.
    fn expand(&mut self, node: usize, board: &Board<A1>) -> f32 {
        let moves = board.legal_moves();
        if moves.is_empty() {
            return if board.is_check() { -1.0 } else { 0.0 };
        }
        debug_assert_eq!(self.stack.verify(self.network, board), Ok(()));
        let rows: Vec<usize> = moves.iter().map(|&mv| row(board, mv)).collect();
        let mut priors = vec![0.0; rows.len()];
        let (evaluation, ()) = self
            .network
            .policy(board, &rows, &mut self.stack, &mut priors);
        softmax(&mut priors, 1.0);
        let first = self.nodes.len();
        let children = moves.into_iter().zip(priors);
        self.nodes
            .extend(children.map(|(mv, prior)| Node::new(Some(mv), prior)));
        self.nodes[node].children = first..self.nodes.len();
        let value = evaluation.value as f32;
        value / (value.abs() + 800.0)
    }
}

/// The nodes of the tree after so many playouts.
pub(crate) fn nodes(network: &Network<Tree>, root: Board<A1>, playouts: u32) -> u64 {
    let mut engine = Engine {
        network,
        stack: AccumulatorStack::new(),
        root,
        nodes: vec![Node::new(None, 1.0)],
    };
    (0..playouts).for_each(|_| engine.playout());
    engine.nodes.len() as u64
}
