//! Finds the threats that a move adds and removes, from the squares that changed.
//!
//! ```text
//!   by a piece that came or went         all its attacks
//!   on a square that changed             all attacks on it by pieces that stayed
//!   through a square that changed        the attack of a slider on the first piece beyond it, where both stayed: it exists on
//!                                        the board where the square is empty, and not on the other
//! ```
//!
//! The three kinds are disjoint, and no other attack changes: the attacks of a piece that stayed
//! depend only on the squares along its lines. If an attack of a slider was blocked or opened, the
//! slider sees the first changed square on its line on both boards. The attacked piece is the next
//! one on that line, on the board where the changed square is empty. This holds for any number of
//! changed squares, so the two boards may be several moves apart.
//!
//! One look from a square, the same for every kind of piece, finds all of them: the piece on the
//! square attacks those of the seen pieces that it would reach on an empty board.
//!
//! The number of attacks is not predictable, so a mispredicted loop or branch costs more than the
//! work in it. Therefore one loop handles attacks by and on a piece, and candidates that are not
//! attacks are written to the list but not counted. Attacks without a row are listed too; the
//! function that numbers them drops them. [`lines`] needs no loops.

use super::attack::{Attack, AttackList};
use super::lines;
use super::squares::Squares;
use super::table::Table;
use crate::board::{PieceKind, Square, squares_of};
use crate::features::attacks;
use crate::features::piece_map::PieceMap;
use crate::features::row_change::RowChange;
use crate::simd::Simd;

/// The pieces seen from a square: the first in each direction, and those a knight's move away.
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

    /// The pieces on the line of `seen`: `seen` itself, and the one in the opposite direction, if
    /// any.
    #[inline(always)]
    fn line_of(&self, seen: Square) -> u64 {
        self.lines.iter().fold(0, |all, &line| {
            all | if line & seen.bit() != 0 { line } else { 0 }
        })
    }

    /// The bishops, rooks and queens that attack the square.
    #[inline(always)]
    fn sliders(&self, board: &PieceMap) -> u64 {
        let queens = board.both(PieceKind::Queen);
        self.diagonal() & (queens | board.both(PieceKind::Bishop))
            | self.straight() & (queens | board.both(PieceKind::Rook))
    }
}

/// Lists the threats that differ between two boards, before and after.
#[inline(always)]
pub(super) fn find<S: Simd>(
    simd: S,
    table: &Table,
    boards: [&PieceMap; 2],
    attacks: &mut AttackList,
) {
    attacks.clear();
    let (before, after) = (Squares::new(simd, boards[0]), Squares::new(simd, boards[1]));
    let changed = before.board.differing(after.board);
    for (here, there, change) in [
        (&before, &after, RowChange::Removed),
        (&after, &before, RowChange::Added),
    ] {
        for square in squares_of(changed & here.board.occupied()) {
            if const { S::LINES } {
                lines::around(simd, table, [here, there], changed, square, change, attacks);
            } else {
                around(table, [here, there], changed, square, change, attacks);
            }
        }
    }
}

/// Lists the threats by, on and through the piece on `square` of the board `here`. On the board
/// `there`, the square is empty or has another piece.
#[inline(always)]
fn around(
    table: &Table,
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
    let attacked = seen & table.attacked_from(here, placed);
    let attackers = sliders | (knights | table.neighbours(here.board, placed)) & !changed;
    for other in squares_of(attacked | attackers) {
        let other_placed = here.placed(other);
        attacks.push_if(
            attacked & other.bit() != 0,
            Attack::new(change, placed, other_placed),
        );
        attacks.push_if(
            attackers & other.bit() != 0,
            Attack::new(change, other_placed, placed),
        );
    }
    if there.board.occupied() & square.bit() == 0 && sliders != 0 {
        let look = Look::from(there.board, square);
        for slider in squares_of(sliders & (look.diagonal() | look.straight())) {
            let line = look.line_of(slider);
            let behind = line & !slider.bit() & !changed;
            let behind_placed = there.placed(Square::wrapping(behind.trailing_zeros()));
            attacks.push_if(
                behind != 0,
                Attack::new(change.other(), here.placed(slider), behind_placed),
            );
        }
    }
}
