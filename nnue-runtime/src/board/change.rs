//! The change that a move makes to the board.

use super::{Bitboards, Color, Piece, PieceKind, Square};

/// A piece on a square.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placed {
    /// which piece
    pub piece: Piece,
    /// where
    pub square: Square,
}

impl Placed {
    /// `piece` on `square`.
    #[inline(always)]
    pub const fn new(piece: Piece, square: Square) -> Self {
        Self { piece, square }
    }
}

impl core::fmt::Debug for Placed {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "{:?} {:?}", self.piece, self.square)
    }
}

/// The change of a move: up to two pieces that are removed from the board and up to two that are
/// added.
///
/// A piece that moves is removed from one square and added on another. This covers every legal
/// move, also of Chess960: a piece that stays on its square in a castling is not part of the
/// change.
///
/// ```
/// use nnue_runtime::{Change, Color, Piece, PieceKind, Square};
///
/// let pawn = Piece::new(Color::White, PieceKind::Pawn);
/// let knight = Piece::new(Color::Black, PieceKind::Knight);
/// let change = Change::capture(pawn, Square::at(4, 3), Square::at(3, 4), knight);
/// assert_eq!((change.removed().len(), change.added().len()), (2, 1));
/// ```
#[derive(Clone, Copy)]
pub struct Change {
    removed: [Placed; 2],
    added: [Placed; 2],
    removed_len: u8,
    added_len: u8,
    /// bit 0: the white king is removed or added; bit 1: the black king
    kings: u8,
}

/// The bit in `kings` of a piece; 0 if it is not a king or `counts` is false.
#[inline(always)]
const fn king_bit(placed: Placed, counts: bool) -> u8 {
    ((counts && placed.piece.index() >= 2 * PieceKind::King.index()) as u8)
        << (placed.piece.index() & 1)
}

/// Whether `other` contains `list[at]` too; repeated pieces are matched one to one.
#[inline(always)]
fn cancels(list: &[Placed], at: usize, other: &[Placed]) -> bool {
    let count = |of: &[Placed]| of.iter().filter(|&&placed| placed == list[at]).count();
    other.contains(&list[at]) && count(&list[..at]) < count(other)
}

const NOTHING: Placed = Placed::new(Piece::new(Color::White, PieceKind::Pawn), Square::new(0));

impl Change {
    /// The change of a null move, which is empty.
    #[inline(always)]
    pub const fn null() -> Self {
        Self {
            removed: [NOTHING; 2],
            added: [NOTHING; 2],
            removed_len: 0,
            added_len: 0,
            kings: 0,
        }
    }

    /// `piece` moves to an empty square.
    #[inline(always)]
    pub const fn quiet(piece: Piece, from: Square, to: Square) -> Self {
        Self::null()
            .take(Placed::new(piece, from))
            .put(Placed::new(piece, to))
    }

    /// `piece` moves to another square and captures `captured` there.
    #[inline(always)]
    pub const fn capture(piece: Piece, from: Square, to: Square, captured: Piece) -> Self {
        Self::quiet(piece, from, to).take(Placed::new(captured, to))
    }

    /// A pawn of `color` moves to another square and is promoted to `promoted`, with or without
    /// capturing `captured`.
    #[inline(always)]
    pub const fn promotion(
        color: Color,
        from: Square,
        to: Square,
        promoted: PieceKind,
        captured: Option<Piece>,
    ) -> Self {
        let pawn = Placed::new(Piece::new(color, PieceKind::Pawn), from);
        let change = Self::null()
            .take(pawn)
            .put(Placed::new(Piece::new(color, promoted), to));
        match captured {
            Some(captured) => change.take(Placed::new(captured, to)),
            None => change,
        }
    }

    /// A pawn of `color` captures en passant: the captured pawn is on the rank of `from` and the
    /// file of `to`.
    #[inline(always)]
    pub const fn en_passant(color: Color, from: Square, to: Square) -> Self {
        let victim = Placed::new(
            Piece::new(color.other(), PieceKind::Pawn),
            Square::at(to.file(), from.rank()),
        );
        Self::quiet(Piece::new(color, PieceKind::Pawn), from, to).take(victim)
    }

    /// King and rook of `color` move, each from its first square to its second. In Chess960 these
    /// squares may overlap or be the same.
    #[inline(always)]
    pub fn castling(color: Color, king: (Square, Square), rook: (Square, Square)) -> Self {
        let [king_piece, rook_piece] =
            [PieceKind::King, PieceKind::Rook].map(|kind| Piece::new(color, kind));
        let mut change = Self::null();
        if king.0 != king.1 {
            change = change
                .take(Placed::new(king_piece, king.0))
                .put(Placed::new(king_piece, king.1));
        }
        if rook.0 != rook.1 {
            change = change
                .take(Placed::new(rook_piece, rook.0))
                .put(Placed::new(rook_piece, rook.1));
        }
        change
    }

    /// `piece` is placed on an empty square from outside the board (Crazyhouse).
    #[inline(always)]
    pub const fn drop(piece: Piece, square: Square) -> Self {
        Self::null().put(Placed::new(piece, square))
    }

    /// A change with these `removed` and `added` pieces. A piece in both lists is dropped from
    /// both. `None` if more than two pieces remain in a list. Does not allocate.
    #[inline]
    pub fn new(removed: &[Placed], added: &[Placed]) -> Option<Self> {
        let mut change = Self::null();
        for (at, &placed) in removed.iter().enumerate() {
            if !cancels(removed, at, added) {
                change = (change.removed_len < 2).then(|| change.take(placed))?;
            }
        }
        for (at, &placed) in added.iter().enumerate() {
            if !cancels(added, at, removed) {
                change = (change.added_len < 2).then(|| change.put(placed))?;
            }
        }
        Some(change)
    }

    /// [`new`](Self::new) with the first pieces of each list, as many as the lengths say, at most
    /// two. A piece in both lists stays in both, so that a king which castles without moving causes
    /// a refresh. The rest of a list is ignored.
    #[inline(always)]
    pub const fn of_pairs(
        removed: [Placed; 2],
        removed_len: u8,
        added: [Placed; 2],
        added_len: u8,
    ) -> Option<Self> {
        if removed_len > 2 || added_len > 2 {
            return None;
        }
        let change = Self {
            removed,
            added,
            removed_len,
            added_len,
            kings: 0,
        };
        let kings = king_bit(removed[0], removed_len > 0)
            | king_bit(removed[1], removed_len > 1)
            | king_bit(added[0], added_len > 0)
            | king_bit(added[1], added_len > 1);
        Some(Self { kings, ..change })
    }

    /// Adds a removed piece; there may be at most two.
    #[inline(always)]
    const fn take(mut self, placed: Placed) -> Self {
        self.removed[self.removed_len as usize] = placed;
        self.removed_len += 1;
        self.note_king(placed)
    }

    /// Adds an added piece; there may be at most two.
    #[inline(always)]
    const fn put(mut self, placed: Placed) -> Self {
        self.added[self.added_len as usize] = placed;
        self.added_len += 1;
        self.note_king(placed)
    }

    #[inline(always)]
    const fn note_king(mut self, placed: Placed) -> Self {
        self.kings |= king_bit(placed, true);
        self
    }

    /// Splits the change into two steps: first the first removed piece (of a move, the moving
    /// piece) is lifted, then the rest follows. `None` if nothing is removed.
    #[inline(always)]
    pub(crate) fn split(&self) -> Option<[Self; 2]> {
        let &lifted = self.removed().first()?;
        let rest = Self {
            removed: [self.removed[1], NOTHING],
            removed_len: self.removed_len - 1,
            ..*self
        };
        Some([Self::null().take(lifted), rest])
    }

    /// The change that undoes this one.
    #[inline(always)]
    pub(crate) const fn inverse(&self) -> Self {
        Self {
            removed: self.added,
            added: self.removed,
            removed_len: self.added_len,
            added_len: self.removed_len,
            kings: self.kings,
        }
    }

    /// [`removed`](Self::removed) and [`added`](Self::added), each padded to two pieces with
    /// arbitrary ones.
    #[inline(always)]
    pub(crate) fn padded(&self) -> (&[Placed; 2], &[Placed; 2]) {
        (&self.removed, &self.added)
    }

    /// The removed pieces, at most two.
    #[inline(always)]
    pub fn removed(&self) -> &[Placed] {
        &self.removed[..usize::from(self.removed_len).min(2)]
    }

    /// The added pieces, at most two.
    #[inline(always)]
    pub fn added(&self) -> &[Placed] {
        &self.added[..usize::from(self.added_len).min(2)]
    }

    /// True for a null move, and for a castling in which neither king nor rook moves.
    #[inline(always)]
    pub const fn is_null(&self) -> bool {
        self.removed_len | self.added_len == 0
    }

    /// True if the king of this colour is among the pieces.
    #[inline(always)]
    pub const fn touches_king(&self, color: Color) -> bool {
        self.kings & (1 << color as u8) != 0
    }

    /// The squares on which the king of this colour is removed and added.
    #[inline]
    pub fn king_squares(&self, color: Color) -> (Option<Square>, Option<Square>) {
        let king = Piece::new(color, PieceKind::King);
        let find = |list: &[Placed]| {
            list.iter()
                .find(|placed| placed.piece == king)
                .map(|placed| placed.square)
        };
        (find(self.removed()), find(self.added()))
    }

    /// Turns the bitboards of the position after the change into those of the position before it.
    #[inline]
    pub(crate) fn undo(&self, boards: &mut Bitboards) {
        for placed in self.added() {
            boards[placed.piece.index()] &= !placed.square.bit();
        }
        for placed in self.removed() {
            boards[placed.piece.index()] |= placed.square.bit();
        }
    }
}

impl Default for Change {
    fn default() -> Self {
        Self::null()
    }
}

impl core::fmt::Debug for Change {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Change")
            .field("removed", &self.removed())
            .field("added", &self.added())
            .finish()
    }
}

impl PartialEq for Change {
    fn eq(&self, other: &Self) -> bool {
        self.removed() == other.removed() && self.added() == other.added()
    }
}

impl Eq for Change {}

#[cfg(test)]
mod tests {
    use super::*;

    const KING: Piece = Piece::new(Color::White, PieceKind::King);
    const ROOK: Piece = Piece::new(Color::White, PieceKind::Rook);

    #[test]
    fn en_passant_takes_the_passed_pawn() {
        let change = Change::en_passant(Color::Black, Square::at(3, 3), Square::at(4, 2));
        let white_pawn = Piece::new(Color::White, PieceKind::Pawn);
        assert!(
            change
                .removed()
                .contains(&Placed::new(white_pawn, Square::at(4, 3)))
        );
        assert!(!change.touches_king(Color::White) && !change.touches_king(Color::Black));
    }

    #[test]
    fn castling_leaves_out_what_stays() {
        let [c, d, f, g, h] = [2, 3, 5, 6, 7].map(|file| Square::at(file, 0));
        let both = Change::castling(Color::White, (Square::at(4, 0), g), (h, f));
        assert_eq!((both.removed().len(), both.added().len()), (2, 2));
        assert_eq!(
            both.king_squares(Color::White),
            (Some(Square::at(4, 0)), Some(g))
        );
        let king_stays = Change::castling(Color::White, (g, g), (h, f));
        assert_eq!(king_stays, Change::quiet(ROOK, h, f));
        assert!(!king_stays.touches_king(Color::White));
        let rook_stays = Change::castling(Color::White, (Square::at(1, 0), c), (d, d));
        assert_eq!(rook_stays, Change::quiet(KING, Square::at(1, 0), c));
        assert!(Change::castling(Color::White, (g, g), (f, f)).is_null());
    }

    #[test]
    fn castling_may_swap_king_and_rook() {
        let [f, g] = [5, 6].map(|file| Square::at(file, 0));
        let change = Change::castling(Color::White, (f, g), (g, f));
        let mut boards = Bitboards::default();
        (boards[KING.index()], boards[ROOK.index()]) = (g.bit(), f.bit());
        change.undo(&mut boards);
        assert_eq!(
            (boards[KING.index()], boards[ROOK.index()]),
            (f.bit(), g.bit())
        );
    }

    #[test]
    fn new_cancels_and_counts() {
        let [a, b, c] = [0, 1, 2].map(|file| Placed::new(ROOK, Square::at(file, 0)));
        assert_eq!(
            Change::new(&[a, b], &[b, c]),
            Some(Change::quiet(ROOK, a.square, c.square))
        );
        assert_eq!(Change::new(&[a, b, c], &[]), None);
        assert_eq!(
            Change::new(&[a, a], &[a, b]),
            Some(Change::quiet(ROOK, a.square, b.square))
        );
    }

    #[test]
    fn pairs_are_lists_of_their_lengths() {
        let king = Piece::new(Color::Black, PieceKind::King);
        let [a, b] = [0, 1].map(|file| Placed::new(ROOK, Square::at(file, 0)));
        let k = Placed::new(king, Square::at(4, 7));
        for (removed, removed_len, added, added_len) in [
            ([a, k], 1, [b, k], 1),
            ([a, k], 2, [b, a], 1),
            ([k, a], 0, [k, b], 2),
            ([a, b], 0, [k, b], 0),
        ] {
            let change = Change::of_pairs(removed, removed_len, added, added_len);
            let lists = (
                &removed[..usize::from(removed_len)],
                &added[..usize::from(added_len)],
            );
            assert_eq!(change, Change::new(lists.0, lists.1));
            assert_eq!(
                change.map(|it| it.touches_king(Color::Black)),
                Some(lists.0.contains(&k) || lists.1.contains(&k))
            );
        }
        assert_eq!(Change::of_pairs([a, b], 3, [a, b], 0), None);
    }
}
