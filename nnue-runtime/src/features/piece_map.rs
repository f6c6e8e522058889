//! A board on which pieces are found by kind and by square: what feature sets of pairs read.

use crate::board::{Bitboards, Change, Color, Piece, PieceKind, Planes, Position, Square};

/// A board on which pieces are found by kind and by square.
#[derive(Clone, Copy, Debug)]
pub struct PieceMap {
    boards: Bitboards,
    occupied: u64,
    /// index of the piece on each square, [`EMPTY`] for none
    on: [u8; 64],
}

/// Stands for no piece.
const EMPTY: u8 = Piece::COUNT as u8;

impl PieceMap {
    /// The pieces of a position. Of several pieces on one square, one is taken.
    pub fn new<P: Position + ?Sized>(position: &P) -> Self {
        Self::of_boards(Piece::ALL.map(|piece| position.pieces(piece.color(), piece.kind())))
    }

    /// The pieces of these boards. Of several pieces on one square, one is taken.
    ///
    /// The numbers of the pieces on eight squares at a time: a bitboard for each of their four bits is spread to bytes.
    #[inline]
    pub(crate) fn of_boards(mut boards: Bitboards) -> Self {
        let mut occupied = 0;
        for board in &mut boards {
            // no square counts twice, so that boards and squares agree
            *board &= !occupied;
            occupied |= *board;
        }
        let any = |pieces: [usize; 6]| pieces.into_iter().fold(0, |all, piece| all | boards[piece]);
        let of_four = |first: usize| boards[first..first + 4].iter().fold(!occupied, |all, board| all | board);
        // the bits of the numbers of pieces, 0 to 11; no piece has number 12
        let bits = [any([1, 3, 5, 7, 9, 11]), any([2, 3, 6, 7, 10, 11]), of_four(4), of_four(8)];
        let mut on = [0; 64];
        for (rank, squares) in on.as_chunks_mut::<8>().0.iter_mut().enumerate() {
            let number = |bit: usize| spread((bits[bit] >> (8 * rank)) as u8) << bit;
            *squares = (number(0) | number(1) | number(2) | number(3)).to_le_bytes();
        }
        Self { boards, occupied, on }
    }

    /// The board before `changes`, the latest first, of which this is the board after.
    #[must_use]
    pub fn undone<'a>(&self, changes: impl IntoIterator<Item = &'a Change>) -> Self {
        let mut board = *self;
        for change in changes {
            change.added().iter().for_each(|placed| board.set(placed.square, EMPTY));
            change.removed().iter().for_each(|placed| board.set(placed.square, placed.piece.index() as u8));
        }
        board
    }

    /// Puts a piece, or nothing, on a square.
    #[inline(always)]
    fn set(&mut self, square: Square, piece: u8) {
        let old = core::mem::replace(&mut self.on[square.index()], piece);
        for (board, sets) in [(old, false), (piece, true)] {
            if let Some(board) = self.boards.get_mut(usize::from(board)) {
                *board = if sets { *board | square.bit() } else { *board & !square.bit() };
            }
        }
        self.occupied = if piece == EMPTY { self.occupied & !square.bit() } else { self.occupied | square.bit() };
    }

    /// How many pieces there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    #[inline(always)]
    pub(crate) fn planes(&self) -> Planes {
        Planes::of(&self.boards)
    }

    /// The squares of a piece.
    #[inline(always)]
    pub fn pieces(&self, piece: Piece) -> u64 {
        self.boards[piece.index()]
    }

    /// The squares of both sides' pieces of a kind.
    #[inline(always)]
    pub fn both(&self, kind: PieceKind) -> u64 {
        Color::ALL.into_iter().fold(0, |all, color| all | self.pieces(Piece::new(color, kind)))
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> u64 {
        self.occupied
    }

    /// The piece on a square.
    #[inline(always)]
    pub fn on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.get(usize::from(self.on[square.index()])).copied()
    }

    /// Where the king of this colour stands; a1 if there is none.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        let kings = self.boards[Piece::new(color, PieceKind::King).index()];
        Square::wrapping(kings.trailing_zeros())
    }

    /// The squares on which two boards differ.
    #[inline(always)]
    pub fn differing(&self, other: &Self) -> u64 {
        self.boards.iter().zip(&other.boards).fold(0, |all, (a, b)| all | (a ^ b))
    }
}

/// Byte `i` is bit `i` of `bits`.
#[inline(always)]
const fn spread(bits: u8) -> u64 {
    const EACH: u64 = 0x0101_0101_0101_0101;
    let own_bit = (bits as u64 * EACH) & 0x8040_2010_0804_0201;
    ((own_bit + 0x7F * EACH) >> 7) & EACH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_spread_in_order() {
        for bits in 0..=u8::MAX {
            assert_eq!(spread(bits).to_le_bytes(), core::array::from_fn(|i| bits >> i & 1));
        }
    }
}
