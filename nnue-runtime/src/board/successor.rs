//! The positions after the moves of a position, without making the moves on the program's board.

use super::{Bitboards, Change, Color, Piece, PieceKind, Placed, Position, Square};
use crate::both::both;

/// A position before any of its moves, read once.
pub(crate) struct Predecessor {
    boards: Bitboards,
    occupied: u64,
    /// by colour
    kings: [Square; 2],
    side_to_move: Color,
}

impl Predecessor {
    #[inline]
    pub(crate) fn new<P: Position>(position: &P) -> Self {
        let mut boards = Bitboards::default();
        for piece in Piece::ALL {
            boards[piece.index()] = position.pieces(piece.color(), piece.kind());
        }
        Self {
            boards,
            occupied: position.occupied(),
            kings: both(Color::ALL, |color| position.king(color)),
            side_to_move: position.side_to_move(),
        }
    }

    #[inline(always)]
    pub(crate) fn boards(&self) -> Bitboards {
        self.boards
    }

    /// The side that makes the move.
    #[inline(always)]
    pub(crate) fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    #[inline(always)]
    pub(crate) fn king(&self, color: Color) -> Square {
        self.kings[color.index()]
    }

    /// The position after a move with this change.
    #[inline(always)]
    pub(crate) fn after<'a>(&'a self, change: &'a Change) -> Successor<'a> {
        Successor {
            before: self,
            change,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct Successor<'a> {
    before: &'a Predecessor,
    change: &'a Change,
}

/// The squares of the pieces of `list` for which `wanted` holds.
#[inline(always)]
fn squares(list: &[Placed], wanted: impl Fn(Piece) -> bool) -> u64 {
    list.iter()
        .filter(|placed| wanted(placed.piece))
        .fold(0, |all, placed| all | placed.square.bit())
}

impl Position for Successor<'_> {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        let this = Piece::new(color, kind);
        let [removed, added] = both([self.change.removed(), self.change.added()], |list| {
            squares(list, |piece| piece == this)
        });
        self.before.boards[this.index()] & !removed | added
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.before.side_to_move.other()
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        let [removed, added] = both([self.change.removed(), self.change.added()], |list| {
            squares(list, |_| true)
        });
        self.before.occupied & !removed | added
    }

    #[inline(always)]
    fn king(&self, color: Color) -> Square {
        if self.change.touches_king(color) {
            Square::wrapping(self.pieces(color, PieceKind::King).trailing_zeros())
        } else {
            self.before.king(color)
        }
    }
}
