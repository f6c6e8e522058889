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

use nnue_spec::FeatureSetId;

use super::interval::Interval;

/// Most pieces other than kings on a board.
const MAX_PIECES: usize = 30;

pub(super) const SQUARES: usize = 64;

pub(super) struct Geometry {
    /// number of groups: squares or buckets of the own king
    pub(super) groups: usize,
    /// rows from one group to the next
    pub(super) stride: usize,
    /// rows before plane 0 of a group
    pub(super) first: usize,
    /// planes of 64 squares in a group
    pub(super) planes: usize,
    /// the planes of pieces other than kings
    pub(super) pieces: &'static [usize],
    /// possible planes of the own king and of the enemy king; empty if kings have no rows
    pub(super) kings: &'static [&'static [usize]],
    /// the square of the own king in each group
    king_square: fn(usize) -> Option<usize>,
}

/// The planes of pieces other than kings, if both kings have planes.
const PIECES: &[usize] = &[0, 1, 2, 3, 4, 6, 7, 8, 9, 10];

/// These planes in four copies, `planes` apart.
const fn copies(planes: usize) -> [usize; 4 * PIECES.len()] {
    let (mut copies, mut at) = ([0; 4 * PIECES.len()], 0);
    while at < copies.len() {
        copies[at] = at / PIECES.len() * planes + PIECES[at % PIECES.len()];
        at += 1;
    }
    copies
}

impl Geometry {
    /// The layout of `set`; `None` for sets of pairs and custom sets, which do not have a row for each piece
    /// and square.
    pub(super) fn of(set: FeatureSetId) -> Option<Self> {
        const TEN: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        Some(match set {
            FeatureSetId::HalfKp => Self {
                groups: 64,
                stride: 641,
                first: 1,
                planes: 10,
                pieces: TEN,
                kings: &[],
                king_square: Some,
            },
            FeatureSetId::HalfKaV2 => Self {
                groups: 64,
                stride: 704,
                first: 0,
                planes: 11,
                pieces: TEN,
                kings: &[&[10], &[10]],
                king_square: Some,
            },
            FeatureSetId::HalfKaV2Hm => Self {
                groups: 32,
                stride: 704,
                first: 0,
                planes: 11,
                pieces: TEN,
                kings: &[&[10], &[10]],
                king_square: |bucket| Some(8 * (7 - bucket / 4) + (7 - bucket % 4)),
            },
            FeatureSetId::Chess768 => Self {
                groups: 1,
                stride: 768,
                first: 0,
                planes: 12,
                pieces: PIECES,
                kings: &[&[5], &[11]],
                king_square: |_| None,
            },
            FeatureSetId::King(buckets) => Self {
                groups: buckets.count(),
                stride: SQUARES * buckets.planes(),
                first: 0,
                planes: buckets.planes(),
                pieces: match (buckets.sees_attacks(), buckets.is_merged()) {
                    (false, _) => PIECES,
                    (true, false) => const { &copies(12) },
                    (true, true) => const { &copies(11) },
                },
                kings: match (buckets.sees_attacks(), buckets.is_merged()) {
                    (false, false) => &[&[5], &[11]],
                    (false, true) => &[&[5], &[5]],
                    (true, false) => &[&[5, 17, 29, 41], &[11, 23, 35, 47]],
                    (true, true) => &[&[5, 16, 27, 38], &[5, 16, 27, 38]],
                },
                king_square: |_| None,
            },
            FeatureSetId::Threats(_) | FeatureSetId::PawnPairs | FeatureSetId::Custom(_) => {
                return None;
            }
        })
    }

    /// The row of a plane and square in a group.
    pub(super) const fn row(&self, group: usize, plane: usize, square: usize) -> usize {
        self.first + self.stride * group + SQUARES * plane + square
    }

    /// The square of the own king, if the group determines it.
    pub(super) fn own_king(&self, group: usize) -> Option<usize> {
        (self.king_square)(group)
    }

    /// The range of the sum of active rows of a group, for one weight column.
    pub(super) fn range(&self, group: usize, weight: impl Fn(usize) -> i64) -> Interval {
        let own = self.own_king(group);
        let on = |planes: &'static [usize], square| {
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
            .map(|square| on(self.pieces, square))
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
