//! Adapter for boards of the crate `shakmaty` (feature `shakmaty`).
//!
//! shakmaty is licensed GPL-3.0-or-later, and so is a program that enables this feature.

mod policy;

use ::shakmaty::{CastlingSide, Chess, Move, Role};

pub use self::policy::{move_of, policy_move};
use super::{Change, Color, Piece, PieceKind, Position, Square};

impl From<::shakmaty::Color> for Color {
    #[inline(always)]
    fn from(color: ::shakmaty::Color) -> Self {
        if color.is_white() {
            Self::White
        } else {
            Self::Black
        }
    }
}

impl From<Role> for PieceKind {
    #[inline(always)]
    fn from(role: Role) -> Self {
        match role {
            Role::Pawn => Self::Pawn,
            Role::Knight => Self::Knight,
            Role::Bishop => Self::Bishop,
            Role::Rook => Self::Rook,
            Role::Queen => Self::Queen,
            Role::King => Self::King,
        }
    }
}

impl From<::shakmaty::Square> for Square {
    #[inline(always)]
    fn from(square: ::shakmaty::Square) -> Self {
        Self::wrapping(square.to_u32())
    }
}

#[inline(always)]
const fn role(kind: PieceKind) -> Role {
    match kind {
        PieceKind::Pawn => Role::Pawn,
        PieceKind::Knight => Role::Knight,
        PieceKind::Bishop => Role::Bishop,
        PieceKind::Rook => Role::Rook,
        PieceKind::Queen => Role::Queen,
        PieceKind::King => Role::King,
    }
}

impl Position for Chess {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        Any(self).pieces(color, kind)
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        Any(self).side_to_move()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        Any(self).occupied()
    }
}

/// Wraps any position of shakmaty, for variants, whose positions do not implement [`Position`].
#[derive(Clone, Copy, Debug)]
pub struct Any<'a, P>(
    /// the position
    pub &'a P,
);

impl<P: ::shakmaty::Position> Position for Any<'_, P> {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let color = ::shakmaty::Color::from_white(color == Color::White);
        (self.0.board().by_color(color) & self.0.board().by_role(role(kind))).0
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.0.turn().into()
    }

    #[inline]
    fn occupied(&self) -> u64 {
        self.0.board().occupied().0
    }
}

/// The change of `chess_move`, which must be legal in `position`. Call this before the move is
/// played.
///
/// Correct for chess, Chess960 and every variant in which a move changes the board as in chess, so
/// not for atomic chess.
pub fn change_of<P: ::shakmaty::Position>(position: &P, chess_move: &Move) -> Change {
    let color = Color::from(position.turn());
    let own = |role: Role| Piece::new(color, role.into());
    match *chess_move {
        Move::Normal {
            from,
            to,
            capture,
            promotion: Some(promoted),
            ..
        } => Change::promotion(
            color,
            from.into(),
            to.into(),
            promoted.into(),
            capture.map(|role| enemy(color, role)),
        ),
        Move::Normal {
            role,
            from,
            to,
            capture: Some(captured),
            ..
        } => Change::capture(own(role), from.into(), to.into(), enemy(color, captured)),
        Move::Normal { role, from, to, .. } => Change::quiet(own(role), from.into(), to.into()),
        Move::EnPassant { from, to } => Change::en_passant(color, from.into(), to.into()),
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            let targets = (side.king_to(position.turn()), side.rook_to(position.turn()));
            Change::castling(
                color,
                (king.into(), targets.0.into()),
                (rook.into(), targets.1.into()),
            )
        }
        Move::Put { role, to } => Change::drop(own(role), to.into()),
    }
}

#[inline(always)]
fn enemy(color: Color, role: Role) -> Piece {
    Piece::new(color.other(), role.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

    use crate::board::Predecessor;
    use crate::board::test_support::{bitboards, undoes};

    /// Compares everything that networks read.
    fn assert_same<P: Position, Q: Position>(found: &P, expected: &Q) {
        assert_eq!(bitboards(found), bitboards(expected));
        assert_eq!(
            (found.occupied(), found.side_to_move()),
            (expected.occupied(), expected.side_to_move())
        );
        assert_eq!(
            Color::ALL.map(|color| found.king(color)),
            Color::ALL.map(|color| expected.king(color))
        );
    }

    #[test]
    fn every_legal_move_is_made_and_undone_by_its_change() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3pPk/8/4P3/8 b - g3 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "1rkr4/8/8/8/8/8/8/5RKR w FHbd - 0 1",
            "rk6/pp6/8/8/8/8/PP6/KR6 w Ba - 0 1",
        ] {
            let fen: Fen = fen.parse().expect("a FEN");
            let position: Chess = fen
                .into_position(CastlingMode::Chess960)
                .expect("a legal position");
            for chess_move in position.legal_moves() {
                let after = position.clone().play(chess_move).expect("a legal move");
                let change = change_of(&position, &chess_move);
                assert!(undoes(&change, &position, &after), "{chess_move:?}");
                assert_same(&Predecessor::new(&position).after(&change), &after);
            }
        }
    }
}
