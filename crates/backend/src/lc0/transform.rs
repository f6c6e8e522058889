//! Turned boards: symmetric positions look the same to networks of the canonical formats.

/// How a board is turned: first its files are mirrored, then its ranks, then files and ranks are exchanged, each if its bit is set.
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

/// Squares above the diagonal h1-e4 in the lower right quarter.
const ABOVE: u64 = 0xE0C0_8000;
/// That diagonal.
const DIAGONAL: u64 = 0x1020_4080;

/// The pieces of a position as its side to move sees them.
pub(super) struct Board {
    pub(super) ours: u64,
    pub(super) theirs: u64,
    /// of both sides: pawns, knights, bishops, rooks, queens, kings
    pub(super) pieces: [u64; 6],
}

impl Transform {
    /// The board as it is.
    pub const NONE: Self = Self(0);

    /// All of them.
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

    /// Bit 0: files, bit 1: ranks, bit 2: exchanged. Training data hold this number.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// That of a position without castling rights.
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

    /// A set of squares on the turned board.
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

    /// A square (a1 = 0, h8 = 63) on the turned board.
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

    /// The square on the board that was turned: undoes [`square`](Self::square).
    pub const fn square_before(self, square: u8) -> u8 {
        let square = if self.0 & EXCHANGE != 0 {
            exchanged_square(square)
        } else {
            square
        };
        Self(self.0 & !EXCHANGE).square(square)
    }
}

/// Of the first set of squares that the exchange changes, whether it becomes the smaller number.
fn is_smaller_exchanged(turned: Transform, boards: &[u64]) -> bool {
    let pairs = boards
        .iter()
        .map(|&board| (turned.mask(board), exchanged(turned.mask(board))));
    pairs
        .into_iter()
        .find(|(as_is, exchanged)| as_is != exchanged)
        .is_some_and(|(as_is, exchanged)| exchanged < as_is)
}

/// File and rank exchanged and counted from the other end: (f, r) becomes (7 - r, 7 - f).
const fn exchanged_square(square: u8) -> u8 {
    let (file, rank) = (square % 8, square / 8);
    8 * (7 - file) + 7 - rank
}

/// The same for a set of squares: the lower left of each four blocks changes places with the upper right, for blocks of 4, 2 and 1 squares.
const fn exchanged(mask: u64) -> u64 {
    let mask = swap(mask, 0x0000_0000_0F0F_0F0F, 36);
    let mask = swap(mask, 0x0000_3333_0000_3333, 18);
    swap(mask, 0x0055_0055_0055_0055, 9)
}

/// Exchanges the squares `low` with those so many squares further.
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
