//! Pawn pairs (`docs/feature-sets.md`).

use alloc::vec::Vec;

use super::board::{Board, Piece};
use super::place::view_of_pairs;

/// Every unordered pair of pawns, of any colours, whose files differ by at most one.
pub(super) fn active_pawn_pairs(board: &Board, black: bool) -> Vec<usize> {
    let view = view_of_pairs(board, black);
    // Pawns on the first or last rank have no number; such boards are not legal.
    let is_numbered = |piece: &&Piece| piece.kind == 0 && (1..=6).contains(&(piece.square / 8));
    let pawns: Vec<&Piece> = board.pieces.iter().filter(is_numbered).collect();
    let number =
        |pawn: &Piece| 48 * usize::from(pawn.black != black) + view(pawn.square).square() - 8;
    let mut rows = Vec::new();
    for (index, first) in pawns.iter().enumerate() {
        for second in &pawns[..index] {
            if (first.square % 8).abs_diff(second.square % 8) <= 1 {
                let (first, second) = (number(first), number(second));
                let (low, high) = (first.min(second), first.max(second));
                rows.push(high * (high - 1) / 2 + low);
            }
        }
    }
    rows
}
