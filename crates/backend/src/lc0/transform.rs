//! Board transforms: symmetric positions look the same to networks of canonical formats.

/// A symmetry of the board: mirrors the files, then the ranks, then exchanges files and ranks, each if its
/// bit is set.
///
/// ```text
///   no castling rights          the own king on files e to h                  bit 0, files mirrored
///   and no pawns                .. and on ranks 1 to 4                        bit 1, ranks mirrored
///                               .. and on or below the diagonal h1-e4         bit 2, exchanged across the diagonal h1-a8
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Transform(u8);

const FILES: u8 = 1;
const RANKS: u8 = 2;
const EXCHANGE: u8 = 4;

/// Squares above the diagonal h1-e4, in the lower right quarter.
const ABOVE: u64 = 0xE0C0_8000;
/// The squares of that diagonal.
const DIAGONAL: u64 = 0x1020_4080;

/// The pieces from the point of view of the side to move.
pub(super) struct Board {
    pub(super) ours: u64,
    pub(super) theirs: u64,
    /// of both sides: pawns, knights, bishops, rooks, queens, kings
    pub(super) pieces: [u64; 6],
}

impl Transform {
    /// The identity.
    pub const NONE: Self = Self(0);

    /// All transforms.
    pub const ALL: [Self; 8] = [
        Self(0),
        Self(1),
        Self(2),
        Self(3),
        Self(4),
        Self(5),
        Self(6),
        Self(7),
    ];

    /// Bit 0: files, bit 1: ranks, bit 2: exchange. Training data store this number.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// The canonical transform of a position without castling rights.
    pub(super) fn of(board: &Board) -> Self {
        let [pawns, knights, bishops, rooks, queens, kings] = board.pieces;
        let king = kings & board.ours;
        let files = if king & 0x0F0F_0F0F_0F0F_0F0F != 0 {
            FILES
        } else {
            0
        };
        if pawns != 0 {
            return Self(files);
        }
        let turned = Self(files | if king >> 32 != 0 { RANKS } else { 0 });
        let king = turned.mask(king);
        let boards = [
            board.ours | board.theirs,
            board.ours,
            kings,
            queens,
            rooks,
            knights,
            bishops,
        ];
        let exchanges =
            king & ABOVE != 0 || king & DIAGONAL != 0 && is_smaller_exchanged(turned, &boards);
        Self(turned.0 | if exchanges { EXCHANGE } else { 0 })
    }

    /// Transforms a set of squares.
    pub const fn mask(self, mask: u64) -> u64 {
        let mut mask = mask;
        if self.0 & FILES != 0 {
            mask = mask.swap_bytes().reverse_bits();
        }
        if self.0 & RANKS != 0 {
            mask = mask.swap_bytes();
        }
        if self.0 & EXCHANGE != 0 {
            exchanged(mask)
        } else {
            mask
        }
    }

    /// Transforms a square (a1 = 0, h8 = 63).
    pub const fn square(self, square: u8) -> u8 {
        let mut square = square;
        if self.0 & FILES != 0 {
            square ^= 7;
        }
        if self.0 & RANKS != 0 {
            square ^= 56;
        }
        if self.0 & EXCHANGE != 0 {
            exchanged_square(square)
        } else {
            square
        }
    }

    /// The inverse of [`square`](Self::square).
    pub const fn square_before(self, square: u8) -> u8 {
        let square = if self.0 & EXCHANGE != 0 {
            exchanged_square(square)
        } else {
            square
        };
        Self(self.0 & !EXCHANGE).square(square)
    }
}

/// Whether the exchange gives a smaller number for the first set of squares that it changes.
fn is_smaller_exchanged(turned: Transform, boards: &[u64]) -> bool {
    let pairs = boards
        .iter()
        .map(|&board| (turned.mask(board), exchanged(turned.mask(board))));
    pairs
        .into_iter()
        .find(|(as_is, exchanged)| as_is != exchanged)
        .is_some_and(|(as_is, exchanged)| exchanged < as_is)
}

/// Reflects a square across the diagonal h1-a8: (f, r) becomes (7 - r, 7 - f).
const fn exchanged_square(square: u8) -> u8 {
    let (file, rank) = (square % 8, square / 8);
    8 * (7 - file) + 7 - rank
}

/// Reflects a set of squares likewise: swaps the lower left and upper right of each 2 x 2 blocks, for blocks
/// of 4, 2 and 1 squares.
const fn exchanged(mask: u64) -> u64 {
    let mask = swap(mask, 0x0000_0000_0F0F_0F0F, 36);
    let mask = swap(mask, 0x0000_3333_0000_3333, 18);
    swap(mask, 0x0055_0055_0055_0055, 9)
}

/// Swaps the squares `low` with those `distance` further.
const fn swap(mask: u64, low: u64, distance: u32) -> u64 {
    let differ = (mask ^ (mask >> distance)) & low;
    mask ^ differ ^ (differ << distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_squares_are_turned_alike_and_back() {
        for transform in Transform::ALL {
            for square in 0..64 {
                let turned = transform.square(square);
                assert_eq!(
                    transform.mask(1 << square),
                    1 << turned,
                    "{transform:?} {square}"
                );
                assert_eq!(
                    transform.square_before(turned),
                    square,
                    "{transform:?} {square}"
                );
            }
        }
        assert_eq!(Transform(7).square(33), 12, "b5 comes to e2");
    }
}
