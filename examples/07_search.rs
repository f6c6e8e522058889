//! 07: a search.
//!
//! Shows: how an engine uses a network. The stack follows every move that the search makes and takes back. It computes accumulators
//! only when a leaf is evaluated, from the nearest ancestor that has them. The moves of the root are tried in the order of what the
//! network says about the positions after them, all evaluated by one call.
//!
//! The board is from the crate `shakmaty`, which is GPL-3.0-or-later, and so is a program with this feature.
//!
//! Run: `cargo run --release --example 07_search`
//!
//! ```text
//! 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1: Rd1-d8 +30003
//! r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4: Qh5xf7 +30003
//! 2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1: Nc3xd5 +700
//! 8886 nodes, [..] thousand nodes per second
//! ```

use std::time::Instant;

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Change, Network, Parameters, nnue};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Move, MoveList, Position};

nnue! {
    /// Counts material, 100 for a pawn: see the first example.
    pub struct Material = Chess768[..] -> 32x2 -> 1;
}

fn material() -> Network<Material> {
    let mut params = MaterialParams::zeroed();
    for (row, weights) in params.ft.weight.iter_mut().enumerate() {
        let pawns = [1, 3, 3, 5, 9, 0][row / 64 % 6];
        weights[16 * (row / 384)..][..16].fill(pawns);
    }
    params.fc0.weight[0][0][..16].fill(100);
    params.fc0.weight[0][0][16..32].fill(-100);
    Network::from_params(params)
}

const MATE: i32 = 30_000;

/// A search of one thread. Threads share the network; each has a stack of its own.
struct Search<'a> {
    network: &'a Network<Material>,
    stack: AccumulatorStack<Material>,
    nodes: u64,
}

impl Search<'_> {
    /// Plays `chess_move`, calls `then` with the position after it, and takes it back.
    fn with_move<T>(&mut self, position: &Chess, chess_move: Move, then: impl FnOnce(&mut Self, &Chess) -> T) -> T {
        self.stack.push(change_of(position, &chess_move));
        let mut child = position.clone();
        child.play_unchecked(chess_move);
        let result = then(self, &child);
        self.stack.pop();
        result
    }

    /// The value of `position` for the side to move, within `alpha..beta`.
    fn alpha_beta(&mut self, position: &Chess, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(position, alpha, beta);
        }
        self.nodes += 1;
        let moves = ordered(position.legal_moves());
        if moves.is_empty() {
            return if position.is_check() { -MATE - depth as i32 } else { 0 };
        }
        for chess_move in moves {
            let value = self
                .with_move(position, chess_move, |search, child| -search.alpha_beta(child, depth - 1, -beta, -alpha));
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    /// Searches captures until none improves the value, so that the network alone judges quiet positions only.
    fn captures(&mut self, position: &Chess, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        alpha = alpha.max(self.network.evaluate(position, &mut self.stack).value);
        for chess_move in ordered(position.capture_moves()) {
            if alpha >= beta {
                break;
            }
            let value = self.with_move(position, chess_move, |search, child| -search.captures(child, -beta, -alpha));
            alpha = alpha.max(value);
        }
        alpha
    }

    /// All moves of `position`, those first after which the other side's position is worth least.
    fn ordered_by_value(&mut self, position: &Chess) -> Vec<Move> {
        let moves = ordered(position.legal_moves());
        let changes: Vec<Change> = moves.iter().map(|chess_move| change_of(position, chess_move)).collect();
        let mut evaluations = Vec::new();
        self.network.evaluate_children(position, &changes, &mut self.stack, &mut evaluations);
        let mut valued: Vec<(i32, Move)> = evaluations.iter().map(|child| child.value).zip(moves).collect();
        valued.sort_by_key(|(value, _)| *value);
        valued.into_iter().map(|(_, chess_move)| chess_move).collect()
    }

    /// The best move and its value.
    fn best(&mut self, position: &Chess, depth: u32) -> Option<(Move, i32)> {
        let mut best: Option<(Move, i32)> = None;
        for chess_move in self.ordered_by_value(position) {
            let alpha = best.as_ref().map_or(-2 * MATE, |(_, value)| *value);
            let value = self.with_move(position, chess_move, |search, child| {
                -search.alpha_beta(child, depth - 1, -2 * MATE, -alpha)
            });
            if value > alpha {
                best = Some((chess_move, value));
            }
        }
        best
    }
}

/// Valuable victims first, and among equal victims small attackers first.
fn ordered(mut moves: MoveList) -> MoveList {
    moves.sort_by_key(|chess_move| {
        let victim = chess_move.capture().map_or(0, |role| role as i32 + 1);
        (-victim, chess_move.role() as i32)
    });
    moves
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let network = material();
    let start = Instant::now();
    let mut nodes = 0;
    for (fen, depth) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 4),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 4),
        ("2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1", 4),
    ] {
        let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
        let mut search = Search { network: &network, stack: AccumulatorStack::new(), nodes: 0 };
        let (best, value) = search.best(&position, depth).ok_or("no legal move")?;
        println!("{fen}: {best} {value:+}");
        nodes += search.nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{nodes} nodes, {:.0} thousand nodes per second", nodes as f64 / seconds / 1000.0);
    Ok(())
}
