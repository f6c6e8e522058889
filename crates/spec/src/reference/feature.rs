//! Row numbers of the feature sets, from files and ranks (`docs/feature-sets.md`; pairs of pieces: `threat`,
//! `pawn_pair`).

use alloc::vec::Vec;

use super::board::{Board, KING, Piece};
use super::place::Place;
use super::{pawn_pair, threat};
use crate::descriptor::{FeatureSetId, KingBuckets, NetDesc};

/// The active rows of the weight matrix for one side, ascending. Rows of a second feature set follow those of
/// the first.
///
/// # Panics
///
/// If a feature set needs the king and the side does not have exactly one.
pub fn active_features(net: &NetDesc<'_>, board: &Board, black: bool) -> Vec<usize> {
    let mut rows = Vec::new();
    let mut first = 0;
    for feature in net.features {
        rows.extend(
            rows_of_set(feature.set, board, black)
                .into_iter()
                .map(|row| first + row),
        );
        first += feature.rows;
    }
    rows.sort_unstable();
    rows
}

/// The active rows of one set, relative to its first row, in any order.
pub(crate) fn rows_of_set(set: FeatureSetId, board: &Board, black: bool) -> Vec<usize> {
    match set {
        FeatureSetId::Threats(pairs) => threat::active_threats(pairs, board, black),
        FeatureSetId::PawnPairs => pawn_pair::active_pawn_pairs(board, black),
        _ => board
            .pieces
            .iter()
            .filter_map(|piece| row(set, board, black, *piece))
            .collect(),
    }
}

/// The row of a piece in a set of single pieces.
fn row(set: FeatureSetId, board: &Board, black: bool, piece: Piece) -> Option<usize> {
    let enemy = usize::from(piece.black != black);
    match set {
        FeatureSetId::HalfKp => half_kp(board, black, piece, enemy),
        FeatureSetId::HalfKaV2 => {
            let view = |square| {
                if black {
                    Place::of(square).flipped()
                } else {
                    Place::of(square)
                }
            };
            let king = view(board.king(black)).square();
            Some(704 * king + 64 * half_ka_plane(piece, enemy) + view(piece.square).square())
        }
        FeatureSetId::HalfKaV2Hm => Some(half_ka_mirrored(board, black, piece, enemy)),
        FeatureSetId::Chess768 => {
            let place = Place::of(piece.square);
            let place = if black { place.flipped() } else { place };
            Some(384 * enemy + 64 * piece.kind + place.square())
        }
        FeatureSetId::King(buckets) => {
            let plain = king_buckets(buckets, board, black, piece, enemy);
            let copy = 64 * buckets.piece_planes();
            Some(if buckets.sees_attacks() {
                plain + copy * threat::standing(board, piece)
            } else {
                plain
            })
        }
        FeatureSetId::Threats(_) | FeatureSetId::PawnPairs => None,
        FeatureSetId::Custom(_) => {
            panic!("a feature set of the program is known to it only: see `evaluate_rows`")
        }
    }
}

/// Black's view is rotated, kings have no rows, and row 0 of each king square is unused.
fn half_kp(board: &Board, black: bool, piece: Piece, enemy: usize) -> Option<usize> {
    if piece.kind == KING {
        return None;
    }
    let view = |square| {
        if black {
            Place::of(square).flipped().mirrored()
        } else {
            Place::of(square)
        }
    };
    let king = view(board.king(black)).square();
    Some(641 * king + 64 * (2 * piece.kind + enemy) + view(piece.square).square() + 1)
}

/// Files are mirrored so that the own king is on e to h; its 32 squares are numbered from h8 down to e1.
fn half_ka_mirrored(board: &Board, black: bool, piece: Piece, enemy: usize) -> usize {
    let king_on_queen_side = Place::of(board.king(black)).file < 4;
    let view = |square| {
        let place = Place::of(square);
        let place = if black { place.flipped() } else { place };
        if king_on_queen_side {
            place.mirrored()
        } else {
            place
        }
    };
    let king = view(board.king(black));
    let bucket = 4 * (7 - king.rank) + (7 - king.file);
    704 * bucket + 64 * half_ka_plane(piece, enemy) + view(piece.square).square()
}

/// The own king selects the copy of the rows; in mirrored sets it is on files a to d
/// (`docs/feature-sets.md`).
fn king_buckets(
    buckets: KingBuckets,
    board: &Board,
    black: bool,
    piece: Piece,
    enemy: usize,
) -> usize {
    let view = |square| match (black, buckets.is_rotated()) {
        (false, _) => Place::of(square),
        (true, false) => Place::of(square).flipped(),
        (true, true) => Place::of(square).flipped().mirrored(),
    };
    let king = view(board.king(black));
    let place = view(piece.square);
    let place = if buckets.is_mirrored() && king.file > 3 {
        place.mirrored()
    } else {
        place
    };
    let enemy = if buckets.is_merged() && piece.kind == KING {
        0
    } else {
        enemy
    };
    64 * buckets.planes() * buckets.bucket(king.square())
        + 64 * (6 * enemy + piece.kind)
        + place.square()
}

/// Both kings share plane 10.
fn half_ka_plane(piece: Piece, enemy: usize) -> usize {
    if piece.kind == KING {
        10
    } else {
        2 * piece.kind + enemy
    }
}
