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
//! them its way is the same. That holds however many squares changed, so that a change may be that of several moves.
//!
//! Tricks:
//! * One look from a square gives what its piece attacks and what attacks it: `looks from it & what the piece attacks on
//!   an empty board`, the same for every kind of piece.
//! * How many attacks there are is not predictable, so a loop costs more than what is done in it: attacks of and on a
//!   piece share one, and so do those that a slider lost and found. Attacks without a row are computed, too, and dropped
//!   without a branch by who counts the rows.

use super::{Threat, Threats};
use crate::board::{Color, Piece, PieceKind, Square, squares_of};
use crate::features::attacks;
use crate::features::pair_set::{RowChange, RowSink};
use crate::features::pair_view::PairView;
use crate::features::piece_map::PieceMap;

/// What is seen from a square: the first pieces on all lines, and those a knight's move away.
#[derive(Clone, Copy)]
struct Look {
    diagonal: u64,
    straight: u64,
    knight: u64,
}

impl Look {
    #[inline(always)]
    fn from(board: &PieceMap, square: Square) -> Self {
        let (at, occupied) = (square.index(), board.occupied());
        Self {
            diagonal: attacks::bishop(at, occupied) & occupied,
            straight: attacks::rook(at, occupied) & occupied,
            knight: attacks::KNIGHT[at] & occupied,
        }
    }
}

/// Finds how the threats on two boards differ.
pub(super) struct Changes<'a, const PAIRS: u64, const N: usize, S> {
    /// before and after
    pub(super) boards: [&'a PieceMap; 2],
    pub(super) views: [PairView; N],
    pub(super) sink: &'a mut S,
}

impl<const PAIRS: u64, const N: usize, S: RowSink<N>> Changes<'_, PAIRS, N, S> {
    #[inline(always)]
    pub(super) fn find(mut self) {
        let [before, after] = self.boards;
        let changed = before.differing(after);
        let moved = before.occupied() ^ after.occupied();
        let mut sliders = 0;
        for (board, change) in [(before, RowChange::Removed), (after, RowChange::Added)] {
            for square in squares_of(changed & board.occupied()) {
                let looking = self.around(board, square, changed, change);
                sliders |= if moved & square.bit() != 0 { looking } else { 0 };
            }
        }
        for from in squares_of(sliders & !changed) {
            self.through(from, changed);
        }
    }

    /// The threats of and on the piece on `square`; returns the sliders that look at it.
    #[inline(always)]
    fn around(&mut self, board: &PieceMap, square: Square, changed: u64, change: RowChange) -> u64 {
        let Some(piece) = board.on(square) else { return 0 };
        let look = Look::from(board, square);
        let sliders = look.sliders(board);
        let attacked = Threats::<PAIRS>::attacked(board, look, piece, square);
        let attackers = (sliders | Threats::<PAIRS>::leapers(board, look, piece, square)) & !changed;
        for other in squares_of(attacked | attackers) {
            let Some(neighbour) = board.on(other) else { continue };
            let here = (piece, square);
            let there = (neighbour, other);
            let ((attacker, from), (attacked, to)) =
                if attacked & other.bit() != 0 { (here, there) } else { (there, here) };
            self.put(change, Threat { attacker, from, attacked, to });
        }
        for other in squares_of(attacked & attackers) {
            let Some(neighbour) = board.on(other) else { continue };
            self.put(change, Threat { attacker: neighbour, from: other, attacked: piece, to: square });
        }
        sliders
    }

    /// The threats on pieces that stayed, of the slider on `from`, whose way was filled or cleared.
    #[inline(always)]
    fn through(&mut self, from: Square, changed: u64) {
        let [before, after] = self.boards;
        let Some(attacker) = after.on(from) else { return };
        let seen = |board: &PieceMap| Threats::<PAIRS>::attacked(board, Look::from(board, from), attacker, from);
        let (before, now) = (seen(before) & !changed, seen(after) & !changed);
        for to in squares_of(before ^ now) {
            let Some(attacked) = after.on(to) else { continue };
            let change = if now & to.bit() != 0 { RowChange::Added } else { RowChange::Removed };
            self.put(change, Threat { attacker, from, attacked, to });
        }
    }

    /// The rows of a threat.
    #[inline(always)]
    fn put(&mut self, change: RowChange, threat: Threat) {
        let mut rows = [None; N];
        for (row, view) in rows.iter_mut().zip(self.views) {
            *row = Threats::<PAIRS>::row(view, &threat);
        }
        self.sink.push(change, rows);
    }
}

impl Look {
    /// The bishops, rooks and queens that attack the square of a look.
    #[inline(always)]
    fn sliders(self, board: &PieceMap) -> u64 {
        let queens = board.both(PieceKind::Queen);
        self.diagonal & (queens | board.both(PieceKind::Bishop))
            | self.straight & (queens | board.both(PieceKind::Rook))
    }
}

impl<const PAIRS: u64> Threats<PAIRS> {
    /// The pieces that `piece` on `square` attacks, as this set counts attacks.
    #[inline(always)]
    fn attacked(board: &PieceMap, look: Look, piece: Piece, square: Square) -> u64 {
        let seen = (look.diagonal | look.straight | look.knight) & Self::TABLE.empty(piece.index(), square.index());
        if Self::PAIRS.pushes() && piece.kind() == PieceKind::Pawn {
            seen & (look.diagonal | board.both(PieceKind::Pawn))
        } else {
            seen
        }
    }

    /// The other pieces that attack `piece` on the square of a look, as this set counts attacks.
    #[inline(always)]
    fn leapers(board: &PieceMap, look: Look, piece: Piece, square: Square) -> u64 {
        let at = square.index();
        let is_pushed = Self::PAIRS.pushes() && piece.kind() == PieceKind::Pawn;
        let of_pawns = Color::ALL.into_iter().fold(0, |all, color| {
            let behind = if is_pushed { attacks::PUSHERS[color.index()][at] } else { 0 };
            let from = attacks::PAWN_ATTACKERS[color.index()][at] | behind;
            all | from & board.pieces(Piece::new(color, PieceKind::Pawn))
        });
        of_pawns | look.knight & board.both(PieceKind::Knight) | attacks::KING[at] & board.both(PieceKind::King)
    }
}
