//! The threats that a move makes and unmakes, from the squares that changed.
//!
//! ```text
//!   of a piece that came or went         all its attacks
//!   on a square that changed             all attacks onto it, from pieces that stayed
//!   through a square that changed        the attack of a slider on the piece behind it, both of which stayed: it is there on
//!                                        the board on which the square is empty, and not on the other
//! ```
//!
//! The three are disjoint, and nothing else changes: what a piece that stayed attacks depends only on the squares that it
//! looks at. A slider whose attack was cut or opened looks at the first of the squares that did it on both boards, and what
//! stands behind that square on the board where it is empty is the piece that it lost or found. That holds however many squares
//! changed, so that a change may be that of several moves.
//!
//! One look from a square gives all of them, the same for every kind of piece: what its piece attacks are the squares looked at
//! that it reaches on an empty board.
//!
//! How many attacks there are is not predictable, so a loop or a branch costs more than what is done in it: attacks of and on a
//! piece share a loop, and what is no attack is put into the list, too, but not counted. Attacks without a row are listed,
//! and dropped by who numbers them. ([`lines`](super::lines) does without loops.)

use super::attack::{Attack, AttackList};
use super::{Threats, lines};
use crate::board::{Color, Piece, PieceKind, Square, squares_of};
use crate::features::attacks;
use crate::features::changed_rows::RowChange;
use crate::features::piece_map::PieceMap;
use crate::simd::Simd;

/// A board, and the piece on each square.
pub(super) struct Squares<'a> {
    pub(super) board: &'a PieceMap,
    pub(super) by_square: [u8; 64],
}

impl<'a> Squares<'a> {
    #[inline(always)]
    pub(super) fn new<S: Simd>(simd: S, board: &'a PieceMap) -> Self {
        Self { board, by_square: board.by_square(simd) }
    }

    #[inline(always)]
    pub(super) fn placed(&self, square: Square) -> (u8, Square) {
        (self.by_square[square.index()], square)
    }
}

/// What is seen from a square: the first pieces on each line, and those a knight's move away.
#[derive(Clone, Copy)]
struct Look {
    lines: [u64; 4],
    knight: u64,
}

impl Look {
    #[inline(always)]
    fn from(board: &PieceMap, square: Square) -> Self {
        let (at, occupied) = (square.index(), board.occupied());
        Self {
            lines: attacks::lines_from(at, occupied).map(|line| line & occupied),
            knight: attacks::KNIGHT[at] & occupied,
        }
    }

    #[inline(always)]
    fn diagonal(&self) -> u64 {
        self.lines[0] | self.lines[1]
    }

    #[inline(always)]
    fn straight(&self) -> u64 {
        self.lines[2] | self.lines[3]
    }

    /// What is seen on the line on which `seen` is: that square, and one on the other side, if there is a piece.
    #[inline(always)]
    fn line_of(&self, seen: Square) -> u64 {
        self.lines.iter().fold(0, |all, &line| all | if line & seen.bit() != 0 { line } else { 0 })
    }

    /// The bishops, rooks and queens that attack the square.
    #[inline(always)]
    fn sliders(&self, board: &PieceMap) -> u64 {
        let queens = board.both(PieceKind::Queen);
        self.diagonal() & (queens | board.both(PieceKind::Bishop))
            | self.straight() & (queens | board.both(PieceKind::Rook))
    }
}

/// Lists how the threats on two boards, before and after, differ.
#[inline(always)]
pub(super) fn find<S: Simd, const PAIRS: u64>(simd: S, boards: [&PieceMap; 2], attacks: &mut AttackList) {
    attacks.clear();
    let (before, after) = (Squares::new(simd, boards[0]), Squares::new(simd, boards[1]));
    let changed = before.board.differing(after.board);
    for (here, there, change) in [(&before, &after, RowChange::Removed), (&after, &before, RowChange::Added)] {
        for square in squares_of(changed & here.board.occupied()) {
            if S::LINES {
                lines::around::<S, PAIRS>(simd, [here, there], changed, square, change, attacks);
            } else {
                around::<PAIRS>([here, there], changed, square, change, attacks);
            }
        }
    }
}

/// The threats of, on and through the piece on `square` of the board `here`; on the board `there` the square is empty, or another
/// piece stands on it.
#[inline(always)]
fn around<const PAIRS: u64>(
    [here, there]: [&Squares<'_>; 2],
    changed: u64,
    square: Square,
    change: RowChange,
    attacks: &mut AttackList,
) {
    let placed = here.placed(square);
    let look = Look::from(here.board, square);
    let seen = look.diagonal() | look.straight() | look.knight;
    let sliders = look.sliders(here.board) & !changed;
    let knights = look.knight & here.board.both(PieceKind::Knight);
    let attacked = seen & Threats::<PAIRS>::reach(here, placed);
    let attackers = sliders | (knights | Threats::<PAIRS>::neighbours(here.board, placed)) & !changed;
    for other in squares_of(attacked | attackers) {
        let other_placed = here.placed(other);
        attacks.push_if(attacked & other.bit() != 0, Attack::new(change, placed, other_placed));
        attacks.push_if(attackers & other.bit() != 0, Attack::new(change, other_placed, placed));
    }
    if there.board.occupied() & square.bit() == 0 && sliders != 0 {
        let look = Look::from(there.board, square);
        for slider in squares_of(sliders & (look.diagonal() | look.straight())) {
            let line = look.line_of(slider);
            let behind = line & !slider.bit() & !changed;
            let behind_placed = there.placed(Square::wrapping(behind.trailing_zeros()));
            attacks.push_if(behind != 0, Attack::new(change.other(), here.placed(slider), behind_placed));
        }
    }
}

impl<const PAIRS: u64> Threats<PAIRS> {
    /// What a piece would attack on an empty board, as this set counts attacks.
    #[inline(always)]
    pub(super) fn reach(squares: &Squares<'_>, (piece, square): (u8, Square)) -> u64 {
        let reach = Self::TABLE.reach.empty(piece.into(), square.index());
        if Self::PAIRS.pushes() && piece < 2 {
            reach & (attacks::PAWN[usize::from(piece)][square.index()] | squares.board.both(PieceKind::Pawn))
        } else {
            reach
        }
    }

    /// The pawns and kings that attack a piece, as this set counts attacks.
    #[inline(always)]
    pub(super) fn neighbours(board: &PieceMap, (piece, square): (u8, Square)) -> u64 {
        let at = square.index();
        let is_pushed = Self::PAIRS.pushes() && piece < 2;
        let of_pawns = Color::ALL.into_iter().fold(0, |all, color| {
            let behind = if is_pushed { attacks::PUSHERS[color.index()][at] } else { 0 };
            let from = attacks::PAWN_ATTACKERS[color.index()][at] | behind;
            all | from & board.pieces(Piece::new(color, PieceKind::Pawn))
        });
        of_pawns | attacks::KING[at] & board.both(PieceKind::King)
    }
}
