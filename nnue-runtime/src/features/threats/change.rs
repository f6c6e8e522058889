//! The threats that a move makes and unmakes, from the squares that changed.
//!
//! ```text
//!   of a piece that came or went         all its attacks
//!   on a square that changed             all attacks onto it, from pieces that stayed
//!   of a slider that stayed              if a square on its way was filled or cleared: the piece that it lost or found
//! ```
//!
//! The three are disjoint, and nothing else changes: what a piece that stayed attacks depends only on the squares that it
//! looks at. A slider looks at a changed square before the move if and only if it does after, since up to the first of
//! them its way is the same.

use super::{Threat, ThreatChanges, ThreatList, Threats, both};
use crate::board::{Color, Piece, PieceKind, Square, squares_of};
use crate::features::attacks;
use crate::features::piece_map::PieceMap;

impl<const PAIRS: u64> Threats<PAIRS> {
    /// Finds how the threats on two boards differ, of which one became the other by a move; the lists of `changes` are
    /// replaced.
    ///
    /// # Panics
    ///
    /// If the boards differ by so much more than a move that a list overflows.
    #[inline(always)]
    pub fn changes(before: &PieceMap, after: &PieceMap, changes: &mut ThreatChanges) {
        let changed = before.differing(after);
        changes.removed.clear();
        changes.added.clear();
        Self::around(before, changed, &mut changes.removed);
        Self::around(after, changed, &mut changes.added);
        Self::through(before, after, changed, changes);
    }

    /// The threats of and on the pieces on `changed`.
    #[inline(always)]
    fn around(board: &PieceMap, changed: u64, list: &mut ThreatList) {
        let mut push = |threat: Threat| list.push(threat);
        for square in squares_of(changed & board.occupied()) {
            let Some(piece) = board.on(square) else { continue };
            Self::attacks_of(board, piece, square, !0, &mut push);
            for from in squares_of(Self::attackers_of(board, piece, square) & !changed) {
                if let Some(attacker) = board.on(from) {
                    Self::report(board, attacker, from, square.bit(), &mut push);
                }
            }
        }
    }

    /// The pieces that attack the piece on a square, as this set counts attacks.
    #[inline(always)]
    fn attackers_of(board: &PieceMap, attacked: Piece, to: Square) -> u64 {
        let square = to.index();
        let is_pushed = Self::PAIRS.pushes() && attacked.kind() == PieceKind::Pawn;
        let of_pawns = Color::ALL.into_iter().fold(0, |all, color| {
            let behind = if is_pushed { attacks::PUSHERS[color.index()][square] } else { 0 };
            let from = attacks::PAWN_ATTACKERS[color.index()][square] | behind;
            all | from & board.pieces(Piece::new(color, PieceKind::Pawn))
        });
        of_pawns
            | attacks::KNIGHT[square] & both(board, PieceKind::Knight)
            | attacks::KING[square] & both(board, PieceKind::King)
            | sliders_on(board, square)
    }

    /// The threats between pieces that stayed, of sliders whose way was filled or cleared.
    #[inline(always)]
    fn through(before: &PieceMap, after: &PieceMap, changed: u64, changes: &mut ThreatChanges) {
        let filled_or_cleared = before.occupied() ^ after.occupied();
        let looking = squares_of(filled_or_cleared).fold(0, |all, square| all | sliders_on(before, square.index()));
        for from in squares_of(looking & !changed) {
            let Some(slider) = before.on(from) else { continue };
            let [seen_before, seen_after] =
                [before, after].map(|board| Self::attacked_by(board, slider, from) & !changed);
            Self::report(before, slider, from, seen_before & !seen_after, &mut |threat| changes.removed.push(threat));
            Self::report(after, slider, from, seen_after & !seen_before, &mut |threat| changes.added.push(threat));
        }
    }
}

/// The bishops, rooks and queens that look at a square.
#[inline(always)]
fn sliders_on(board: &PieceMap, square: usize) -> u64 {
    let occupied = board.occupied();
    let queens = both(board, PieceKind::Queen);
    attacks::bishop(square, occupied) & (queens | both(board, PieceKind::Bishop))
        | attacks::rook(square, occupied) & (queens | both(board, PieceKind::Rook))
}
