//! A tree search over any backend.
//!
//! Shows: how a search of the kind of AlphaZero fills batches. Several ways down the tree are begun before their positions are evaluated together; each
//! is counted as lost until then, so that the next one takes another way. Histories go with the positions, and what a cache knows is not computed.
//!
//! Run: `cargo run --release -p nnue-backend --example puct`, or with a backend, playouts and a position:
//!
//! ```console
//! $ cargo run --release -p nnue-backend --example puct -- nnue 20000
//! $ cargo run --release -p nnue-backend --example puct -- "cached(lc0(weights=maia-1100.pb.gz))" 5000 "3r2k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1"
//! ```
//!
//! Beside the standard backends there is `nnue`, the network of example 19 (`puct/network.rs`). The matches of `crates/backend/tests/nnue/games.rs`,
//! against the alpha-beta search of example 7, are played with it.
//!
//! ```text
//! mate in two    3r2k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1: e2e8
//! mate in two    kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1: a1a6
//! hanging queen  rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3: f3g5
//! ```

#[path = "puct/network.rs"]
mod network;

use std::sync::Arc;

use nnue_backend::{Backend, Backends, Chess, Error, Sample, Wanted};
use nnue_data::{Move, Position};

/// Ways down the tree that are evaluated together.
const BATCH: usize = 16;
/// How much probabilities count beside what was found.
const EXPLORATION: f32 = 1.8;

/// A move, and what is known of the position after it.
struct Node {
    mv: Option<Move>,
    prior: f32,
    visits: f32,
    /// sum of all values below, for the player who made the move
    worth: f32,
    /// the nodes of the moves of the position, once it is known
    children: Vec<usize>,
    /// what the position is worth for its mover, if the game has ended there
    ended: Option<f32>,
}

impl Node {
    fn new(mv: Option<Move>, prior: f32) -> Self {
        Self {
            mv,
            prior,
            visits: 0.0,
            worth: 0.0,
            children: vec![],
            ended: None,
        }
    }
}

pub(crate) struct Search {
    backend: Arc<dyn Backend<Chess>>,
    history: Vec<Position>,
    nodes: Vec<Node>,
}

/// A way down the tree: its nodes, and the game up to its end.
struct Way {
    path: Vec<usize>,
    game: Vec<Position>,
}

impl Search {
    /// A search of the last position of a game.
    pub(crate) fn new(backend: Arc<dyn Backend<Chess>>, history: Vec<Position>) -> Self {
        Self {
            backend,
            history,
            nodes: vec![Node::new(None, 1.0)],
        }
    }

    /// The best move after so many playouts, and what it promises.
    pub(crate) fn best(&mut self, playouts: usize) -> Result<Option<(Move, f32)>, Error> {
        while (self.nodes[0].visits as usize) < playouts && self.nodes[0].ended.is_none() {
            self.batch()?;
        }
        let children = self.nodes[0]
            .children
            .iter()
            .map(|&child| &self.nodes[child]);
        let best = children.max_by(|a, b| a.visits.total_cmp(&b.visits));
        Ok(best.and_then(|node| Some((node.mv?, node.worth / node.visits.max(1.0)))))
    }

    /// Several ways down, whose ends are evaluated together.
    fn batch(&mut self) -> Result<(), Error> {
        let computation = self.backend.computation();
        let mut waiting = Vec::new();
        for _ in 0..BATCH {
            let way = self.descend();
            let end = way.path[way.path.len() - 1];
            let moves = way.game[way.game.len() - 1]
                .legal_moves()
                .unwrap_or_default();
            if let Some(worth) = self.nodes[end]
                .ended
                .or_else(|| result(&way.game, &moves, end == 0))
            {
                self.nodes[end].ended = Some(worth);
                self.learn(&way.path, worth);
            } else {
                let sample = Sample {
                    history: &way.game,
                    moves: &moves,
                };
                let slot = computation
                    .add(
                        &sample,
                        Wanted {
                            moves_left: false,
                            ..Wanted::ALL
                        },
                    )?
                    .slot;
                waiting.push((slot, way.path, moves));
            }
        }
        let answers = computation.compute()?;
        for (slot, path, moves) in waiting {
            self.grow(path[path.len() - 1], &moves, answers.policy(slot));
            self.learn(&path, answers.q(slot));
        }
        Ok(())
    }

    /// The way that promises most. Until it is evaluated, it counts as lost.
    fn descend(&mut self) -> Way {
        let mut way = Way {
            path: vec![0],
            game: self.history.clone(),
        };
        let mut node = 0;
        self.nodes[0].visits += 1.0;
        while let Some(child) = self.choose(node) {
            let position = way.game[way.game.len() - 1];
            let mv = self.nodes[child].mv.expect("a child is a move");
            way.game.push(position.play(mv).expect("a legal move"));
            way.path.push(child);
            self.nodes[child].visits += 1.0;
            self.nodes[child].worth -= 1.0;
            node = child;
        }
        way
    }

    /// The child with the greatest sum of what was found and what the policy expects.
    fn choose(&self, node: usize) -> Option<usize> {
        let root = self.nodes[node].visits.sqrt();
        let score = |&child: &usize| {
            let Node {
                prior,
                visits,
                worth,
                ..
            } = self.nodes[child];
            let found = if visits > 0.0 { worth / visits } else { -0.2 };
            found + EXPLORATION * prior * root / (1.0 + visits)
        };
        let children = self.nodes[node].children.iter();
        children
            .max_by(|a, b| score(a).total_cmp(&score(b)))
            .copied()
    }

    /// Makes the moves of a position children, unless another way of the batch was there first.
    fn grow(&mut self, node: usize, moves: &[Move], policy: &[f32]) {
        if !self.nodes[node].children.is_empty() {
            return;
        }
        let first = self.nodes.len();
        let even = 1.0 / moves.len() as f32; // of backends without a policy
        let prior = |index: usize| policy.get(index).copied().unwrap_or(even);
        self.nodes.extend(
            moves
                .iter()
                .enumerate()
                .map(|(index, &mv)| Node::new(Some(mv), prior(index))),
        );
        self.nodes[node].children = (first..self.nodes.len()).collect();
    }

    /// What the position at the end is worth for its mover, up to the root. It takes back that the way was lost.
    fn learn(&mut self, path: &[usize], mut worth: f32) {
        for &node in path.iter().rev() {
            worth = -worth; // for the player who moved there
            let lost = if node == 0 { 0.0 } else { 1.0 };
            self.nodes[node].worth += worth + lost;
        }
    }
}

/// What the end of a game is worth for its mover, if it has ended. A position that was there before is a draw for the search; that of the root is
/// searched all the same, because the game goes on.
fn result(game: &[Position], moves: &[Move], is_root: bool) -> Option<f32> {
    let position = &game[game.len() - 1];
    let again = game[..game.len() - 1]
        .iter()
        .any(|before| before.same_board(position));
    if moves.is_empty() {
        return Some(if position.is_check() { -1.0 } else { 0.0 });
    }
    (!is_root && (again || position.halfmove_clock() >= 100)).then_some(0.0)
}

/// All backends of this program.
pub(crate) fn backends() -> Backends<Chess> {
    let mut backends = Backends::standard();
    backends.add(network::entry());
    backends
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let backend = backends().create(&words.next().unwrap_or("cached(trivial)".into()))?;
    let playouts = words.next().map_or(Ok(4000), |number| number.parse())?;
    let positions = match words.next() {
        Some(fen) => vec![("position", fen)],
        None => vec![
            (
                "mate in two",
                "3r2k1/5ppp/8/8/8/8/4RPPP/4R1K1 w - - 0 1".into(),
            ),
            ("mate in two", "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1".into()),
            (
                "hanging queen",
                "rnb1kbnr/pppp1ppp/8/4p1q1/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3".into(),
            ),
        ],
    };
    for (name, fen) in positions {
        let root: Position = fen.parse()?;
        let best = Search::new(Arc::clone(&backend), vec![root]).best(playouts)?;
        let best = best.map(|(mv, _)| mv.to_uci(&root));
        println!("{name:<14} {fen}: {}", best.as_deref().unwrap_or("none"));
    }
    Ok(())
}
