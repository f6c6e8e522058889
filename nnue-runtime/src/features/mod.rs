//! Feature sets: the rows of the weight matrix that are active in a position, seen from one side.
//!
//! ```text
//!   perspective + own king ──► View (orientation, first row, cache slot)     computed once per evaluation
//!   View + piece + square  ──► row of the weight matrix                      a few adds per piece
//! ```

use alloc::vec::Vec;

#[cfg(feature = "described")]
mod at_run_time;
mod attacks;
mod changed_rows;
mod chess768;
mod half_ka;
mod half_kp;
mod king_buckets;
mod pair_set;
mod pair_view;
mod pawn_pairs;
mod piece_map;
#[cfg(feature = "described")]
mod piece_rows;
mod row_change;
mod row_list;
mod sets;
mod standing;
mod threats;

#[cfg(feature = "described")]
pub(crate) use at_run_time::{MOST_SLOTS, SetsAtRunTime};
pub use changed_rows::ChangedRows;
pub(crate) use changed_rows::MOST_PAIRS;
pub use chess768::Chess768;
pub use half_ka::{HalfKaV2, HalfKaV2Hm};
pub use half_kp::HalfKp;
pub use king_buckets::{KingBucketed, KingTable};
pub use pair_set::{PairSet, PairSets};
pub use pair_view::PairView;
pub use pawn_pairs::PawnPairs;
pub use piece_map::PieceMap;
pub use row_change::RowChange;
pub(crate) use row_list::RowList;
pub(crate) use sets::{Declared, Sets, planes_of, row_on};
pub use standing::Standing;
pub use threats::{
    FullThreatsV10, FullThreatsV11, FullThreatsV12, FullThreatsV14, FullThreatsV16, Threat, Threats,
};

use crate::board::{Change, Color, Piece, Square};

/// One side's view of the board: everything that its rows depend on besides the pieces and their
/// squares.
///
/// With equal views, every piece on every square has the same row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// the side
    pub perspective: Color,
    /// the view's square for `s` is `s ^ orientation`; below 64
    pub orientation: u8,
    /// the entry of the refresh cache; below [`FeatureSet::SLOTS`]
    pub slot: u16,
    /// first row of the block of rows that belongs to the own king's square or bucket
    pub base: u32,
}

/// A feature set in which every active row belongs to one piece on one square, seen from one side.
///
/// Accumulators and their refresh cache rely on this law, which [`check_laws`] checks: for two
/// views of the same perspective and slot,
/// `row(a, piece, s) == row(b, piece, s ^ a.orientation ^ b.orientation)`, also for each standing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an NNUE feature set",
    label = "expected a type implementing `FeatureSet`",
    note = "use a built-in set such as `HalfKaV2Hm`, or implement `nnue::FeatureSet` for your own type"
)]
pub trait FeatureSet: Send + Sync + 'static {
    /// The name as written in a declaration.
    const NAME: &'static str;
    /// Rows of the weight matrix.
    const ROWS: usize;
    /// Slots of the refresh cache.
    const SLOTS: usize;
    /// Whether the row of a piece depends on its [`Standing`]. Then the accumulator depends on the
    /// whole board: each position is compared with the last one of its slot.
    const SEES_ATTACKS: bool = false;

    /// The view of `perspective` if its own king is on `king`.
    fn view(perspective: Color, king: Square) -> View;

    /// The row of `piece` on `square`, below [`Self::ROWS`]; `None` if such a piece is not a
    /// feature.
    fn row(view: View, piece: Piece, square: Square) -> Option<u32>;

    /// [`Self::row`] for a piece with this standing. [`Self::row`] itself is for a piece that is
    /// neither attacked nor defended.
    #[inline(always)]
    fn row_standing(view: View, piece: Piece, square: Square, standing: Standing) -> Option<u32> {
        let _ = standing;
        Self::row(view, piece, square)
    }

    /// Whether the accumulator of `perspective` must be refreshed: `change` moves the own king to a
    /// square with another view, or any move may change any row.
    #[inline(always)]
    fn must_refresh(perspective: Color, change: &Change) -> bool {
        must_refresh(Self::SEES_ATTACKS, perspective, change, |king| {
            Self::view(perspective, king)
        })
    }
}

/// Whether the accumulator of `perspective` must be refreshed: `change` moves the own king to a
/// square with another view, or any move may change any row.
#[inline(always)]
fn must_refresh(
    sees_attacks: bool,
    perspective: Color,
    change: &Change,
    view: impl Fn(Square) -> View,
) -> bool {
    if sees_attacks {
        return true;
    }
    change.touches_king(perspective)
        && match change.king_squares(perspective) {
            (Some(from), Some(to)) => view(from) != view(to),
            _ => true,
        }
}

/// Checks the law and the bounds of a [`FeatureSet`] for every view, piece and square. For the
/// tests of a feature set.
///
/// # Panics
///
/// With the first counterexample.
pub fn check_laws<F: FeatureSet>() {
    for perspective in Color::ALL {
        let views: Vec<View> = (0..64)
            .map(|king| F::view(perspective, Square::new(king)))
            .collect();
        for (view, other) in views
            .iter()
            .flat_map(|v| views.iter().map(move |w| (*v, *w)))
        {
            assert!(
                usize::from(view.slot) < F::SLOTS,
                "slot of {view:?} is not below {}",
                F::SLOTS
            );
            if view.slot == other.slot {
                check_pair::<F>(view, other);
            }
        }
    }
}

fn check_pair<F: FeatureSet>(view: View, other: View) {
    for (piece, square) in Piece::ALL
        .into_iter()
        .flat_map(|piece| (0..64).map(move |s| (piece, Square::new(s))))
    {
        let mirrored = square.xor(view.orientation ^ other.orientation);
        assert_eq!(
            F::row(view, piece, square),
            F::row_standing(view, piece, square, Standing::default())
        );
        for standing in Standing::ALL {
            let row = F::row_standing(view, piece, square, standing);
            assert!(
                row.is_none_or(|row| (row as usize) < F::ROWS),
                "row {row:?} is not below {}",
                F::ROWS
            );
            let same = F::row_standing(other, piece, mirrored, standing);
            assert_eq!(row, same, "{piece:?} on {square:?}: {view:?} and {other:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PieceKind;

    /// `8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8`: the worked example of `docs/feature-sets.md`.
    fn example() -> Vec<(Piece, Square)> {
        let place =
            |color, kind, file, rank: u8| (Piece::new(color, kind), Square::at(file, rank - 1));
        use {Color::*, PieceKind::*};
        vec![
            place(Black, Pawn, 2, 7),
            place(Black, Pawn, 3, 6),
            place(White, King, 0, 5),
            place(White, Pawn, 1, 5),
            place(Black, Rook, 7, 5),
            place(White, Rook, 1, 4),
            place(Black, Pawn, 5, 4),
            place(Black, King, 7, 4),
            place(White, Pawn, 4, 2),
            place(White, Pawn, 6, 2),
        ]
    }

    fn rows<F: FeatureSet>(perspective: Color) -> Vec<u32> {
        let king = Piece::new(perspective, PieceKind::King);
        let square = example()
            .into_iter()
            .find(|(piece, _)| *piece == king)
            .expect("there is a king")
            .1;
        let view = F::view(perspective, square);
        let mut rows: Vec<u32> = example()
            .into_iter()
            .filter_map(|(piece, s)| F::row(view, piece, s))
            .collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn rows_of_the_worked_example() {
        assert_eq!(
            rows::<HalfKp>(Color::White),
            [20525, 20527, 20546, 20606, 20620, 20627, 20922, 21000]
        );
        assert_eq!(
            rows::<HalfKp>(Color::Black),
            [20526, 20533, 20547, 20607, 20626, 20628, 20921, 20999]
        );
        let white = [
            22540, 22542, 22561, 22621, 22635, 22642, 22937, 23015, 23199, 23200,
        ];
        let black = [
            27466, 27475, 27493, 27545, 27572, 27574, 27871, 27937, 28120, 28135,
        ];
        assert_eq!(
            (
                rows::<HalfKaV2>(Color::White),
                rows::<HalfKaV2>(Color::Black)
            ),
            (white.to_vec(), black.to_vec())
        );
        let white = [8457, 8459, 8486, 8538, 8556, 8565, 8862, 8928, 9112, 9127];
        let black = [8458, 8467, 8485, 8537, 8564, 8566, 8863, 8929, 9112, 9127];
        assert_eq!(
            (
                rows::<HalfKaV2Hm>(Color::White),
                rows::<HalfKaV2Hm>(Color::Black)
            ),
            (white.to_vec(), black.to_vec())
        );
    }

    #[test]
    fn sets_obey_the_law_of_views() {
        check_laws::<HalfKp>();
        check_laws::<HalfKaV2>();
        check_laws::<HalfKaV2Hm>();
        check_laws::<Chess768>();
    }

    #[test]
    fn own_king_moves_refresh_where_the_set_depends_on_the_king() {
        let king = Piece::new(Color::White, PieceKind::King);
        let step = Change::quiet(king, Square::at(4, 0), Square::at(3, 0));
        assert!(HalfKp::must_refresh(Color::White, &step));
        assert!(
            HalfKaV2Hm::must_refresh(Color::White, &step),
            "same bucket, but mirrored"
        );
        assert!(!HalfKaV2Hm::must_refresh(Color::Black, &step));
        assert!(!Chess768::must_refresh(Color::White, &step));
    }
}
