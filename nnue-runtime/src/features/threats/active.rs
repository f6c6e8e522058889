//! All threats on a board.

use super::Threat;
use super::attack::Attack;
use super::table::Table;
use crate::board::{Piece, PieceKind, Square, squares_of};
use crate::features::attacks;
use crate::features::pair_view::PairView;
use crate::features::piece_map::PieceMap;
use crate::features::row_change::RowChange;
use crate::simd::Scalar;

impl Table {
    /// Calls `found` with every row that is active on a board, in no particular order.
    #[inline(always)]
    pub(in crate::features) fn active(
        &self,
        board: &PieceMap,
        view: PairView,
        mut found: impl FnMut(u32),
    ) {
        self.for_each(board, |threat| {
            if let Some(row) = self.row_of(view, &threat) {
                found(row);
            }
        });
    }

    /// The row of a threat as `view` sees it, if it has one.
    #[inline(always)]
    pub(super) fn row_of(&self, view: PairView, threat: &Threat) -> Option<u32> {
        let placed = |piece: Piece, square| (piece.index() as u8, square);
        let Threat {
            attacker,
            from,
            attacked,
            to,
        } = *threat;
        self.row(
            Attack::new(
                RowChange::Added,
                placed(attacker, from),
                placed(attacked, to),
            )
            .seen(view),
        )
    }

    /// Calls `found` with every threat on a board, in no particular order.
    #[inline(always)]
    pub(super) fn for_each(&self, board: &PieceMap, mut found: impl FnMut(Threat)) {
        let by_square = board.by_square(Scalar);
        for attacker in Piece::ALL {
            for from in squares_of(board.pieces(attacker)) {
                for to in squares_of(self.attacked_by(board, attacker, from)) {
                    let Some(&attacked) = Piece::ALL.get(usize::from(by_square[to.index()])) else {
                        continue;
                    };
                    if self.knows(attacker.index(), attacked.index()) {
                        found(Threat {
                            attacker,
                            from,
                            attacked,
                            to,
                        });
                    }
                }
            }
        }
    }

    /// The occupied squares that a piece attacks, by this set's definition of attacks.
    #[inline(always)]
    fn attacked_by(&self, board: &PieceMap, attacker: Piece, from: Square) -> u64 {
        let (square, occupied) = (from.index(), board.occupied());
        let set = match attacker.kind() {
            PieceKind::Pawn => {
                let ahead = if self.pushes {
                    attacks::PUSH[attacker.color().index()][square]
                } else {
                    0
                };
                attacks::PAWN[attacker.color().index()][square]
                    | ahead & board.both(PieceKind::Pawn)
            }
            PieceKind::Knight => attacks::KNIGHT[square],
            PieceKind::Bishop => attacks::bishop(square, occupied),
            PieceKind::Rook => attacks::rook(square, occupied),
            PieceKind::Queen => attacks::bishop(square, occupied) | attacks::rook(square, occupied),
            PieceKind::King => attacks::KING[square],
        };
        set & occupied
    }
}
