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
pub use king_buckets::{KingBucketed, KingTable};
pub use named::*;
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

/// The sets of single pieces that have a type of their own.
pub mod named {
    pub use super::chess768::*;
    pub use super::half_ka::*;
    pub use super::half_kp::*;
}

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
    note = "use a built-in set such as `Chess768`, or implement `nnue::FeatureSet` for your own type"
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
mod tests;
