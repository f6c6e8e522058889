//! Helpers for the tests of the adapters.

use super::{Bitboards, Change, Piece, Position};

pub(crate) fn bitboards<P: Position>(position: &P) -> Bitboards {
    let mut boards = Bitboards::default();
    for piece in Piece::ALL {
        boards[piece.index()] = position.pieces(piece.color(), piece.kind());
    }
    boards
}

/// Whether undoing `change` turns `after` into `before`, and no square that it empties was empty.
pub(crate) fn undoes<P: Position>(change: &Change, before: &P, after: &P) -> bool {
    let old = bitboards(before);
    let mut boards = bitboards(after);
    change.undo(&mut boards);
    let stood = |placed: &super::Placed| old[placed.piece.index()] & placed.square.bit() != 0;
    boards == old && change.removed().iter().all(stood) && !change.added().iter().any(stood)
}
