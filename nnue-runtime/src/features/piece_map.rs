//! A board on which pieces are found by kind and by square: what feature sets of pairs read.

use crate::board::{Bitboards, Change, Color, Piece, Planes, Position, Square, squares_of};

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
    pub(crate) fn of_boards(mut boards: Bitboards) -> Self {
        let (mut on, mut occupied) = ([EMPTY; 64], 0);
        for piece in Piece::ALL {
            // no square counts twice, so that boards and squares agree
            boards[piece.index()] &= !occupied;
            occupied |= boards[piece.index()];
            for square in squares_of(boards[piece.index()]) {
                on[square.index()] = piece.index() as u8;
            }
        }
        Self { boards, occupied, on }
    }

    /// The board before `changes`, the latest first, of which this is the board after.
    #[must_use]
    pub fn undone<'a>(&self, changes: impl IntoIterator<Item = &'a Change>) -> Self {
        let mut boards = self.boards;
        changes.into_iter().for_each(|change| change.undo(&mut boards));
        Self::of_boards(boards)
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
        let kings = self.boards[Piece::new(color, crate::board::PieceKind::King).index()];
        Square::wrapping(kings.trailing_zeros())
    }

    /// The squares on which two boards differ.
    #[inline(always)]
    pub fn differing(&self, other: &Self) -> u64 {
        self.boards.iter().zip(&other.boards).fold(0, |all, (a, b)| all | (a ^ b))
    }
}
