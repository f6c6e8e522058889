//! Positions of moves in the policy planes.
//!
//! ```text
//!   planes  0 ..    as the queen moves: N, NE, E, SE, S, SW, W, NW, of each 1 to 7 steps        56
//!          56 ..    as the knight moves: (+1 +2) (+2 +1) (+2 -1) (+1 -2) (-1 -2) (-2 -1) (-2 +1) (-1 +2) files and ranks        8
//!          64 ..    promotions to the file on the left, straight, to the right, of each to rook, bishop, queen       9
//!          73 ..    nothing                                                                           7
//! ```
//!
//! The plane encodes the movement, the square of the plane is the origin.

use nnue_runtime::PieceKind;
use nnue_runtime::policy::MoveSquares;

use super::super::MOVES;

/// Files and ranks of the steps in each direction.
const DIRECTIONS: [(i8, i8); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];
const KNIGHT: [(i8, i8); 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// A square, and a plane of the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Place {
    pub(super) square: u8,
    pub(super) plane: u8,
}

/// The place of each move, by index.
pub(super) fn places() -> Vec<Place> {
    (0..MOVES)
        .map(|index| place(index).expect("every number is a move"))
        .collect()
}

fn place(index: usize) -> Option<Place> {
    let MoveSquares {
        from,
        to,
        promotion,
        ..
    } = MoveSquares::of_1858(index)?;
    let (from, to) = (from.index() as i8, to.index() as i8);
    let (files, ranks) = (to % 8 - from % 8, to / 8 - from / 8);
    let plane = match promotion {
        Some(kind) => 64 + 3 * (files + 1) as usize + piece(kind)?,
        None => moved(files, ranks)?,
    };
    Some(Place {
        square: from as u8,
        plane: plane as u8,
    })
}

/// The plane of a move other than a promotion.
fn moved(files: i8, ranks: i8) -> Option<usize> {
    if let Some(knight) = KNIGHT.iter().position(|&step| step == (files, ranks)) {
        return Some(56 + knight);
    }
    let steps = files.abs().max(ranks.abs());
    let direction = DIRECTIONS
        .iter()
        .position(|&(file, rank)| (file * steps, rank * steps) == (files, ranks))?;
    Some(7 * direction + (steps - 1) as usize)
}

/// Index of a promotion piece.
fn piece(kind: PieceKind) -> Option<usize> {
    [PieceKind::Rook, PieceKind::Bishop, PieceKind::Queen]
        .into_iter()
        .position(|other| other == kind)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_move_has_a_place_of_its_own() {
        let places: HashSet<Place> = places().into_iter().collect();
        assert_eq!(places.len(), MOVES);
        assert!(places.iter().all(|place| place.plane < 73));
        assert_eq!(
            place(0),
            Some(Place {
                square: 0,
                plane: 14
            })
        ); // a1b1: east, one step
    }
}
