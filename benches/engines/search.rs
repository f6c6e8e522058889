//! The search: alpha-beta with null moves and captures, as small as it can be. It evaluates every node, as engines do.

use nnue::shakmaty::change_of;
use nnue::{Change, Color};
use shakmaty::{Chess, Move, Position, Role};

/// What the search asks of an engine's network.
pub(crate) trait Evaluator {
    /// A move is made, which changes `change`.
    fn push(&mut self, change: Change);

    /// It is taken back.
    fn pop(&mut self);

    /// The value of the position that the moves led to.
    fn evaluate(&mut self, position: &Chess) -> i32;

    /// A search of another position begins.
    fn begin(&mut self);
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Visited {
    pub(crate) nodes: u64,
    /// the sum of all values, so that two engines that agree in it agree in all of them
    pub(crate) sum: i64,
}

const INFINITE: i32 = 1_000_000;
/// From this depth on null moves are tried, and searched less deep by as much.
const NULL_DEPTH: u32 = 3;
/// Captures after this many are not followed: weights are random, so that values seldom end a line.
const CAPTURES: u32 = 3;
/// What a node may be above beta by for each ply that is left, to be cut off.
const MARGIN: i32 = 120;

/// Searches `root`.
pub(crate) fn search(evaluator: &mut impl Evaluator, root: &Chess, depth: u32) -> Visited {
    evaluator.begin();
    let mut search = Search {
        evaluator,
        visited: Visited::default(),
    };
    search.node(root, depth, -INFINITE, INFINITE);
    search.visited
}

struct Search<'e, E> {
    evaluator: &'e mut E,
    visited: Visited,
}

impl<E: Evaluator> Search<'_, E> {
    fn evaluate(&mut self, position: &Chess) -> i32 {
        let value = self.evaluator.evaluate(position);
        self.visited.nodes += 1;
        self.visited.sum += i64::from(value) * (self.visited.nodes % 1021) as i64;
        value
    }

    /// The value of `position` after `mv`, which `below` finds.
    fn after(
        &mut self,
        position: &Chess,
        mv: Move,
        below: impl FnOnce(&mut Self, &Chess) -> i32,
    ) -> i32 {
        self.evaluator.push(change_of(position, &mv));
        let mut child = position.clone();
        child.play_unchecked(mv);
        let value = -below(self, &child);
        self.evaluator.pop();
        value
    }

    fn node(&mut self, position: &Chess, depth: u32, mut alpha: i32, beta: i32) -> i32 {
        if depth == 0 {
            return self.captures(position, CAPTURES, alpha, beta);
        }
        let value = self.evaluate(position);
        let in_check = position.is_check();
        if !in_check && value - MARGIN * depth as i32 >= beta {
            return value;
        }
        if depth >= NULL_DEPTH
            && !in_check
            && value >= beta
            && let Ok(passed) = position.clone().swap_turn()
        {
            let value = -self.node(&passed, depth - NULL_DEPTH, -beta, 1 - beta);
            if value >= beta {
                return value;
            }
        }
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return if in_check { -INFINITE / 2 } else { 0 };
        }
        moves.sort_by_key(|mv| std::cmp::Reverse(gain(mv)));
        for mv in moves {
            alpha = alpha.max(self.after(position, mv, |search, child| {
                search.node(child, depth - 1, -beta, -alpha)
            }));
            if alpha >= beta {
                break;
            }
        }
        alpha
    }

    fn captures(&mut self, position: &Chess, left: u32, mut alpha: i32, beta: i32) -> i32 {
        alpha = alpha.max(self.evaluate(position));
        if alpha >= beta || left == 0 {
            return alpha;
        }
        let mut moves = position.capture_moves();
        moves.sort_by_key(|mv| std::cmp::Reverse(gain(mv)));
        for mv in moves {
            if alpha >= beta {
                break;
            }
            alpha = alpha.max(self.after(position, mv, |search, child| {
                search.captures(child, left - 1, -beta, -alpha)
            }));
        }
        alpha
    }
}

/// The most valuable captures first, by the least valuable piece.
fn gain(mv: &Move) -> i32 {
    let value = |role: Role| [0, 1, 3, 3, 5, 9, 10][role as usize];
    let captured = mv.capture().map_or(0, |role| 16 * value(role));
    let promoted = mv.promotion().map_or(0, |role| 16 * value(role));
    captured + promoted - value(mv.role())
}

/// The side to move, as networks name it.
pub(crate) fn mover(position: &Chess) -> Color {
    position.turn().into()
}
