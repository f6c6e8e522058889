//! The feature sets of a network as a value, for accumulators: from declared types, or from a
//! descriptor at run time.
//!
//! ```text
//!   Declared<F, X>   empty; the compiler knows every table and size         accumulators of declared networks
//!   AtRunTime        refers to the sets of a descriptor (`at_run_time`)     networks that are described while the program runs
//! ```

use core::marker::PhantomData;

use super::standing::{Standing, standings};
use super::{ChangedRows, FeatureSet, PairSets, PairView, PieceMap, View};
use crate::board::{Bitboards, Change, Color, Piece, Planes, Square};
use crate::simd::AvailableLevel;

/// A set of pieces and sets of pairs. The functions are those of [`FeatureSet`] and [`PairSets`].
pub trait Sets: Copy {
    /// Rows of the set of pieces.
    fn rows(self) -> usize;

    /// Rows of all sets of pairs.
    fn pair_rows(self) -> usize;

    /// [`FeatureSet::SEES_ATTACKS`]
    fn sees_attacks(self) -> bool;

    /// [`FeatureSet::view`]
    fn view(self, perspective: Color, king: Square) -> View;

    /// [`FeatureSet::row`]
    fn row(self, view: View, piece: Piece, square: Square) -> Option<u32>;

    /// [`FeatureSet::row_standing`]
    fn row_standing(
        self,
        view: View,
        piece: Piece,
        square: Square,
        standing: Standing,
    ) -> Option<u32>;

    /// [`FeatureSet::must_refresh`]
    fn must_refresh(self, perspective: Color, change: &Change) -> bool;

    /// [`PairSets::active`]
    fn active_pairs(self, board: &PieceMap, view: PairView, found: impl FnMut(u32));

    /// [`PairSets::collect`]
    fn collect_pairs(
        self,
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        rows: &mut ChangedRows,
    );

    /// [`PairSets::changes`]
    fn changed_pairs(
        self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    );

    /// Whether there are sets of pairs.
    #[inline(always)]
    fn has_pairs(self) -> bool {
        self.pair_rows() > 0
    }
}

/// A board for the rows of pieces, with standings if the rows depend on them.
#[inline(always)]
pub(crate) fn planes_of(sets: impl Sets, boards: &Bitboards) -> Planes {
    let planes = Planes::of(boards);
    if sets.sees_attacks() {
        planes.with_standings(standings(boards))
    } else {
        planes
    }
}

/// The row of a piece on a board of [`planes_of`].
#[inline(always)]
pub(crate) fn row_on(
    sets: impl Sets,
    view: View,
    board: &Planes,
    piece: Piece,
    square: Square,
) -> Option<u32> {
    if sets.sees_attacks() {
        let [attacked, defended] = board.standing(square);
        sets.row_standing(view, piece, square, Standing { attacked, defended })
    } else {
        sets.row(view, piece, square)
    }
}

/// The sets of a declared network.
pub struct Declared<F, X>(PhantomData<fn() -> (F, X)>);

impl<F, X> Declared<F, X> {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self(PhantomData)
    }
}

impl<F, X> Clone for Declared<F, X> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<F, X> Copy for Declared<F, X> {}

impl<F: FeatureSet, X: PairSets> Sets for Declared<F, X> {
    #[inline(always)]
    fn rows(self) -> usize {
        F::ROWS
    }

    #[inline(always)]
    fn pair_rows(self) -> usize {
        X::ROWS
    }

    #[inline(always)]
    fn sees_attacks(self) -> bool {
        F::SEES_ATTACKS
    }

    #[inline(always)]
    fn view(self, perspective: Color, king: Square) -> View {
        F::view(perspective, king)
    }

    #[inline(always)]
    fn row(self, view: View, piece: Piece, square: Square) -> Option<u32> {
        F::row(view, piece, square)
    }

    #[inline(always)]
    fn row_standing(
        self,
        view: View,
        piece: Piece,
        square: Square,
        standing: Standing,
    ) -> Option<u32> {
        F::row_standing(view, piece, square, standing)
    }

    #[inline(always)]
    fn must_refresh(self, perspective: Color, change: &Change) -> bool {
        F::must_refresh(perspective, change)
    }

    #[inline(always)]
    fn active_pairs(self, board: &PieceMap, view: PairView, found: impl FnMut(u32)) {
        X::active(board, view, found);
    }

    #[inline(always)]
    fn collect_pairs(
        self,
        level: AvailableLevel,
        board: &PieceMap,
        view: PairView,
        rows: &mut ChangedRows,
    ) {
        X::collect(level, board, view, rows);
    }

    #[inline(always)]
    fn changed_pairs(
        self,
        level: AvailableLevel,
        boards: [&PieceMap; 2],
        views: &[PairView],
        rows: &mut ChangedRows,
    ) {
        X::changes(level, boards, views, rows);
    }
}

#[cfg(test)]
mod tests {
    use nnue_spec::KingBuckets;

    use super::*;
    use crate::board::PieceKind;
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
            squares
                .iter()
                .for_each(|square| boards[Piece::new(color, kind).index()] |= 1 << square);
        };
        put(Color::White, PieceKind::King, &[32]);
        put(Color::White, PieceKind::Rook, &[25]);
        put(Color::White, PieceKind::Pawn, &[33, 12, 14]);
        put(Color::Black, PieceKind::King, &[31]);
        put(Color::Black, PieceKind::Rook, &[39]);
        put(Color::Black, PieceKind::Pawn, &[50, 43, 29]);
        let sets = Declared::<KingBucketed<Attacks>, ()>::new();
        let board = planes_of(sets, &boards);
        let rows = |color, king| {
            let view = KingBucketed::<Attacks>::view(color, Square::new(king));
            let rows = board
                .on(!0)
                .map(|(piece, square)| row_on(sets, view, &board, piece, square));
            let mut rows: Vec<u32> = rows.flatten().collect();
            rows.sort_unstable();
            rows
        };
        assert_eq!(
            rows(Color::White, 32),
            [12, 14, 352, 434, 1181, 1753, 1963, 2151, 2271, 2337]
        );
        assert_eq!(
            rows(Color::Black, 31),
            [10, 436, 438, 728, 805, 1555, 1759, 1895, 2145, 2713]
        );
    }
}
