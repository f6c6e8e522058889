//! Virtual features: rows that the rows of a set share.
//!
//! The rows of a set of single pieces are copies of the same planes, one copy for each king bucket (`place`):
//!
//! ```text
//!   row = first + stride * place + 64 * plane + square         first 1 and stride 641 of HalfKP, otherwise 0 and 64 * planes
//! ```
//!
//! | virtual feature | virtual row |
//! |---|---|
//! | piece and square | `64 * plane + square`, own king in its own plane: `P` of nnue-pytorch, bullet's factoriser |
//! | king | `place`: `K` |
//! | relative | `225 * plane + 15 * (ranks from the king + 7) + files from the king + 7`: `HalfRelativeKP` |

use std::fmt;

use nnue_spec::{FeatureSetId, KingBuckets};

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
        let planes = Planes::of(set)
            .filter(|planes| planes.kings.len() > 1)
            .ok_or(NO_KING)?;
        if self == Self::Relative && planes.kings.contains(&None) {
            return Err(NO_SQUARE);
        }
        let rows =
            (0..set.rows()).map(|row| planes.locate(row).and_then(|row| self.of(&planes, row)));
        Ok(number(rows.collect()))
    }

    /// The virtual row of a row.
    fn of(
        self,
        planes: &Planes,
        Row {
            place,
            plane,
            square,
        }: Row,
    ) -> Option<usize> {
        match self {
            Self::PieceSquare => {
                let (copy, of_copy) = (plane / planes.of_piece, plane % planes.of_piece);
                let is_own_king =
                    planes.king_plane == Some(of_copy) && planes.kings[place] == Some(square);
                let plane = if is_own_king {
                    planes.count + copy
                } else {
                    plane
                };
                Some(64 * plane + square)
            }
            Self::King => Some(place),
            Self::Relative => {
                let king = planes.kings[place]?;
                let (ranks, files) = (square / 8 + 7 - king / 8, square % 8 + 7 - king % 8);
                Some(225 * plane + 15 * ranks + files)
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

/// The numbering of the rows of a set.
struct Planes {
    first: usize,
    stride: usize,
    /// planes of a king bucket
    count: usize,
    /// planes of a king bucket without the split by attacks, if there is one
    of_piece: usize,
    /// the plane that both kings share, if they do
    king_plane: Option<usize>,
    /// the square of the own king for each bucket, from the perspective; `None` for buckets of several
    /// squares
    kings: Vec<Option<usize>>,
}

#[derive(Clone, Copy)]
struct Row {
    place: usize,
    plane: usize,
    square: usize,
}

impl Planes {
    /// The planes of a set of single pieces.
    fn of(set: FeatureSetId) -> Option<Self> {
        let squares = || (0..64).map(Some).collect();
        match set {
            FeatureSetId::HalfKp => Some(Self {
                first: 1,
                stride: 641,
                count: 10,
                of_piece: 10,
                king_plane: None,
                kings: squares(),
            }),
            FeatureSetId::HalfKaV2 => Some(Self::merged(squares())),
            // From h8 down to e1.
            FeatureSetId::HalfKaV2Hm => Some(Self::merged(
                (0..32)
                    .map(|place| Some(8 * (7 - place / 4) + 7 - place % 4))
                    .collect(),
            )),
            FeatureSetId::Chess768 => None,
            FeatureSetId::King(buckets) => Some(Self {
                first: 0,
                stride: 64 * buckets.planes(),
                count: buckets.planes(),
                of_piece: buckets.piece_planes(),
                king_plane: buckets.is_merged().then_some(5),
                kings: (0..buckets.count())
                    .map(|bucket| king_of(buckets, bucket))
                    .collect(),
            }),
            FeatureSetId::Threats(_) | FeatureSetId::PawnPairs | FeatureSetId::Custom(_) => None,
        }
    }

    /// Eleven planes, the last of which both kings share.
    const fn merged(kings: Vec<Option<usize>>) -> Self {
        Self {
            first: 0,
            stride: 704,
            count: 11,
            of_piece: 11,
            king_plane: Some(10),
            kings,
        }
    }

    /// The coordinates of a row; `None` if it is never active.
    fn locate(&self, row: usize) -> Option<Row> {
        let (place, rest) = (
            row / self.stride,
            (row % self.stride).checked_sub(self.first)?,
        );
        Some(Row {
            place,
            plane: rest / 64,
            square: rest % 64,
        })
    }
}

/// The square of the own king in this bucket after mirroring, if there is only one.
fn king_of(buckets: KingBuckets, bucket: usize) -> Option<usize> {
    let mirror = |square: usize| {
        if buckets.is_mirrored() && square % 8 > 3 {
            square ^ 7
        } else {
            square
        }
    };
    let mut squares: Vec<usize> = (0..64)
        .filter(|&square| buckets.bucket(square) == bucket)
        .map(mirror)
        .collect();
    squares.sort_unstable();
    squares.dedup();
    if let [square] = squares[..] {
        Some(square)
    } else {
        None
    }
}

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
