//! Move ordering: the best move of an earlier search, captures (most valuable victim, least valuable
//! attacker), promotions, killer moves, and history.

use cozy_chess::{Board, Color, Move, Piece, Square};

use super::line::MAX_PLY;

pub(super) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::with_capacity(48);
    board.generate_moves(|of_piece| {
        moves.extend(of_piece);
        false
    });
    moves
}

/// Legal captures and queen promotions.
pub(super) fn captures(board: &Board) -> Vec<Move> {
    let mut moves = legal_moves(board);
    moves.retain(|&mv| victim(board, mv).is_some() || mv.promotion == Some(Piece::Queen));
    moves
}

pub(super) fn is_quiet(board: &Board, mv: Move) -> bool {
    mv.promotion.is_none() && victim(board, mv).is_none()
}

/// The captured piece. Castling is encoded as the king capturing its rook, which is no capture.
fn victim(board: &Board, mv: Move) -> Option<Piece> {
    if board.colors(!board.side_to_move()).has(mv.to) {
        return board.piece_on(mv.to);
    }
    let is_en_passant = mv.from.file() != mv.to.file() && board.pieces(Piece::Pawn).has(mv.from);
    is_en_passant.then_some(Piece::Pawn)
}

/// Statistics of quiet moves.
#[derive(Debug)]
pub(super) struct Ordering {
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    /// by side, from-square and to-square
    history: Box<[[[i32; Square::NUM]; Square::NUM]; Color::NUM]>,
}

impl Default for Ordering {
    fn default() -> Self {
        let history = Box::new([[[0; Square::NUM]; Square::NUM]; Color::NUM]);
        Self {
            killers: [[None; 2]; MAX_PLY + 2],
            history,
        }
    }
}

// Scores above all of history, in ascending order.
const KILLER: i32 = 1 << 24;
const CAPTURE: i32 = 1 << 26;
const KNOWN: i32 = 1 << 30;

impl Ordering {
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Halves the history and clears the killers.
    pub(super) fn age(&mut self) {
        self.killers = [[None; 2]; MAX_PLY + 2];
        self.history
            .as_flattened_mut()
            .as_flattened_mut()
            .iter_mut()
            .for_each(|score| *score /= 2);
    }

    /// Records a quiet move that caused a cutoff.
    pub(super) fn reward(&mut self, board: &Board, mv: Move, depth: i32, ply: usize) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(mv) {
            *killers = [Some(mv), killers[0]];
        }
        let score =
            &mut self.history[board.side_to_move() as usize][mv.from as usize][mv.to as usize];
        *score = (*score + depth * depth).min(KILLER - 2);
    }

    /// Scores moves for ordered iteration.
    pub(super) fn of(
        &self,
        board: &Board,
        moves: Vec<Move>,
        known: Option<Move>,
        ply: usize,
    ) -> Ordered {
        let scored = moves
            .into_iter()
            .map(|mv| (self.score(board, mv, known, ply), mv));
        Ordered(scored.collect())
    }

    fn score(&self, board: &Board, mv: Move, known: Option<Move>, ply: usize) -> i32 {
        if known == Some(mv) {
            return KNOWN;
        }
        let promoted = mv.promotion.map_or(0, |piece| piece as i32);
        if let Some(victim) = victim(board, mv) {
            let attacker = board.piece_on(mv.from).map_or(0, |piece| piece as i32);
            return CAPTURE + 64 * promoted + 8 * victim as i32 - attacker;
        }
        if promoted > 0 {
            return if promoted == Piece::Queen as i32 {
                CAPTURE + 64 * promoted
            } else {
                promoted - KILLER
            };
        }
        match self.killers[ply]
            .iter()
            .position(|&killer| killer == Some(mv))
        {
            Some(index) => KILLER - index as i32,
            None => self.history[board.side_to_move() as usize][mv.from as usize][mv.to as usize],
        }
    }
}

pub(super) struct Ordered(Vec<(i32, Move)>);

impl Ordered {
    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The best move after the first `index`, which were taken; the first one of equals.
    pub(super) fn next(&mut self, index: usize) -> Option<Move> {
        let left = self.0.get_mut(index..)?;
        let (best, _) = left
            .iter()
            .enumerate()
            .max_by_key(|(at, (score, _))| (*score, std::cmp::Reverse(*at)))?;
        left.swap(0, best);
        Some(left[0].1)
    }
}
