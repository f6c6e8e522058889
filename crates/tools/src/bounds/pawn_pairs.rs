//! Bounds of the sums of pawn pairs.
//!
//! ```text
//!   sum over the 219 greatest of max(0, greatest weight over the four colourings)       of two squares on the same or neighbouring files
//! ```
//!
//! and the lower bounds likewise, with minima. Two squares form at most one pair, and 30 pawns at most 219
//! pairs.

use nnue_spec::{FeatureSetId, TensorRef};

use super::interval::Interval;

/// Number of squares of a pawn.
const SQUARES: usize = 48;

/// The ranges of the sums of active rows, for each column.
pub(super) fn of_set(weight: TensorRef<'_>, columns: usize) -> Vec<Interval> {
    let places: Vec<[usize; 4]> = places().collect();
    let of_place = |rows: &[usize; 4], column| {
        let weights = rows.map(|row| Interval::of(weight.get(row * columns + column)));
        weights.into_iter().fold(Interval::ZERO, Interval::union)
    };
    (0..columns)
        .map(|column| sum_of_farthest(places.iter().map(|rows| of_place(rows, column))))
        .collect()
}

/// The four rows (one for each colouring) of each two squares that can form a pair.
fn places() -> impl Iterator<Item = [usize; 4]> {
    let squares = (0..SQUARES).flat_map(|high| (0..high).map(move |low| [low, high]));
    let near = squares.filter(|[low, high]| (low % 8).abs_diff(high % 8) <= 1);
    near.map(|[low, high]| {
        [
            [low, high],
            [SQUARES + low, high],
            [low, SQUARES + high],
            [SQUARES + low, SQUARES + high],
        ]
        .map(row)
    })
}

/// The row of a pair of pawns, given their indices.
fn row(pawns: [usize; 2]) -> usize {
    let (low, high) = (pawns[0].min(pawns[1]), pawns[0].max(pawns[1]));
    high * (high - 1) / 2 + low
}

/// The sum of the widest ranges, as many as pairs can be active. Each range contains 0.
fn sum_of_farthest(places: impl Iterator<Item = Interval>) -> Interval {
    let active = FeatureSetId::PawnPairs.max_active();
    let (mut least, mut greatest): (Vec<i64>, Vec<i64>) =
        places.map(|range| (range.min, range.max)).unzip();
    least.select_nth_unstable(active);
    greatest.select_nth_unstable_by(active, |a, b| b.cmp(a));
    Interval {
        min: least[..active].iter().sum(),
        max: greatest[..active].iter().sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The most pairs of `pawns` pawns on the files from `file` on, with `before` pawns on the file before.
    fn most(file: usize, before: usize, pawns: usize) -> usize {
        if file == 8 {
            return 0;
        }
        let here = |count: usize| count * count.saturating_sub(1) / 2 + count * before;
        (0..=pawns.min(6))
            .map(|count| here(count) + most(file + 1, count, pawns - count))
            .max()
            .unwrap_or(0)
    }

    #[test]
    fn thirty_pawns_make_no_more_pairs_than_are_counted() {
        assert_eq!(most(0, 0, 30), FeatureSetId::PawnPairs.max_active());
    }

    #[test]
    fn every_row_of_neighbouring_files_has_one_place() {
        let mut rows: Vec<usize> = places().flatten().collect();
        let count = rows.len();
        assert_eq!(count, 4 * (8 * 15 + 7 * 36));
        rows.sort_unstable();
        rows.dedup();
        assert!(rows.len() == count && rows[count - 1] < FeatureSetId::PawnPairs.rows());
    }

    #[test]
    fn a_constant_weight_counts_pairs() {
        let bounds = |weight: i8| {
            of_set(
                TensorRef::I8(&vec![weight; 2 * FeatureSetId::PawnPairs.rows()]),
                2,
            )
        };
        assert_eq!(bounds(2), [Interval { min: 0, max: 438 }; 2]);
        assert_eq!(bounds(-2), [Interval { min: -438, max: 0 }; 2]);
    }
}
