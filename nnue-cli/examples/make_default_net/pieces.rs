//! What a piece is worth, and where it stands well: centipawns, early and late in the game.
//!
//! Squares are seen from the piece's own side: rank 0 is its first rank, rank 7 the one on which its pawns promote.

use super::phase::Phased;

/// Pawn, knight, bishop, rook, queen, king.
pub(crate) const KINDS: usize = 6;
/// The number of each kind.
pub(crate) const PAWN: usize = 0;
pub(crate) const KNIGHT: usize = 1;
pub(crate) const BISHOP: usize = 2;
pub(crate) const ROOK: usize = 3;
pub(crate) const QUEEN: usize = 4;
pub(crate) const KING: usize = 5;

const MATERIAL: [Phased; KINDS] = [
    Phased::new(82, 105),
    Phased::new(325, 310),
    Phased::new(340, 330),
    Phased::new(480, 530),
    Phased::new(960, 980),
    Phased::new(0, 0),
];

/// The worth of a piece of this kind on this square.
pub(crate) fn worth(kind: usize, square: usize) -> Phased {
    let place = Place::new(square);
    let placement = match kind {
        PAWN => pawn(place),
        KNIGHT => Phased::new(7 * place.centre() - 24, 6 * place.centre() - 22) + knight_on_the_rim(place),
        BISHOP => Phased::new(4 * place.centre() - 10 + long_diagonal(place), 3 * place.centre() - 8),
        ROOK => rook(place),
        QUEEN => Phased::new(2 * place.centre() - 4 - 3 * i32::from(place.rank > 4), 5 * place.centre() - 15),
        _ => king(place),
    };
    MATERIAL[kind] + placement
}

/// Pawns want to advance, late in the game above all, and early in it to hold the centre.
fn pawn(place: Place) -> Phased {
    const ADVANCE: [Phased; 8] = [
        Phased::new(0, 0),
        Phased::new(0, 0),
        Phased::new(2, 5),
        Phased::new(6, 12),
        Phased::new(14, 28),
        Phased::new(35, 55),
        Phased::new(70, 95),
        Phased::new(0, 0),
    ];
    let central = i32::from(place.file_from_edge() == 3);
    let holds_centre = match place.rank {
        1 => -14,
        3 => 16,
        4 => 14,
        _ => 4,
    };
    ADVANCE[place.rank] + Phased::new(holds_centre * central, 0)
}

fn knight_on_the_rim(place: Place) -> Phased {
    if place.file_from_edge() == 0 { Phased::new(-12, -8) } else { Phased::new(0, 0) }
}

fn long_diagonal(place: Place) -> i32 {
    if place.file == place.rank || place.file + place.rank == 7 { 6 } else { 0 }
}

/// Rooks like the seventh rank, and the files in the middle.
fn rook(place: Place) -> Phased {
    let seventh = i32::from(place.rank == 6);
    Phased::new(16 * seventh + 3 * place.file_from_edge() - 4, 10 * seventh)
}

/// Kings hide in a corner of their first rank until few pieces are left; then they walk to the centre.
fn king(place: Place) -> Phased {
    let shy = match place.rank {
        0 => 0,
        1 => -14,
        2 => -36,
        _ => -55,
    };
    let corner = match (place.rank, place.file_from_edge()) {
        (0, 1) => 26,
        (0, 0) => 18,
        (0, 2) => 4,
        (_, 3) => -10,
        _ => 0,
    };
    Phased::new(shy + corner, 8 * place.centre() - 26)
}

/// A square as file and rank.
#[derive(Clone, Copy)]
struct Place {
    file: usize,
    rank: usize,
}

impl Place {
    fn new(square: usize) -> Self {
        Self { file: square % 8, rank: square / 8 }
    }

    /// 0 on the files a and h, 3 on d and e.
    fn file_from_edge(self) -> i32 {
        self.file.min(7 - self.file) as i32
    }

    /// 0 in the corners, 6 on the four squares in the middle.
    fn centre(self) -> i32 {
        self.file_from_edge() + self.rank.min(7 - self.rank) as i32
    }
}
