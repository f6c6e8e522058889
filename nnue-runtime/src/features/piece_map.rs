//! A board that finds pieces by kind and by square, for feature sets of pairs.

use crate::board::{Bitboards, Change, Color, Piece, PieceKind, Placed, Position, Square};
use crate::simd::Simd;

/// A board that finds pieces by kind and by square.
#[derive(Clone, Copy, Debug)]
pub struct PieceMap {
    boards: Bitboards,
    occupied: u64,
}

impl PieceMap {
    /// The pieces of a position. If several are on one square, only one is kept.
    #[inline]
    pub fn new<P: Position + ?Sized>(position: &P) -> Self {
        let mut boards = Bitboards::default();
        for piece in Piece::ALL {
            boards[piece.index()] = position.pieces(piece.color(), piece.kind());
        }
        Self::of_boards(boards)
    }

    /// The pieces of these boards. If several are on one square, only one is kept.
    #[inline]
    pub(crate) fn of_boards(mut boards: Bitboards) -> Self {
        let mut occupied = 0;
        for board in &mut boards {
            // Only one piece per square.
            *board &= !occupied;
            occupied |= *board;
        }
        Self { boards, occupied }
    }

    /// The board before `changes`, which are given latest first; `self` is the board after them.
    #[must_use]
    #[inline]
    pub fn undone<'a>(&self, changes: impl IntoIterator<Item = &'a Change>) -> Self {
        let mut board = *self;
        changes.into_iter().for_each(|change| board.undo(change));
        board
    }

    /// The board after `change`; `self` is the board before it.
    #[must_use]
    #[inline]
    pub(crate) fn after(&self, change: &Change) -> Self {
        self.undone([&change.inverse()])
    }

    /// Goes back to the board before `change`. Branch-free, because the number of pieces of a
    /// change is not predictable.
    #[inline(always)]
    fn undo(&mut self, change: &Change) {
        let (removed, added) = change.padded();
        let bits = |pieces: &[Placed; 2], len: usize| {
            let bit = |at: usize| if at < len { pieces[at].square.bit() } else { 0 };
            [bit(0), bit(1)]
        };
        let (taken, put) = (
            bits(removed, change.removed().len()),
            bits(added, change.added().len()),
        );
        let changed = taken[0] | taken[1] | put[0] | put[1];
        self.boards.iter_mut().for_each(|board| *board &= !changed);
        self.occupied &= !changed;
        for (placed, bit) in removed.iter().zip(taken) {
            self.boards[placed.piece.index()] |= bit & !self.occupied;
            self.occupied |= bit;
        }
    }

    /// The index of the piece on each square; unspecified where there is none.
    #[inline(always)]
    pub(crate) fn by_square<S: Simd>(&self, simd: S) -> [u8; 64] {
        let any = |pieces: &[usize]| {
            pieces
                .iter()
                .fold(0, |all, &piece| all | self.boards[piece])
        };
        simd.bytes_of_planes([
            any(&[1, 3, 5, 7, 9, 11]),
            any(&[2, 3, 6, 7, 10, 11]),
            any(&[4, 5, 6, 7]),
            any(&[8, 9, 10, 11]),
        ])
    }

    /// The number of pieces.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    #[inline(always)]
    pub(crate) const fn boards(&self) -> &Bitboards {
        &self.boards
    }

    /// The squares of a piece.
    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> u64 {
        self.boards[piece.index()]
    }

    /// The squares of both sides' pieces of a kind.
    #[inline(always)]
    pub fn both(&self, kind: PieceKind) -> u64 {
        Color::ALL
            .into_iter()
            .fold(0, |all, color| all | self.pieces(Piece::new(color, kind)))
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// The piece on a square.
    #[inline]
    pub fn on(&self, square: Square) -> Option<Piece> {
        Piece::ALL
            .into_iter()
            .find(|piece| self.pieces(*piece) & square.bit() != 0)
    }

    /// The square of the king of this colour; a1 if there is none.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        let kings = self.boards[Piece::new(color, PieceKind::King).index()];
        Square::wrapping(kings.trailing_zeros())
    }

    /// The squares on which two boards differ.
    #[inline(always)]
    pub fn differing(&self, other: &Self) -> u64 {
        self.boards
            .iter()
            .zip(&other.boards)
            .fold(0, |all, (a, b)| all | (a ^ b))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::Scalar;

    #[test]
    fn pieces_are_found_by_square() {
        let mut boards = Bitboards::default();
        for square in 0..64 {
            boards[(5 * square) % Piece::COUNT] |= 1 << square;
        }
        // A second piece on a square is ignored.
        boards[Piece::COUNT - 1] |= 1;
        let map = PieceMap::of_boards(boards);
        for (square, piece) in map.by_square(Scalar).into_iter().enumerate() {
            assert_eq!(usize::from(piece), (5 * square) % Piece::COUNT);
            assert_eq!(
                map.on(Square::new(square as u8)).map(Piece::index),
                Some(usize::from(piece))
            );
        }
    }
}
