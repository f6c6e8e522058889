//! A small alpha-beta search.
//!
//! Principal variation search with iterative deepening up to a node limit, quiescence search of captures and
//! promotions, and a transposition table. It is small and deterministic, made to score training positions,
//! not to play. No margin depends on the unit of the network's values.
//!
//! ```text
//!   best ── depth 1, 2, 3, .. ──► node ── moves in the order of `moves` ──► node .. ──► quiet ──► Evaluator
//!                                   └── table: values and best moves of earlier depths
//! ```

mod evaluator;
mod line;
mod moves;
mod table;
#[cfg(test)]
mod tests;

use cozy_chess::{Board, Color, Move, Piece};

pub use evaluator::{Evaluator, Real, position_of, score_of};
use line::DECIDED;
pub use line::{MATE, MAX_PLY};
use moves::{Ordering, captures, legal_moves};
use table::{Bound, Entry, Table};

/// Greater than any value.
const INFINITE: i32 = MATE + 1;

/// Limits of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// the greatest depth in plies, at least 1
    pub depth: u32,
    /// no new depth starts after this many nodes
    pub soft_nodes: u64,
    /// the search stops within a depth after this many nodes
    pub hard_nodes: u64,
}

/// The result of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// the best move
    pub best: Move,
    /// the value for the side to move: of the network, or a mate score
    pub value: i32,
    /// completed depths; 0 if the first one was interrupted
    pub depth: u32,
    /// visited positions
    pub nodes: u64,
}

/// A search whose table and move ordering last for a game.
///
/// ```
/// use cozy_chess::{Board, Color, Piece};
/// use nnue_train::search::{Limits, MATE, Search};
///
/// let material = |board: &Board| {
///     let worth = |color| [100, 300, 300, 500, 900].iter().zip(Piece::ALL).map(|(worth, piece)| worth * board.colored_pieces(color, piece).len() as i32).sum::<i32>();
///     worth(board.side_to_move()) - worth(!board.side_to_move())
/// };
/// let mut search = Search::new(material, 12);
/// let board: Board = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1".parse().unwrap();
/// let found = search.best(&board, &[], Limits { depth: 4, soft_nodes: 10_000, hard_nodes: 80_000 }).unwrap();
/// assert_eq!((found.best.to_string(), found.value), ("d1d8".to_owned(), MATE - 1));
/// ```
#[derive(Debug)]
pub struct Search<E> {
    evaluator: E,
    table: Table,
    ordering: Ordering,
    /// hashes of earlier positions, of the game and of the line
    path: Vec<u64>,
    limits: Limits,
    nodes: u64,
    is_stopped: bool,
    /// the best root move so far
    best: Option<(Move, i32)>,
}

impl<E: Evaluator> Search<E> {
    /// A search with a table of `2^table_bits` entries of 24 bytes.
    ///
    /// # Panics
    ///
    /// If the table would have more than `2^32` entries.
    pub fn new(evaluator: E, table_bits: u32) -> Self {
        let limits = Limits {
            depth: 1,
            soft_nodes: 0,
            hard_nodes: 0,
        };
        Self {
            evaluator,
            table: Table::new(table_bits),
            ordering: Ordering::default(),
            path: Vec::new(),
            limits,
            nodes: 0,
            is_stopped: false,
            best: None,
        }
    }

    /// Clears table and move ordering: the next search does not depend on earlier ones.
    pub fn clear(&mut self) {
        self.table.clear();
        self.ordering.clear();
    }

    /// Searches for the best move. `before` has the hashes, without en passant, of the positions since the
    /// last capture or pawn move, to detect repetitions. `None` without a legal move, or if the position
    /// cannot occur in a game ([`Position::check_of_game`](nnue_data::Position::check_of_game)): a board may
    /// have adjacent kings.
    pub fn best(&mut self, board: &Board, before: &[u64], limits: Limits) -> Option<Found> {
        position_of(board).check_of_game().ok()?;
        let first = legal_moves(board).into_iter().next()?;
        self.path.clear();
        self.path.extend_from_slice(before);
        (self.limits, self.nodes, self.is_stopped, self.best) = (limits, 0, false, None);
        self.ordering.age();
        let (mut found, mut completed) = ((first, 0), 0);
        for depth in 1..=limits.depth.clamp(1, MAX_PLY as u32) {
            let value = self.node(board, depth as i32, [-INFINITE, INFINITE], 0, false);
            // An interrupted depth searches the best move of the previous depth first, so its best is no
            // worse.
            found = self.best.unwrap_or(found);
            if self.is_stopped {
                break;
            }
            (found.1, completed) = (value, depth);
            if self.nodes >= limits.soft_nodes || value.abs() >= MATE - depth as i32 {
                break;
            }
        }
        Some(Found {
            best: found.0,
            value: found.1,
            depth: completed,
            nodes: self.nodes,
        })
    }

    /// Static evaluation for the side to move, clamped below mate scores.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        self.evaluator
            .evaluate(board)
            .clamp(1 - DECIDED, DECIDED - 1)
    }

    /// Counts a node; returns whether the search goes on.
    fn count(&mut self) -> bool {
        self.nodes += 1;
        self.is_stopped |= self.nodes > self.limits.hard_nodes;
        !self.is_stopped
    }

    /// The value for the side to move: exact within the window, a bound outside.
    fn node(
        &mut self,
        board: &Board,
        depth: i32,
        [alpha, beta]: [i32; 2],
        ply: usize,
        may_pass: bool,
    ) -> i32 {
        if ply > 0 && self.is_drawn(board) {
            return 0;
        }
        let is_check = !board.checkers().is_empty();
        let depth = depth + i32::from(is_check);
        if depth <= 0 || ply >= MAX_PLY {
            return self.quiet(board, [alpha, beta], ply);
        }
        if !self.count() {
            return 0;
        }
        // Mate distance pruning.
        let (mut alpha, beta) = (
            alpha.max(ply as i32 - MATE),
            beta.min(MATE - ply as i32 - 1),
        );
        if alpha >= beta {
            return alpha;
        }
        let entry = self.table.get(board.hash(), ply);
        let is_open = beta - alpha > 1;
        if let Some(entry) = entry.filter(|entry| !is_open && i32::from(entry.depth) >= depth)
            && entry.bound.decides(entry.value, alpha, beta)
        {
            return entry.value;
        }
        if may_pass && !is_open && !is_check && self.is_good_enough_to_pass(board, depth, beta, ply)
        {
            return beta;
        }
        let mut moves = self.ordering.of(
            board,
            legal_moves(board),
            entry.and_then(|entry| entry.best),
            ply,
        );
        if moves.is_empty() {
            return if is_check { ply as i32 - MATE } else { 0 };
        }
        let (mut greatest, mut best, least) = (-INFINITE, None, alpha);
        self.path.push(board.hash_without_ep());
        for index in 0.. {
            let Some(mv) = moves.next(index) else { break };
            let mut child = board.clone();
            child.play_unchecked(mv);
            let is_quiet = moves::is_quiet(board, mv);
            let reduction = if is_quiet && !is_check {
                reduction(depth, index)
            } else {
                0
            };
            let value = self.child(&child, depth, [alpha, beta], (ply, index), reduction);
            if self.is_stopped {
                break;
            }
            if value > greatest {
                (greatest, best) = (value, Some(mv));
                if ply == 0 {
                    self.best = Some((mv, value));
                }
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                if is_quiet {
                    self.ordering.reward(board, mv, depth, ply);
                }
                break;
            }
        }
        self.path.pop();
        if self.is_stopped {
            return 0;
        }
        let bound = Bound::of(greatest, [least, beta]);
        self.table.put(
            board.hash(),
            Entry {
                value: greatest,
                best,
                depth: depth as i8,
                bound,
            },
            ply,
        );
        greatest
    }

    /// The value of a child: the first move with the full window, others with a null window and reduced depth
    /// first.
    fn child(
        &mut self,
        child: &Board,
        depth: i32,
        [alpha, beta]: [i32; 2],
        (ply, index): (usize, usize),
        reduction: i32,
    ) -> i32 {
        let mut search =
            |depth, alpha: i32, beta: i32| -self.node(child, depth, [-beta, -alpha], ply + 1, true);
        if index == 0 {
            return search(depth - 1, alpha, beta);
        }
        let mut value = search(depth - 1 - reduction, alpha, alpha + 1);
        if value > alpha && reduction > 0 {
            value = search(depth - 1, alpha, alpha + 1);
        }
        if value > alpha && value < beta {
            search(depth - 1, alpha, beta)
        } else {
            value
        }
    }

    /// Null-move pruning: whether the side to move is above `beta` even after passing. Skipped in pawn
    /// endings, where passing may be the best move.
    fn is_good_enough_to_pass(&mut self, board: &Board, depth: i32, beta: i32, ply: usize) -> bool {
        let side = board.colors(board.side_to_move());
        let has_pieces =
            !(side & !board.pieces(Piece::Pawn) & !board.pieces(Piece::King)).is_empty();
        if depth < 3 || !has_pieces || beta.abs() >= DECIDED || self.evaluate(board) < beta {
            return false;
        }
        let Some(passed) = board.null_move() else {
            return false;
        };
        self.path.push(board.hash_without_ep());
        let value = -self.node(
            &passed,
            depth - 3 - depth / 4,
            [-beta, 1 - beta],
            ply + 1,
            false,
        );
        self.path.pop();
        !self.is_stopped && value >= beta
    }

    /// Quiescence search: captures and promotions, or all moves when in check.
    fn quiet(&mut self, board: &Board, [mut alpha, beta]: [i32; 2], ply: usize) -> i32 {
        if !self.count() {
            return 0;
        }
        let is_check = !board.checkers().is_empty();
        let mut greatest = if is_check && ply < MAX_PLY {
            -INFINITE
        } else {
            self.evaluate(board)
        };
        alpha = alpha.max(greatest);
        if alpha >= beta || ply >= MAX_PLY {
            return greatest;
        }
        let moves = if is_check {
            legal_moves(board)
        } else {
            captures(board)
        };
        if moves.is_empty() && is_check {
            return ply as i32 - MATE;
        }
        let mut moves = self.ordering.of(board, moves, None, ply);
        for index in 0.. {
            let Some(mv) = moves.next(index) else { break };
            let mut child = board.clone();
            child.play_unchecked(mv);
            let value = -self.quiet(&child, [-beta, -alpha], ply + 1);
            if self.is_stopped {
                return 0;
            }
            greatest = greatest.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        greatest
    }

    /// Whether a position is drawn by repetition, by the fifty-move rule or by insufficient material.
    fn is_drawn(&self, board: &Board) -> bool {
        let clock = usize::from(board.halfmove_clock());
        let since = &self.path[self.path.len().saturating_sub(clock)..];
        // Checkmate on the hundredth ply takes precedence.
        let is_fifty =
            clock >= 100 && (board.checkers().is_empty() || !legal_moves(board).is_empty());
        is_fifty || since.contains(&board.hash_without_ep()) || is_material_draw(board)
    }
}

/// Whether neither side has more than a king, except for a single knight or bishop.
pub fn is_material_draw(board: &Board) -> bool {
    let minor = board.pieces(Piece::Knight) | board.pieces(Piece::Bishop);
    let kings = board.pieces(Piece::King);
    let all = board.colors(Color::White) | board.colors(Color::Black);
    (all & !minor & !kings).is_empty() && (all & minor).len() <= 1
}

/// Late move reduction, in plies.
const fn reduction(depth: i32, index: usize) -> i32 {
    match index {
        _ if depth < 3 => 0,
        0..3 => 0,
        3..10 => 1,
        _ => 1 + depth / 4,
    }
}
