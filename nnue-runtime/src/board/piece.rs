//! Colours, kinds of piece, pieces.

/// The colour of a piece or a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// moves first
    White = 0,
    /// the other one
    Black = 1,
}

impl Color {
    /// White, black.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

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

    /// Pawn is 0, king is 5.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// A piece: kind and colour in one byte, `2 * kind + color`, always below 12.
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

    /// The piece with this index, or `None` if it is not below [`COUNT`](Self::COUNT).
    #[inline(always)]
    pub const fn try_new(index: u8) -> Option<Self> {
        if (index as usize) < Self::COUNT {
            Some(Self(index))
        } else {
            None
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

    /// Its colour.
    #[inline(always)]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 {
            Color::White
        } else {
            Color::Black
        }
    }

    /// Its kind.
    #[inline(always)]
    pub const fn kind(self) -> PieceKind {
        PieceKind::ALL[(self.0 >> 1) as usize]
    }

    /// `2 * kind + color`, below [`Piece::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `2 * kind + enemy`, where `enemy` is 0 for a piece of colour `perspective` and 1 for one of the opponent.
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
    fn relative_index_says_own_or_enemy() {
        let queen = Piece::new(Color::Black, PieceKind::Queen);
        assert_eq!(queen.relative_index(Color::Black), 8);
        assert_eq!(queen.relative_index(Color::White), 9);
    }
}
