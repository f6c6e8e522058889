//! How the rows of a feature set lie: which of them can be active together.
//!
//! ```text
//!   row = first + stride * group + 64 * plane + square
//! ```
//!
//! All active rows of a perspective are of one group, which the own king's place chooses. A square has at most one piece,
//! hence at most one active row; at most 30 pieces are no kings; exactly one row is active for each king that has rows.

use nnue_spec::FeatureSetId;

/// Pieces on the board that are no kings, at most.
pub(super) const MAX_PIECES: usize = 30;

/// Squares of a board.
pub(super) const SQUARES: usize = 64;

/// The layout of the rows of a feature set.
pub(super) struct Geometry {
    /// places of the own king that are told apart
    pub(super) groups: usize,
    /// rows from one group to the next
    pub(super) stride: usize,
    /// rows before plane 0 of a group
    pub(super) first: usize,
    /// planes of 64 squares in a group
    pub(super) planes: usize,
    /// the planes of pieces that are no kings
    pub(super) pieces: &'static [usize],
    /// the planes of the own and of the enemy king
    pub(super) kings: &'static [usize],
    /// the square of the own king by group
    king_square: fn(usize) -> Option<usize>,
}

impl Geometry {
    /// That of `set`; `None` for sets of pairs and of users, whose active rows do not follow from squares.
    pub(super) fn of(set: FeatureSetId) -> Option<Self> {
        const TEN: &[usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
        Some(match set {
            FeatureSetId::HalfKp => {
                Self { groups: 64, stride: 641, first: 1, planes: 10, pieces: TEN, kings: &[], king_square: Some }
            }
            FeatureSetId::HalfKaV2 => {
                Self { groups: 64, stride: 704, first: 0, planes: 11, pieces: TEN, kings: &[10, 10], king_square: Some }
            }
            FeatureSetId::HalfKaV2Hm => Self {
                groups: 32,
                stride: 704,
                first: 0,
                planes: 11,
                pieces: TEN,
                kings: &[10, 10],
                king_square: |bucket| Some(8 * (7 - bucket / 4) + (7 - bucket % 4)),
            },
            FeatureSetId::Chess768 => Self {
                groups: 1,
                stride: 768,
                first: 0,
                planes: 12,
                pieces: &[0, 1, 2, 3, 4, 6, 7, 8, 9, 10],
                kings: &[5, 11],
                king_square: |_| None,
            },
            FeatureSetId::King(buckets) => Self {
                groups: buckets.count(),
                stride: SQUARES * buckets.planes(),
                first: 0,
                planes: buckets.planes(),
                pieces: &[0, 1, 2, 3, 4, 6, 7, 8, 9, 10],
                kings: if buckets.is_merged() { &[5, 5] } else { &[5, 11] },
                king_square: |_| None,
            },
            FeatureSetId::Threats(_) | FeatureSetId::PawnPairs | FeatureSetId::Own(_) => return None,
        })
    }

    /// The row of a plane and square of a group.
    pub(super) const fn row(&self, group: usize, plane: usize, square: usize) -> usize {
        self.first + self.stride * group + SQUARES * plane + square
    }

    /// The square of the own king, where the group tells it.
    pub(super) fn own_king(&self, group: usize) -> Option<usize> {
        (self.king_square)(group)
    }
}
