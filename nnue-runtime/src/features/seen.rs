//! Boards as feature sets see them: with the standings of pieces where rows depend on these.

use super::standing::{Standing, standings};
use super::{FeatureSet, View};
use crate::board::{Bitboards, Piece, Planes, Square};

/// A board as the rows of `F` depend on it.
#[inline(always)]
pub(crate) fn planes_of<F: FeatureSet>(boards: &Bitboards) -> Planes {
    let planes = Planes::of(boards);
    if const { F::SEES_ATTACKS } { planes.with_standings(standings(boards)) } else { planes }
}

/// The row of a piece of a board of [`planes_of`].
#[inline(always)]
pub(crate) fn row_on<F: FeatureSet>(view: View, board: &Planes, piece: Piece, square: Square) -> Option<u32> {
    if const { F::SEES_ATTACKS } {
        let [attacked, defended] = board.standing(square);
        F::row_standing(view, piece, square, Standing { attacked, defended })
    } else {
        F::row(view, piece, square)
    }
}

#[cfg(test)]
mod tests {
    use nnue_spec::KingBuckets;

    use super::*;
    use crate::board::{Color, PieceKind};
    use crate::features::{KingBucketed, KingTable};

    struct Attacks;

    impl KingTable for Attacks {
        const BUCKETS: KingBuckets = KingBuckets::new([0; 64], false, false).with_attacks();
    }

    /// `8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8`: the worked example of `docs/feature-sets.md`.
    #[test]
    fn rows_of_the_worked_example() {
        let mut boards = Bitboards::default();
        let mut put = |color, kind, squares: &[u8]| {
            squares.iter().for_each(|square| boards[Piece::new(color, kind).index()] |= 1 << square);
        };
        put(Color::White, PieceKind::King, &[32]);
        put(Color::White, PieceKind::Rook, &[25]);
        put(Color::White, PieceKind::Pawn, &[33, 12, 14]);
        put(Color::Black, PieceKind::King, &[31]);
        put(Color::Black, PieceKind::Rook, &[39]);
        put(Color::Black, PieceKind::Pawn, &[50, 43, 29]);
        let board = planes_of::<KingBucketed<Attacks>>(&boards);
        let rows = |color, king| {
            let view = KingBucketed::<Attacks>::view(color, Square::new(king));
            let rows = board.on(!0).map(|(piece, square)| row_on::<KingBucketed<Attacks>>(view, &board, piece, square));
            let mut rows: Vec<u32> = rows.flatten().collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(rows(Color::White, 32), [12, 14, 352, 434, 1181, 1753, 1963, 2151, 2271, 2337]);
        assert_eq!(rows(Color::Black, 31), [10, 436, 438, 728, 805, 1555, 1759, 1895, 2145, 2713]);
    }
}
