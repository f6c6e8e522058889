//! Colours, kinds of piece, pieces.

/// The colour of a piece or a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// moves first
    White = 0,
    /// moves second
    Black = 1,
}

impl Color {
    /// White, black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The colour with this index, white for 0 and black for 1, or `None`.
    #[inline(always)]
    pub const fn try_new(index: u8) -> Option<Self> {
        match index {
            0 => Some(Self::White),
            1 => Some(Self::Black),
            _ => None,
        }
    }

    /// White is 0, black is 1.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The opponent.
    #[inline(always)]
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

/// The kind of a piece, without its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[expect(missing_docs, reason = "they are the pieces of chess")]
pub enum PieceKind {
    Pawn = 0,
    Knight = 1,
    Bishop = 2,
    Rook = 3,
    Queen = 4,
    King = 5,
}

impl PieceKind {
    /// Pawn, knight, bishop, rook, queen, king: the order of the feature sets.
    pub const ALL: [Self; 6] = [
        Self::Pawn,
        Self::Knight,
        Self::Bishop,
        Self::Rook,
        Self::Queen,
        Self::King,
    ];

    /// The kind with this index, from 0 for a pawn to 5 for a king, or `None`.
    #[inline(always)]
    pub const fn try_new(index: u8) -> Option<Self> {
        if (index as usize) < Self::ALL.len() {
            Some(Self::ALL[index as usize])
        } else {
            None
        }
    }

    /// Pawn is 0, king is 5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A piece: kind and colour in one byte, `2 * kind + color`, always below 12.
///
/// Engines number pieces in two ways, with kinds in the order of [`PieceKind::ALL`]. Each has a
/// constructor that returns `None` for numbers that are not pieces, such as the number of an empty
/// square:
///
/// | number | white pawn, knight, .. | black pawn, knight, .. | to a piece | back |
/// |---|---|---|---|---|
/// | `2 * kind + color` | 0, 2, .. | 1, 3, .. | [`try_new`](Self::try_new) | [`index`](Self::index) |
/// | `6 * color + kind` | 0, 1, .. | 6, 7, .. | [`try_from_color_kind`](Self::try_from_color_kind) | [`color_kind_index`](Self::color_kind_index) |
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

impl Piece {
    /// The number of different pieces.
    pub const COUNT: usize = 12;

    /// A piece of this colour and kind.
    #[inline(always)]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self(2 * kind as u8 + color as u8)
    }

    /// The piece with this index, `2 * kind + color`, or `None` if it is not below [`COUNT`](Self::COUNT).
    #[inline(always)]
    pub const fn try_new(index: u8) -> Option<Self> {
        if (index as usize) < Self::COUNT {
            Some(Self(index))
        } else {
            None
        }
    }

    /// The piece numbered `6 * color + kind`, or `None` if the number is not below [`COUNT`](Self::COUNT).
    ///
    /// ```
    /// use nnue_runtime::{Color, Piece, PieceKind};
    ///
    /// const BLACK_KNIGHT: u8 = 7;
    /// let knight = Piece::new(Color::Black, PieceKind::Knight);
    /// assert_eq!(Piece::try_from_color_kind(BLACK_KNIGHT), Some(knight));
    /// assert_eq!(knight.color_kind_index(), 7);
    /// assert_eq!(Piece::try_from_color_kind(12), None);
    /// ```
    #[inline(always)]
    pub const fn try_from_color_kind(number: u8) -> Option<Self> {
        match (number as usize) < Self::COUNT {
            true => Some(Self(2 * (number % 6) + number / 6)),
            false => None,
        }
    }

    /// All pieces, ascending by [`Piece::index`]: white pawn, black pawn, white knight, ...
    pub const ALL: [Self; Self::COUNT] = {
        let mut all = [Self(0); Self::COUNT];
        let mut index = 0;
        while index < Self::COUNT {
            all[index] = Self(index as u8);
            index += 1;
        }
        all
    };

    /// The colour.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// The kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[(self.0 >> 1) as usize]
    }

    /// `2 * kind + color`, below [`Piece::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `6 * color + kind`, below [`Piece::COUNT`].
    #[inline(always)]
    pub const fn color_kind_index(self) -> usize {
        6 * self.color().index() + self.kind().index()
    }

    /// `2 * kind + enemy`, where `enemy` is 0 for a piece of colour `perspective` and 1 for one of
    /// the opponent.
    #[inline(always)]
    pub const fn relative_index(self, perspective: Color) -> usize {
        (self.0 ^ perspective as u8) as usize
    }
}

impl core::fmt::Debug for Piece {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?}{:?}", self.color(), self.kind())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_is_its_color_and_kind() {
        for (index, piece) in Piece::ALL.into_iter().enumerate() {
            assert_eq!(piece.index(), index);
            assert_eq!(Piece::new(piece.color(), piece.kind()), piece);
            assert_eq!(Piece::try_new(index as u8), Some(piece));
        }
        assert_eq!(Piece::try_new(12), None);
    }

    #[test]
    fn numbers_of_engines_are_pieces_and_all_others_are_none() {
        for (c, color) in Color::ALL.into_iter().enumerate() {
            assert_eq!(Color::try_new(c as u8), Some(color));
            for (k, kind) in PieceKind::ALL.into_iter().enumerate() {
                assert_eq!(PieceKind::try_new(k as u8), Some(kind));
                let piece = Piece::new(color, kind);
                assert_eq!(Piece::try_new((2 * k + c) as u8), Some(piece));
                assert_eq!(Piece::try_from_color_kind((6 * c + k) as u8), Some(piece));
                assert_eq!(piece.color_kind_index(), 6 * c + k);
            }
        }
        for none in 12..=u8::MAX {
            assert_eq!(Piece::try_new(none), None);
            assert_eq!(Piece::try_from_color_kind(none), None);
            assert_eq!(PieceKind::try_new(none), None);
            assert_eq!(Color::try_new(none), None);
        }
        assert_eq!(PieceKind::try_new(6), None);
        assert_eq!(Color::try_new(2), None);
    }

    #[test]
    fn relative_index_says_own_or_enemy() {
        let queen = Piece::new(Color::Black, PieceKind::Queen);
        assert_eq!(queen.relative_index(Color::Black), 8);
        assert_eq!(queen.relative_index(Color::White), 9);
    }
}
