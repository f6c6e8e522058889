//! Standings of pieces: attacked by the other side, defended by their own. See
//! `docs/feature-sets.md`.

use super::attacks::{self, KING, KNIGHT, PAWN};
use crate::board::{Bitboards, Color, Piece, PieceKind, squares_of};
use crate::both::both;

/// Whether a piece is attacked and defended. Pins and the side to move are ignored, and no attack
/// passes through a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// the other side attacks its square
    pub attacked: bool,
    /// its own side attacks its square
    pub defended: bool,
}

impl Standing {
    /// All standings, in the order of [`Self::index`].
    pub const ALL: [Self; 4] = [
        Self {
            attacked: false,
            defended: false,
        },
        Self {
            attacked: true,
            defended: false,
        },
        Self {
            attacked: false,
            defended: true,
        },
        Self {
            attacked: true,
            defended: true,
        },
    ];

    /// `attacked + 2 * defended`
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.attacked as usize + 2 * self.defended as usize
    }
}

/// The squares of attacked pieces and of defended pieces.
#[inline(never)]
pub(super) fn standings(boards: &Bitboards) -> [u64; 2] {
    let pieces = both(Color::ALL, |color| {
        Piece::ALL
            .iter()
            .filter(|piece| piece.color() == color)
            .fold(0, |all, piece| all | boards[piece.index()])
    });
    let attacks = both(Color::ALL, |color| {
        attacks_of(boards, color, pieces[0] | pieces[1])
    });
    [
        pieces[0] & attacks[1] | pieces[1] & attacks[0],
        pieces[0] & attacks[0] | pieces[1] & attacks[1],
    ]
}

fn attacks_of(boards: &Bitboards, color: Color, occupied: u64) -> u64 {
    let mut all = 0;
    for kind in PieceKind::ALL {
        for square in squares_of(boards[Piece::new(color, kind).index()]) {
            let at = square.index();
            all |= match kind {
                PieceKind::Pawn => PAWN[color.index()][at],
                PieceKind::Knight => KNIGHT[at],
                PieceKind::Bishop => attacks::bishop(at, occupied),
                PieceKind::Rook => attacks::rook(at, occupied),
                PieceKind::Queen => attacks::bishop(at, occupied) | attacks::rook(at, occupied),
                PieceKind::King => KING[at],
            };
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standings_are_numbered_in_their_order() {
        assert_eq!(Standing::ALL.map(Standing::index), [0, 1, 2, 3]);
    }

    #[test]
    fn nothing_attacks_through_a_piece() {
        let mut boards = Bitboards::default();
        let mut put =
            |color, kind, square: u8| boards[Piece::new(color, kind).index()] |= 1 << square;
        put(Color::White, PieceKind::Rook, 0); // a1 defends a4, which hides a8 from it
        put(Color::White, PieceKind::Pawn, 24);
        put(Color::Black, PieceKind::Queen, 56); // a8 attacks a4
        put(Color::Black, PieceKind::King, 63); // h8 is defended along the rank, a8 by nothing: the king is far
        assert_eq!(standings(&boards), [1 << 24, 1 << 24 | 1 << 63]);
    }
}
