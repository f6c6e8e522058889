//! Row numbers of the feature sets, in files and ranks (fact sheet, sections 5.1 to 5.3).

use alloc::vec::Vec;

use super::board::{Board, KING, Piece};
use crate::descriptor::{FeatureSetId, NetDesc};

/// A square as file and rank, 0 to 7 each.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    rank: usize,
}

impl Place {
    fn of(square: usize) -> Self {
        Self { file: square % 8, rank: square / 8 }
    }

    fn square(self) -> usize {
        8 * self.rank + self.file
    }

    fn mirrored(self) -> Self {
        Self { file: 7 - self.file, ..self }
    }

    fn flipped(self) -> Self {
        Self { rank: 7 - self.rank, ..self }
    }
}

/// The rows of the weight matrix that are active for one side, ascending. Rows of a second feature set stand behind
/// those of the first.
///
/// # Panics
///
/// If a feature set needs the king and the side does not have exactly one.
pub fn active_features(net: &NetDesc<'_>, board: &Board, black: bool) -> Vec<usize> {
    let mut rows = Vec::new();
    let mut first = 0;
    for feature in net.features {
        let of_piece = |piece: &Piece| row(feature.set, board, black, *piece);
        rows.extend(board.pieces.iter().filter_map(of_piece).map(|row| first + row));
        first += feature.rows;
    }
    rows.sort_unstable();
    rows
}

fn row(set: FeatureSetId, board: &Board, black: bool, piece: Piece) -> Option<usize> {
    let enemy = usize::from(piece.black != black);
    match set {
        FeatureSetId::HalfKp => half_kp(board, black, piece, enemy),
        FeatureSetId::HalfKaV2 => {
            let view = |square| if black { Place::of(square).flipped() } else { Place::of(square) };
            let king = view(board.king(black)).square();
            Some(704 * king + 64 * half_ka_plane(piece, enemy) + view(piece.square).square())
        }
        FeatureSetId::HalfKaV2Hm => Some(half_ka_mirrored(board, black, piece, enemy)),
        FeatureSetId::Chess768 => {
            let place = Place::of(piece.square);
            let place = if black { place.flipped() } else { place };
            Some(384 * enemy + 64 * piece.kind + place.square())
        }
    }
}

/// Black's view is rotated, kings have no rows, and row 0 of each king square is never used.
fn half_kp(board: &Board, black: bool, piece: Piece, enemy: usize) -> Option<usize> {
    if piece.kind == KING {
        return None;
    }
    let view = |square| if black { Place::of(square).flipped().mirrored() } else { Place::of(square) };
    let king = view(board.king(black)).square();
    Some(641 * king + 64 * (2 * piece.kind + enemy) + view(piece.square).square() + 1)
}

/// Files are mirrored so that the own king stands on e to h; its 32 squares are numbered from h8 down to e1.
fn half_ka_mirrored(board: &Board, black: bool, piece: Piece, enemy: usize) -> usize {
    let king_on_queen_side = Place::of(board.king(black)).file < 4;
    let view = |square| {
        let place = Place::of(square);
        let place = if black { place.flipped() } else { place };
        if king_on_queen_side { place.mirrored() } else { place }
    };
    let king = view(board.king(black));
    let bucket = 4 * (7 - king.rank) + (7 - king.file);
    704 * bucket + 64 * half_ka_plane(piece, enemy) + view(piece.square).square()
}

/// Both kings share plane 10.
fn half_ka_plane(piece: Piece, enemy: usize) -> usize {
    if piece.kind == KING { 10 } else { 2 * piece.kind + enemy }
}
