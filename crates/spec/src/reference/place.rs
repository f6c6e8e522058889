//! Squares as files and ranks, from the view of a side.

use super::board::Board;

/// A square as file and rank, 0 to 7 each.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) rank: usize,
}

impl Place {
    pub(super) fn of(square: usize) -> Self {
        Self {
            file: square % 8,
            rank: square / 8,
        }
    }

    pub(super) fn square(self) -> usize {
        8 * self.rank + self.file
    }

    pub(super) fn mirrored(self) -> Self {
        Self {
            file: 7 - self.file,
            ..self
        }
    }

    pub(super) fn flipped(self) -> Self {
        Self {
            rank: 7 - self.rank,
            ..self
        }
    }
}

/// The view of a side in the sets of pairs: its own king is mirrored to files a to d.
pub(super) fn view_of_pairs(board: &Board, black: bool) -> impl Fn(usize) -> Place {
    let mirror = Place::of(board.king(black)).file > 3;
    move |square| {
        let place = Place::of(square);
        let place = if black { place.flipped() } else { place };
        if mirror { place.mirrored() } else { place }
    }
}
