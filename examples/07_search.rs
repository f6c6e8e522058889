//! 07: a search.
//!
//! Shows: how an engine uses a network. The stack follows every move that the search makes and takes back. It computes accumulators
//! only when a leaf is evaluated, from the nearest ancestor that has them. The moves of the root are tried in the order of what the
//! network says about the positions after them, all evaluated by one call. Example 20 plays matches with this search.
//!
//! The board is from the crate `shakmaty`, which is GPL-3.0-or-later, and so is a program with this feature.
//!
//! Run: `cargo run --release --example 07_search`
//!
//! ```text
//! 6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1: Rd1-d8 +30001, depth 2
//! r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4: Qh5xf7 +30001, depth 2
//! 2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1: Nc3xd5 +700, depth 5
//! 20263 nodes, [..] thousand nodes per second
//! ```

use std::time::Instant;

use nnue::shakmaty::change_of;
use nnue::{AccumulatorStack, Architecture, Change, Network, Parameters, nnue};
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, MoveList, Position};

nnue! {
    /// Counts material, 100 for a pawn: see the first example.
    pub(crate) struct Material = Chess768[..] -> 32x2 -> 1;
}

pub(crate) fn material() -> Network<Material> {
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

/// Deeper searches are not begun, even where there are hardly any moves.
const MAX_DEPTH: u32 = 64;

/// A search of one thread. Threads share the network; each has a stack of its own.
pub(crate) struct Search<'a, N: Architecture> {
    network: &'a Network<N>,
    stack: AccumulatorStack<N>,
    nodes: u64,
    /// the search is given up after so many nodes
    limit: u64,
    /// the positions of the game so far: a move to one of them makes a draw
    played: &'a [Zobrist64],
}

impl<'a, N: Architecture> Search<'a, N> {
    pub(crate) fn new(network: &'a Network<N>, limit: u64, played: &'a [Zobrist64]) -> Self {
        Self {
            network,
            stack: AccumulatorStack::new(),
            nodes: 0,
            limit,
            played,
        }
    }

    /// Plays `chess_move`, calls `then` with the position after it, and takes it back.
    fn with_move<T>(
        &mut self,
        position: &Chess,
        chess_move: Move,
        then: impl FnOnce(&mut Self, &Chess) -> T,
    ) -> T {
        self.stack.push(change_of(position, &chess_move));
        let mut child = position.clone();
        child.play_unchecked(chess_move);
        let result = then(self, &child);
        self.stack.pop();
        result
    }

    /// The value of `position` for the side to move, within `alpha..beta`. It means nothing once the search is given up.
    fn alpha_beta(&mut self, position: &Chess, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(position, alpha, beta);
        }
        self.nodes += 1;
        let moves = ordered(position.legal_moves());
        if moves.is_empty() {
            return if position.is_check() {
                -MATE - depth as i32
            } else {
                0
            };
        }
        for chess_move in moves {
            let value = self.with_move(position, chess_move, |search, child| {
                -search.alpha_beta(child, depth - 1, -beta, -alpha)
            });
            alpha = alpha.max(value);
            if alpha >= beta || self.is_given_up() {
                break;
            }
        }
        alpha
    }

    fn is_given_up(&self) -> bool {
        self.nodes >= self.limit
    }

    /// Searches captures until none improves the value, so that the network alone judges quiet positions only.
    fn captures(&mut self, position: &Chess, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        alpha = alpha.max(self.network.evaluate(position, &mut self.stack).value);
        for chess_move in ordered(position.capture_moves()) {
            if alpha >= beta || self.is_given_up() {
                break;
            }
            let value = self.with_move(position, chess_move, |search, child| {
                -search.captures(child, -beta, -alpha)
            });
            alpha = alpha.max(value);
        }
        alpha
    }

    /// All moves of `position`, those first after which the other side's position is worth least.
    fn ordered_by_value(&mut self, position: &Chess) -> Vec<Move> {
        let moves = ordered(position.legal_moves());
        let changes: Vec<Change> = moves
            .iter()
            .map(|chess_move| change_of(position, chess_move))
            .collect();
        let mut evaluations = Vec::new();
        self.network
            .evaluate_children(position, &changes, &mut self.stack, &mut evaluations);
        let mut valued: Vec<(i32, Move)> = evaluations
            .iter()
            .map(|child| child.value)
            .zip(moves)
            .collect();
        valued.sort_by_key(|(value, _)| *value);
        valued
            .into_iter()
            .map(|(_, chess_move)| chess_move)
            .collect()
    }

    /// Searches the moves of `position` in their order and brings the best one to the front. Its value; `None` if there is no move, or if the
    /// search was given up.
    fn best(&mut self, position: &Chess, moves: &mut [Move], depth: u32) -> Option<i32> {
        let mut best: Option<(usize, i32)> = None;
        for (index, &chess_move) in moves.iter().enumerate() {
            let alpha = best.map_or(-2 * MATE, |(_, value)| value);
            let value = self.with_move(position, chess_move, |search, child| {
                let is_repeated = search
                    .played
                    .contains(&child.zobrist_hash(EnPassantMode::Legal));
                if is_repeated {
                    0
                } else {
                    -search.alpha_beta(child, depth - 1, -2 * MATE, -alpha)
                }
            });
            if self.is_given_up() {
                return None;
            }
            if value > alpha {
                best = Some((index, value));
            }
        }
        let (index, value) = best?;
        moves[..=index].rotate_right(1);
        Some(value)
    }

    /// The best move that the limit of nodes is enough for, its value and its depth: one depth after the other, each beginning with the best
    /// move of the last one. `None` if there is no move.
    pub(crate) fn best_within_limit(&mut self, position: &Chess) -> Option<(Move, i32, u32)> {
        let mut moves = self.ordered_by_value(position);
        let mut found = (*moves.first()?, 0, 0);
        for depth in 1..MAX_DEPTH {
            let Some(value) = self.best(position, &mut moves, depth) else {
                break;
            };
            found = (moves[0], value, depth);
            if value.abs() >= MATE {
                break;
            }
        }
        Some(found)
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
    for fen in [
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        "2r3k1/5ppp/8/3q4/8/2N5/5PPP/3Q2K1 w - - 0 1",
    ] {
        let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
        let mut search = Search::new(&network, 20_000, &[]);
        let (best, value, depth) = search.best_within_limit(&position).ok_or("no legal move")?;
        println!("{fen}: {best} {value:+}, depth {depth}");
        nodes += search.nodes;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{nodes} nodes, {:.0} thousand nodes per second",
        nodes as f64 / seconds / 1000.0
    );
    Ok(())
}
