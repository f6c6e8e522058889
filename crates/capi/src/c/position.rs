//! Positions, changes and values as C writes them.

use std::mem::MaybeUninit;

use nnue::{Color, PieceKind, Square};

use crate::failure::{Failure, Status};

/// A position as a network reads it. Bit 0 of a bitboard is a1, bit 7 is h1, bit 63 is h8.
///
/// A network is defined for positions with one king of each colour and at most one piece on each square. Others give some number.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// the squares with pieces of White, of Black
    pub by_color: [u64; 2],
    /// the squares with pawns, knights, bishops, rooks, queens, kings of either colour
    pub by_kind: [u64; 6],
    /// 0: White moves next, 1: Black
    pub side_to_move: u8,
}

impl Position {
    /// An error if a number is out of range.
    #[inline(always)]
    pub(super) fn check(&self) -> Result<(), Failure> {
        if self.side_to_move < 2 {
            Ok(())
        } else {
            Err(bad("side_to_move", self.side_to_move, "0 or 1"))
        }
    }
}

impl nnue::Position for Position {
    #[inline(always)]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        self.by_kind[kind.index()] & self.by_color[color.index()]
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        if self.side_to_move == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    #[inline(always)]
    fn occupied(&self) -> u64 {
        self.by_color[0] | self.by_color[1]
    }
}

/// A piece on a square.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// twice the kind (pawn 0, knight 1, .. king 5) plus the colour (White 0, Black 1)
    pub piece: u8,
    /// a1 is 0, h1 is 7, h8 is 63
    pub square: u8,
}

/// The piece on the square, if both are in range.
#[inline(always)]
fn placed(piece: u8, square: u8) -> Result<nnue::Placed, Failure> {
    let piece = nnue::Piece::try_new(piece).ok_or_else(|| bad("piece", piece, "0 to 11"))?;
    let square = Square::try_new(square).ok_or_else(|| bad("square", square, "0 to 63"))?;
    Ok(nnue::Placed::new(piece, square))
}

/// What a move does to the board: at most two pieces are removed, at most two are added. A piece that moves is removed from one square and
/// added on another.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Change {
    /// those that were on the board, as many as `removed_count` says
    pub removed: [Placed; 2],
    /// those that are there now, as many as `added_count` says
    pub added: [Placed; 2],
    /// 0 to 2
    pub removed_count: u8,
    /// 0 to 2
    pub added_count: u8,
}

impl Change {
    /// The change, or an error if a number is out of range. Entries beyond the counts are ignored.
    ///
    /// Both lists are handled as one integer, with ignored entries cleared, and read and written at once: a
    /// later evaluation loads several bytes at once, and would wait for bytes stored one by one (store
    /// forwarding).
    #[inline(always)]
    pub(crate) fn read(&self) -> Result<nnue::Change, Failure> {
        let Self {
            removed: [r, s],
            added: [a, b],
            removed_count,
            added_count,
        } = *self;
        let lists = [
            r.piece, r.square, s.piece, s.square, a.piece, a.square, b.piece, b.square,
        ];
        let counting = |count: u8| (1_u64 << (16 * count.min(2))) - 1;
        let lists =
            u64::from_le_bytes(lists) & (counting(removed_count) | counting(added_count) << 32);
        let [r, r_square, s, s_square, a, a_square, b, b_square] = lists.to_le_bytes();
        let removed = [placed(r, r_square)?, placed(s, s_square)?];
        let added = [placed(a, a_square)?, placed(b, b_square)?];
        let too_many = || {
            bad(
                "the number of pieces",
                removed_count.max(added_count),
                "0 to 2",
            )
        };
        nnue::Change::of_pairs(removed, removed_count, added, added_count).ok_or_else(too_many)
    }
}

#[cold]
fn bad(what: &str, found: u8, expected: &str) -> Failure {
    Failure::new(
        Status::BadArgument,
        format!("{what} is {found}, and must be {expected}"),
    )
}

/// What a network says about a position, in the unit of the network.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluation {
    /// the value from the point of view of the side to move: positive is good for it
    pub value: i32,
    /// the PSQT part, raw; 0 if the network has none
    pub psqt: i32,
    /// the part of the layers, raw
    pub positional: i32,
    /// the layer stack that was used
    pub bucket: u32,
}

impl From<nnue::Evaluation> for Evaluation {
    #[inline(always)]
    fn from(said: nnue::Evaluation) -> Self {
        // a network has at most 64 stacks
        Self {
            value: said.value,
            psqt: said.psqt,
            positional: said.positional,
            bucket: said.bucket as u32,
        }
    }
}

/// Writes the evaluations of several positions.
pub(super) fn write_all<C: From<E>, E: Copy>(places: &mut [MaybeUninit<C>], said: &[E]) {
    for (place, &evaluation) in places.iter_mut().zip(said) {
        place.write(evaluation.into());
    }
}
