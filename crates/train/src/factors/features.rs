//! Virtual features: rows that the rows of a set share.
//!
//! The rows of a set of single pieces are copies of the same planes, one copy for each king bucket
//! ([`PiecePlanes`]).
//!
//! | virtual feature | virtual row |
//! |---|---|
//! | piece and square | `64 * plane + square`, own king in its own plane: `P` of nnue-pytorch, bullet's factoriser |
//! | king | the bucket: `K` |
//! | relative | `225 * plane + 15 * (ranks from the king + 7) + files from the king + 7`: `HalfRelativeKP` |

use std::fmt;

use nnue_spec::{FeatureSetId, PiecePlanes, PlaneSquare};

use super::shared::NONE;

/// A virtual feature that rows of a feature set share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VirtualFeature {
    /// the piece and its square, from the perspective: `P` of nnue-pytorch, bullet's factoriser of king
    /// buckets
    PieceSquare,
    /// the bucket of the own king: `K`
    King,
    /// the piece and its distance from the own king in files and ranks: `HalfRelativeKP`
    Relative,
}

impl VirtualFeature {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::PieceSquare, Self::King, Self::Relative];

    /// The name in the file of a run.
    pub const fn name(self) -> &'static str {
        match self {
            Self::PieceSquare => "piece_square",
            Self::King => "king",
            Self::Relative => "relative",
        }
    }

    /// The virtual row of each row of a set, numbered without gaps; or the reason why there is none.
    pub(super) fn rows_of(self, set: FeatureSetId) -> Result<Vec<u32>, &'static str> {
        let planes = set
            .pieces()
            .filter(|planes| planes.bucket_count() > 1)
            .ok_or(NO_KING)?;
        let kings: Vec<Option<usize>> = (0..planes.bucket_count())
            .map(|bucket| planes.king_of(bucket))
            .collect();
        if self == Self::Relative && kings.contains(&None) {
            return Err(NO_SQUARE);
        }
        let rows = (0..set.rows()).map(|row| {
            let place = planes.locate(row)?;
            self.of(&planes, place, kings[place.bucket])
        });
        Ok(number(rows.collect()))
    }

    /// The virtual row of the row at `place`; `king` is the only square of the own king there.
    fn of(self, planes: &PiecePlanes, place: PlaneSquare, king: Option<usize>) -> Option<usize> {
        let PlaneSquare {
            bucket,
            standing,
            plane,
            square,
        } = place;
        let count = planes.plane_count();
        match self {
            Self::PieceSquare => {
                let is_own_king = planes.shared_kings() == Some(plane) && king == Some(square);
                let plane = match is_own_king {
                    true => planes.standings * count + standing,
                    false => count * standing + plane,
                };
                Some(64 * plane + square)
            }
            Self::King => Some(bucket),
            Self::Relative => {
                let king = king?;
                let (ranks, files) = (square / 8 + 7 - king / 8, square % 8 + 7 - king % 8);
                Some(225 * (count * standing + plane) + 15 * ranks + files)
            }
        }
    }
}

impl fmt::Display for VirtualFeature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name())
    }
}

/// For sets with one row for a piece on a square.
pub(super) const NO_KING: &str = "its rows are the same for every place of the king";

/// For king buckets.
const NO_SQUARE: &str =
    "its king buckets have several squares each, from which pieces are not equally far";

fn number(rows: Vec<Option<usize>>) -> Vec<u32> {
    let mut numbers: Vec<usize> = rows.iter().flatten().copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let number_of = |row: usize| {
        numbers
            .binary_search(&row)
            .map_or(NONE, |number| number as u32)
    };
    rows.into_iter()
        .map(|row| row.map_or(NONE, number_of))
        .collect()
}
