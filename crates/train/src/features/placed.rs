//! The pieces of a position as a list.

use nnue_data::{Color, Piece, Position, Square};

/// Piece kinds of both colours. A plane is `2 * kind + colour`, so kings are last.
pub(super) const PLANES: usize = 12;

const MAX: usize = 32;

/// The pieces, sorted by plane.
pub(super) struct Placed<'a> {
    pub(super) position: &'a Position,
    /// colors of the first and of the second perspective
    pub(super) perspectives: [Color; 2],
    pieces: [(u8, u8); MAX],
    len: usize,
}

impl<'a> Placed<'a> {
    #[inline]
    pub(super) fn new(position: &'a Position, first: Color) -> Self {
        let perspectives = [first, !first];
        let mut placed = Self {
            position,
            perspectives,
            pieces: [(0, 0); MAX],
            len: 0,
        };
        for plane in 0..PLANES {
            let (color, piece) = color_and_piece(plane);
            for square in position.colored(color, piece) {
                placed.pieces[placed.len] = (plane as u8, square as u8);
                placed.len += 1;
            }
        }
        placed
    }

    #[inline]
    pub(super) fn pieces(&self) -> impl Iterator<Item = (usize, usize)> {
        self.pieces[..self.len]
            .iter()
            .map(|&(plane, square)| (usize::from(plane), usize::from(square)))
    }

    /// The plane of the piece on each occupied square.
    #[inline]
    pub(super) fn planes_by_square(&self) -> [u8; Square::NUM] {
        let mut planes = [0; Square::NUM];
        for (plane, square) in self.pieces() {
            planes[square] = plane as u8;
        }
        planes
    }

    #[inline]
    pub(super) fn kings(&self) -> [Square; 2] {
        self.perspectives.map(|color| self.position.king(color))
    }

    /// For each perspective, a mask to xor squares with in sets of pairs: the own back rank becomes the
    /// lowest, and the own king stands on files a to d.
    #[inline]
    pub(super) fn turns(&self) -> [usize; 2] {
        self.perspectives.map(|color| {
            let mirror = if self.position.king(color) as usize % 8 > 3 {
                7
            } else {
                0
            };
            mirror ^ if color == Color::Black { 56 } else { 0 }
        })
    }
}

#[inline]
pub(super) fn color_and_piece(plane: usize) -> (Color, Piece) {
    (Color::ALL[plane % 2], Piece::ALL[plane / 2])
}
