//! The position after a move.

use cozy_chess::{
    BitBoard, File, Piece, Rank, Square, get_between_rays, get_pawn_attacks, get_pawn_quiets,
};
use thiserror::Error;

use super::{Move, MoveKind, Position, attacks};

/// A move that no piece of a position can make.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the move {mv} cannot be made in this position")]
pub struct ImpossibleMove {
    /// the move
    pub mv: Move,
}

impl Position {
    /// The position after a move. A double push sets the en passant square if an enemy pawn can capture there
    /// without exposing its king to a bishop, rook or queen.
    ///
    /// # Errors
    ///
    /// If no piece of the side to move can make the move, castling is blocked, or a king would be captured.
    /// The move may leave the own king in check.
    ///
    /// ```
    /// use nnue_data::{Move, Position};
    ///
    /// let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1".parse()?;
    /// let after = position.play(Move::from_uci("e1g1", &position)?)?;
    /// assert_eq!(after.fen(1), "r3k2r/8/8/8/8/8/8/R4RK1 b kq - 4 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play(&self, mv: Move) -> Result<Self, ImpossibleMove> {
        let piece = self.moving_piece(mv).ok_or(ImpossibleMove { mv })?;
        Ok(self.after(mv, piece))
    }

    /// Whether the move captures, en passant included. Castling does not.
    pub fn is_capture(&self, mv: Move) -> bool {
        mv.kind == MoveKind::EnPassant || self.color(!self.side_to_move()).has(mv.to)
    }

    /// The piece that makes this move, if it can.
    fn moving_piece(&self, mv: Move) -> Option<Piece> {
        let us = self.side_to_move();
        let piece = self
            .piece_on(mv.from)
            .filter(|_| self.color(us).has(mv.from))?;
        let can = match mv.kind {
            MoveKind::Castling => piece == Piece::King && self.can_castle(mv.from, mv.to),
            _ => {
                self.reaches(piece, mv)
                    && self.is_promotion(piece, mv.to) == promotes_to_a_piece(mv.kind)?
            }
        };
        can.then_some(piece)
    }

    fn is_promotion(&self, piece: Piece, to: Square) -> bool {
        piece == Piece::Pawn && to.rank() == Rank::Eighth.relative_to(self.side_to_move())
    }

    fn reaches(&self, piece: Piece, mv: Move) -> bool {
        let us = self.side_to_move();
        let targets = match piece {
            Piece::Pawn if mv.kind == MoveKind::EnPassant => {
                get_pawn_attacks(mv.from, us)
                    & self.en_passant().map_or(BitBoard::EMPTY, Square::bitboard)
            }
            Piece::Pawn => {
                get_pawn_attacks(mv.from, us) & self.color(!us)
                    | get_pawn_quiets(mv.from, us, self.occupied())
            }
            _ if mv.kind == MoveKind::EnPassant => BitBoard::EMPTY,
            _ => attacks(piece, us, mv.from, self.occupied()) & !self.color(us),
        };
        (targets & !self.pieces(Piece::King)).has(mv.to)
    }

    /// Whether king and rook have a castling right, and no other piece is on their ways or destinations.
    pub(crate) fn can_castle(&self, king: Square, rook: Square) -> bool {
        if !(self.castling() & self.color(self.side_to_move())).has(rook) {
            return false;
        }
        let (king_to, rook_to) = castled(king, rook);
        let way = get_between_rays(king, king_to)
            | get_between_rays(rook, rook_to)
            | king_to.bitboard()
            | rook_to.bitboard();
        (way & self.occupied() & !king.bitboard() & !rook.bitboard()).is_empty()
    }

    /// The position after a move that `piece` can make.
    #[inline]
    pub(crate) fn after(&self, mv: Move, piece: Piece) -> Self {
        let us = self.side_to_move();
        let mut next = *self;
        let board = &mut next.0;
        let captures = board.colors[!us as usize].has(mv.to);
        if captures && let Some(captured) = self.piece_on(mv.to) {
            board.remove(mv.to, !us, captured);
        }
        board.remove(mv.from, us, piece);
        match mv.kind {
            MoveKind::Normal => board.put(mv.to, us, piece),
            MoveKind::Promotion(promoted) => board.put(mv.to, us, promoted),
            MoveKind::EnPassant => {
                board.put(mv.to, us, piece);
                board.remove(Square::new(mv.to.file(), mv.from.rank()), !us, Piece::Pawn);
            }
            MoveKind::Castling => {
                board.remove(mv.to, us, Piece::Rook);
                let (king, rook) = castled(mv.from, mv.to);
                board.put(king, us, Piece::King);
                board.put(rook, us, Piece::Rook);
            }
        }
        board.castling &= !(mv.from.bitboard() | mv.to.bitboard());
        if piece == Piece::King {
            board.castling &= !Rank::First.relative_to(us).bitboard();
        }
        board.halfmove_clock = if captures || piece == Piece::Pawn {
            0
        } else {
            board.halfmove_clock.saturating_add(1)
        };
        board.side_to_move = !us;
        board.en_passant = None;
        if piece == Piece::Pawn && (mv.from as usize).abs_diff(mv.to as usize) == 16 {
            next.0.en_passant = next.capturable(mv);
        }
        next
    }

    /// The square that a double push passed over, if a pawn of the side now to move can capture there without
    /// exposing its king to a bishop, rook or queen.
    fn capturable(&self, push: Move) -> Option<Square> {
        let us = self.side_to_move();
        let passed = Square::new(push.to.file(), Rank::Sixth.relative_to(us));
        let pawns = get_pawn_attacks(passed, !us) & self.colored(us, Piece::Pawn);
        let king = self.king(us);
        let is_safe = |pawn: Square| {
            let occupied =
                self.occupied() ^ pawn.bitboard() ^ push.to.bitboard() | passed.bitboard();
            self.sliders_to(king, !us, occupied).is_empty()
        };
        pawns.iter().any(is_safe).then_some(passed)
    }
}

/// Whether a move of this kind promotes. `None` if it promotes to a pawn or a king.
fn promotes_to_a_piece(kind: MoveKind) -> Option<bool> {
    match kind {
        MoveKind::Promotion(Piece::Pawn | Piece::King) => None,
        MoveKind::Promotion(_) => Some(true),
        _ => Some(false),
    }
}

/// The squares of king and rook after castling.
pub(super) fn castled(king: Square, rook: Square) -> (Square, Square) {
    let (king_file, rook_file) = if rook.file() > king.file() {
        (File::G, File::F)
    } else {
        (File::C, File::D)
    };
    (
        Square::new(king_file, king.rank()),
        Square::new(rook_file, king.rank()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(fen: &str, uci: &str) -> String {
        let position: Position = fen.parse().unwrap();
        let mv = Move::from_uci(uci, &position).unwrap();
        position
            .play(mv)
            .map_or_else(|error| error.to_string(), |after| after.fen(1))
    }

    #[test]
    fn en_passant_only_where_it_can_be_played() {
        assert_eq!(
            played("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", "e2e4"),
            "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"
        );
        assert_eq!(
            played("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4"),
            "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"
        );
        // both pawns leave the rank on which the rook looks at the king
        assert_eq!(
            played("8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1", "e2e4"),
            "8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1"
        );
    }

    #[test]
    fn castling_moves_two_pieces_and_ends_the_rights() {
        assert_eq!(
            played("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1", "e8c8"),
            "2kr3r/8/8/8/8/8/8/R3K2R w KQ - 4 1"
        );
        assert_eq!(
            played("4k3/8/8/8/8/8/8/1R2KR2 w BF - 0 1", "e1f1"),
            "4k3/8/8/8/8/8/8/1R3RK1 b - - 1 1"
        );
        assert_eq!(
            played("r3k2r/8/8/8/8/8/8/RN2K2R w KQkq - 3 1", "e1c1"),
            "the move e1a1 cannot be made in this position"
        );
    }

    #[test]
    fn a_captured_rook_ends_its_right() {
        assert_eq!(
            played("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 3 1", "a1a8"),
            "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1"
        );
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        for (fen, uci) in [
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2d3"),
            ("4k3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8"),
            ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "e7e8"),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4q"),
        ] {
            assert!(
                played(fen, uci).ends_with("cannot be made in this position"),
                "{fen} {uci}"
            );
        }
    }
}
