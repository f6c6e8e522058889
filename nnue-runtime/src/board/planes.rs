//! A board as bit planes: small, quick to compare, and with direct access to the piece on a square.
//!
//! ```text
//!   on square s          nothing   white pawn   black pawn   white knight  ..  black king
//!   code                    0          1            2             3        ..      12
//!   plane b, bit s       bit b of the code
//!   plane 4, plane 5     the piece is attacked, it is defended; nothing for feature sets that do not see attacks
//! ```

use super::{Bitboards, Piece, Square, squares_of};

/// The piece on each square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Planes([u64; 6]);

impl Planes {
    /// The board with these bitboards. If several pieces are on one square, the result there is one
    /// piece or none.
    #[inline(always)]
    pub(crate) fn of(boards: &Bitboards) -> Self {
        let plane = |bit: usize| {
            let has_bit = |piece: &Piece| (piece.index() + 1) >> bit & 1 == 1;
            Piece::ALL
                .iter()
                .filter(|piece| has_bit(piece))
                .fold(0, |plane, piece| plane | boards[piece.index()])
        };
        Self([plane(0), plane(1), plane(2), plane(3), 0, 0])
    }

    /// Adds the squares of attacked pieces and of defended pieces.
    #[inline(always)]
    pub(crate) fn with_standings(self, [attacked, defended]: [u64; 2]) -> Self {
        let [a, b, c, d, ..] = self.0;
        Self([a, b, c, d, attacked, defended])
    }

    /// Whether the piece on a square is attacked, and whether it is defended.
    #[inline(always)]
    pub(crate) fn standing(&self, square: Square) -> [bool; 2] {
        [self.0[4], self.0[5]].map(|plane| plane >> square.index() & 1 == 1)
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    #[inline(always)]
    pub(crate) fn differing(&self, other: &Self) -> u64 {
        self.0
            .iter()
            .zip(&other.0)
            .fold(0, |all, (a, b)| all | (a ^ b))
    }

    /// The number of pieces that only one of the two boards has.
    #[inline(always)]
    pub(crate) fn distance(&self, other: &Self) -> u32 {
        let differing = self.differing(other);
        (differing & self.occupied()).count_ones() + (differing & other.occupied()).count_ones()
    }

    /// For each square and plane, the majority of `boards`. Where no piece has a majority, the code
    /// may be that of any piece or of none.
    pub(crate) fn majority(boards: &[Self]) -> Self {
        Self(core::array::from_fn(|plane| {
            // digits[d] has, in bit s, digit d of the number of boards that have the bit of square
            // s
            let mut digits = [0; usize::BITS as usize];
            for board in boards {
                let mut carry = board.0[plane];
                for digit in &mut digits {
                    (*digit, carry) = (*digit ^ carry, *digit & carry);
                    if carry == 0 {
                        break;
                    }
                }
            }
            // From the lowest digit on: whether the digits so far exceed those of the half.
            let half = boards.len() / 2;
            digits.iter().enumerate().fold(0, |more, (index, &digit)| {
                if half >> index & 1 == 1 {
                    digit & more
                } else {
                    digit | more
                }
            })
        }))
    }

    #[inline(always)]
    pub(crate) fn on(&self, squares: u64) -> impl Iterator<Item = (Piece, Square)> {
        squares_of(squares & self.occupied()).filter_map(|square| {
            let bit = |plane: usize| (self.0[plane] >> square.index() & 1) << plane;
            let code = bit(0) | bit(1) | bit(2) | bit(3);
            Some((*Piece::ALL.get(code.wrapping_sub(1) as usize)?, square))
        })
    }

    /// The board whose square `s` is square `s ^ mask` of this one. `mask` is below 64.
    pub(crate) fn exchanged(&self, mask: u8) -> Self {
        Self(self.0.map(|plane| exchange_squares(plane, mask)))
    }
}

/// The bitboard whose square `s` is square `s ^ mask` of `board`. `mask` is below 64.
fn exchange_squares(mut board: u64, mask: u8) -> u64 {
    const PARTS: [u64; 6] = [
        0x5555_5555_5555_5555,
        0x3333_3333_3333_3333,
        0x0F0F_0F0F_0F0F_0F0F,
        0x00FF_00FF_00FF_00FF,
        0x0000_FFFF_0000_FFFF,
        0x0000_0000_FFFF_FFFF,
    ];
    for (bit, part) in PARTS
        .into_iter()
        .enumerate()
        .filter(|(bit, _)| mask & (1 << bit) != 0)
    {
        board = (board & part) << (1 << bit) | (board >> (1 << bit)) & part;
    }
    board
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board with every piece, on every third square.
    fn boards() -> Bitboards {
        let mut boards = Bitboards::default();
        for square in (0..64).step_by(3) {
            boards[(5 * square) % Piece::COUNT] |= 1 << square;
        }
        boards
    }

    #[test]
    fn planes_say_what_the_bitboards_say() {
        let (boards, planes) = (boards(), Planes::of(&boards()));
        let mut found = Bitboards::default();
        planes
            .on(!0)
            .for_each(|(piece, square)| found[piece.index()] |= square.bit());
        assert_eq!(found, boards);
        assert_eq!(
            planes.occupied(),
            boards.iter().fold(0, |all, board| all | board)
        );
        assert_eq!(planes.on(0b1111).count(), 2, "a1 and d1");
    }

    #[test]
    fn boards_differ_where_a_piece_went_or_became_another() {
        let (boards, mut other) = (boards(), boards());
        let (piece, square) = Planes::of(&boards).on(!0).nth(5).expect("there are 22");
        other[piece.index()] ^= square.bit();
        assert_eq!(
            Planes::of(&boards).differing(&Planes::of(&other)),
            square.bit()
        );
        other[(piece.index() + 1) % Piece::COUNT] ^= square.bit();
        assert_eq!(
            Planes::of(&boards).differing(&Planes::of(&other)),
            square.bit()
        );
        assert_eq!(Planes::of(&boards).differing(&Planes::of(&boards)), 0);
    }

    #[test]
    fn exchange_squares_is_xor_of_the_index() {
        let board = 0x8123_4567_89AB_CDEF;
        for mask in 0..64 {
            let expected = squares_of(board).fold(0, |all, square| all | square.xor(mask).bit());
            assert_eq!(exchange_squares(board, mask), expected, "{mask}");
        }
    }
}
