//! Pawn pairs (fact sheet, section 5.6).

use alloc::vec::Vec;

use super::board::{Board, Piece};
use super::feature::view_of_pairs;

/// Every unordered pair of pawns, of any colours, whose files differ by at most one.
pub(super) fn active_pawn_pairs(board: &Board, black: bool) -> Vec<usize> {
    let view = view_of_pairs(board, black);
    let pawns: Vec<&Piece> = board.pieces.iter().filter(|piece| piece.kind == 0).collect();
    let number = |pawn: &Piece| (48 * usize::from(pawn.black != black) + view(pawn.square).square()).checked_sub(8);
    let mut rows = Vec::new();
    for (index, first) in pawns.iter().enumerate() {
        for second in &pawns[..index] {
            let near = (first.square % 8).abs_diff(second.square % 8) <= 1;
            // Pawns on the first or last rank have no number of their own; such boards are not legal.
            if let (true, Some(first), Some(second)) = (near, number(first), number(second)) {
                let (low, high) = (first.min(second), first.max(second));
                rows.push(high * (high - 1) / 2 + low);
            }
        }
    }
    rows
}
