//! A position as the network sees it: twelve bitboards and the side to move.

use super::{Color, Piece, PieceKind, Square};
use crate::both::both;

/// A position as a network reads it. A user's board implements this trait.
///
/// Two methods are required. The others have defaults, which a board may override with faster code.
///
/// A network is defined for positions with exactly one king of each colour and at most one piece on
/// each square. Other positions give an unspecified number, but never a panic: a missing king
/// counts as a king on a1, and of several kings the one on the lowest square is used.
///
/// ```
/// use nnue_runtime::{Color, PieceKind, Position};
///
/// struct MyBoard {
///     by_kind: [u64; 6],
///     by_color: [u64; 2],
///     black_to_move: bool,
/// }
///
/// impl Position for MyBoard {
///     fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
///         self.by_kind[kind.index()] & self.by_color[color.index()]
///     }
///     fn side_to_move(&self) -> Color {
///         if self.black_to_move { Color::Black } else { Color::White }
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a chess position that a network can read",
    label = "does not implement `Position`",
    note = "implement `nnue::Position` for your own board (two methods: piece bitboards and the side to move)",
    note = "for the boards of `shakmaty` or `cozy-chess` enable the feature of that name of the crate `nnue`"
)]
pub trait Position {
    /// The squares with a piece of this colour and kind; bit 0 is a1, bit 7 is h1, bit 63 is h8.
    fn pieces(&self, color: Color, kind: PieceKind) -> u64;

    /// The side to move.
    fn side_to_move(&self) -> Color;

    /// The squares of all pieces.
    #[inline]
    fn occupied(&self) -> u64 {
        Piece::ALL.into_iter().fold(0, |all, piece| {
            all | self.pieces(piece.color(), piece.kind())
        })
    }

    /// The square of the king of this colour.
    #[inline]
    fn king(&self, color: Color) -> Square {
        Square::wrapping(self.pieces(color, PieceKind::King).trailing_zeros())
    }
}

impl<P: Position + ?Sized> Position for &P {
    #[inline]
    fn pieces(&self, color: Color, kind: PieceKind) -> u64 {
        (**self).pieces(color, kind)
    }
    #[inline]
    fn side_to_move(&self) -> Color {
        (**self).side_to_move()
    }
    #[inline]
    fn occupied(&self) -> u64 {
        (**self).occupied()
    }
    #[inline]
    fn king(&self, color: Color) -> Square {
        (**self).king(color)
    }
}

/// A bitboard per piece, by [`Piece::index`].
pub(crate) type Bitboards = [u64; Piece::COUNT];

/// The squares of a bitboard, ascending.
#[inline(always)]
pub(crate) fn squares_of(mut bitboard: u64) -> impl Iterator<Item = Square> {
    core::iter::from_fn(move || {
        let square = (bitboard != 0).then(|| Square::wrapping(bitboard.trailing_zeros()))?;
        bitboard &= bitboard - 1;
        Some(square)
    })
}

fn bitboards_of(position: &(impl Position + ?Sized)) -> Bitboards {
    let mut boards = Bitboards::default();
    for piece in Piece::ALL {
        boards[piece.index()] = position.pieces(piece.color(), piece.kind());
    }
    boards
}

/// The parts of a position that every evaluation needs, read once. Bitboards are read only to
/// refresh an accumulator.
pub struct Snapshot<'a> {
    /// by colour
    pub(crate) kings: [Square; 2],
    pub(crate) side_to_move: Color,
    pub(crate) occupied: u64,
    bitboards: &'a dyn Fn() -> Bitboards,
}

impl Snapshot<'_> {
    #[inline(always)]
    pub(crate) fn with<P: Position + ?Sized, T>(
        position: &P,
        f: impl FnOnce(&Snapshot<'_>) -> T,
    ) -> T {
        let bitboards = || bitboards_of(position);
        f(&Snapshot {
            kings: both(Color::ALL, |color| position.king(color)),
            side_to_move: position.side_to_move(),
            occupied: position.occupied(),
            bitboards: &bitboards,
        })
    }

    #[inline(always)]
    pub(crate) fn bitboards(&self) -> Bitboards {
        (self.bitboards)()
    }

    /// Pieces on the board, kings included.
    #[inline(always)]
    pub(crate) fn piece_count(&self) -> usize {
        self.occupied.count_ones() as usize
    }
}
