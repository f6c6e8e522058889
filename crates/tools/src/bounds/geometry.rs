//! Row layouts of feature sets, which determine the rows that can be active together.
//!
//! ```text
//!   row = first + stride * group + 64 * plane + square
//! ```
//!
//! All active rows of a perspective are in one group, which the square of the own king selects. A square has
//! at most one piece and so at most one active row, in one of four copies of the planes if the set
//! distinguishes attacks. At most 30 pieces are not kings. Exactly one row is active for each king that has
//! rows.

use nnue_spec::{FeatureSetId, KINDS};

use super::interval::Interval;

/// Most pieces other than kings on a board.
const MAX_PIECES: usize = 30;

pub(super) const SQUARES: usize = 64;

pub(super) struct Geometry {
    /// number of groups: squares or buckets of the own king
    pub(super) groups: usize,
    /// planes of 64 squares in a group, in all standings
    pub(super) planes: usize,
    stride: usize,
    /// rows before plane 0 of a group
    first: usize,
    /// the planes of pieces other than kings
    pieces: Vec<usize>,
    /// the planes of the own king and of the enemy king; empty if kings have no rows
    kings: Vec<Vec<usize>>,
    /// the square of the own king in each group, if the group determines it
    own_kings: Vec<Option<usize>>,
}

impl Geometry {
    /// The layout of `set`; `None` for sets of pairs and custom sets, which do not have a row for each piece
    /// and square.
    pub(super) fn of(set: FeatureSetId) -> Option<Self> {
        let planes = set.pieces()?;
        let copies = |plane: usize| {
            (0..planes.standings).map(move |standing| planes.plane_count() * standing + plane)
        };
        let king = |side: usize| planes.planes[side][KINDS - 1];
        let of_kings = [king(0), king(1)].into_iter().flatten();
        let groups = planes.bucket_count();
        Some(Self {
            groups,
            planes: planes.standings * planes.plane_count(),
            stride: planes.stride(),
            first: planes.first,
            pieces: planes.pieces().flat_map(copies).collect(),
            kings: of_kings
                .map(|plane| copies(plane.into()).collect())
                .collect(),
            own_kings: (0..groups).map(|group| planes.king_of(group)).collect(),
        })
    }

    /// The row of a plane and square in a group.
    pub(super) const fn row(&self, group: usize, plane: usize, square: usize) -> usize {
        self.first + self.stride * group + SQUARES * plane + square
    }

    /// The square of the own king, if the group determines it.
    pub(super) fn own_king(&self, group: usize) -> Option<usize> {
        self.own_kings[group]
    }

    /// The range of the sum of active rows of a group, for one weight column.
    pub(super) fn range(&self, group: usize, weight: impl Fn(usize) -> i64) -> Interval {
        let own = self.own_king(group);
        let on = |planes: &[usize], square| {
            let weights = planes
                .iter()
                .map(|&plane| weight(self.row(group, plane, square)));
            weights
                .map(Interval::of)
                .reduce(Interval::union)
                .unwrap_or(Interval::ZERO)
        };
        let mut sum = Interval::ZERO;
        for (enemy, king) in self.kings.iter().enumerate() {
            let squares = (0..SQUARES)
                .filter(|&square| own.is_none_or(|own| (own == square) == (enemy == 0)));
            let ranges = squares.map(|square| on(king, square));
            sum = sum + ranges.reduce(Interval::union).unwrap_or(Interval::ZERO);
        }
        let squares = (0..SQUARES).filter(|&square| own != Some(square));
        let (mut least, mut greatest): (Vec<i64>, Vec<i64>) = squares
            .map(|square| on(&self.pieces, square))
            .map(|range| (range.min.min(0), range.max.max(0)))
            .unzip();
        least.sort_unstable();
        greatest.sort_unstable_by(|a, b| b.cmp(a));
        sum + Interval {
            min: least[..MAX_PIECES].iter().sum(),
            max: greatest[..MAX_PIECES].iter().sum(),
        }
    }
}
